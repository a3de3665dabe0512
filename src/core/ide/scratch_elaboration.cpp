#include "scratch_elaboration.hpp"

#include "core/base/try.hpp"
#include "core/lean/header_fault.hpp"

#include <algorithm>

namespace leanbridge::ide {

bool Trial::is_accepted() const {
  return complete && !header_failed && unannounced.empty() && !messages().errors().any();
}

std::string imports_not_loaded(const Trial& trial) {
  const std::string why = lean::read_header_fault(trial.diagnostics).why;
  return "Lean could not load the file's imports" + (why.empty() ? "." : ": " + why);
}

namespace {

io::Progress progress_of(const document::DocumentState& state) {
  const int lines = state.text().line_count();
  return {static_cast<double>(state.lines_done()), static_cast<double>(lines),
          "checking: " + std::to_string(state.lines_done()) + " of " + std::to_string(lines) + " lines done",
          "checking"};
}

// Stops Lean, which would go on elaborating until the text changes. Keeps the part that is done, and the
// header, whose imports may be almost loaded.
void stop_elaborating(document::Scratch& scratch) {
  const document::DocumentState& state = scratch.document()->state;
  if (!state.open() || state.done()) return;
  const auto lines = state.still_elaborating();
  scratch.abandon_text();
  if (lines.empty()) return;
  const std::size_t done = state.text().line_start(static_cast<std::size_t>(lines.front().start - 1));
  scratch.set_text(state.text().str().substr(0, std::max(done, scratch.document()->disk.header.end)));
}

// Stops Lean when the text is no longer needed, however the call ends, also by cancellation.
struct StoppedAtEnd {
  explicit StoppedAtEnd(document::Scratch acquired) : scratch(std::move(acquired)) {}
  StoppedAtEnd(const StoppedAtEnd&) = delete;
  StoppedAtEnd& operator=(const StoppedAtEnd&) = delete;
  ~StoppedAtEnd() { stop_elaborating(scratch); }

  document::Scratch scratch;
};

Trial read_trial(const document::DocumentState& state) {
  Trial trial;
  trial.text = state.text();
  trial.diagnostics = state.diagnostics();
  trial.complete = state.done();
  trial.header_failed = state.header_failed();
  trial.still_elaborating = state.still_elaborating();
  return trial;
}

asio::awaitable<Result<std::shared_ptr<const document::Scratch>>> begin_as(
    std::shared_ptr<io::Operation> call, std::shared_ptr<document::DocumentStore> project,
    std::filesystem::path file, std::string text, io::CancelScope scope) {
  CO_TRY(auto acquired, co_await project->scratch()->acquire(text, scope, std::move(file)));
  const auto held = std::make_shared<StoppedAtEnd>(std::move(acquired));
  held->scratch.set_text(std::move(text));
  call->progress = [document = held->scratch.document()]() -> std::optional<io::Progress> {
    return progress_of(document->state);
  };
  co_return std::shared_ptr<const document::Scratch>(held, &held->scratch);
}

asio::awaitable<Result<HeldTrial>> elaborate_as(std::shared_ptr<io::Operation> call,
                                                std::shared_ptr<document::DocumentStore> project,
                                                std::filesystem::path file, std::string text,
                                                io::CancelScope scope) {
  CO_TRY(auto begun, co_await begin_as(call, std::move(project), std::move(file), std::move(text), scope));
  co_return co_await end_elaboration(call, std::move(begun), scope);
}

asio::awaitable<Result<Trial>> released(asio::awaitable<Result<HeldTrial>> held) {
  CO_TRY(auto trial, co_await std::move(held));
  co_return Trial(std::move(trial));
}

}  // namespace

asio::awaitable<Result<Trial>> elaborate_text(std::shared_ptr<io::Operation> call,
                                              std::shared_ptr<document::DocumentStore> project,
                                              std::string text, io::CancelScope scope) {
  return released(elaborate_as(std::move(call), std::move(project), {}, std::move(text), std::move(scope)));
}

asio::awaitable<Result<Trial>> elaborate_text(std::shared_ptr<io::Operation> call, const OpenFile& file,
                                              std::string text, io::CancelScope scope) {
  return released(elaborate_and_hold(std::move(call), file, std::move(text), std::move(scope)));
}

asio::awaitable<Result<HeldTrial>> elaborate_and_hold(std::shared_ptr<io::Operation> call,
                                                      const OpenFile& file, std::string text,
                                                      io::CancelScope scope) {
  return elaborate_as(std::move(call), file.store(), file.document().path, std::move(text), std::move(scope));
}

asio::awaitable<Result<std::shared_ptr<const document::Scratch>>> begin_elaboration(
    std::shared_ptr<io::Operation> call, const OpenFile& file, std::string text, io::CancelScope scope) {
  return begin_as(std::move(call), file.store(), file.document().path, std::move(text), std::move(scope));
}

asio::awaitable<Result<HeldTrial>> end_elaboration(std::shared_ptr<io::Operation> call,
                                                   std::shared_ptr<const document::Scratch> scratch,
                                                   io::CancelScope scope) {
  const auto known = co_await scratch->handle().wait_until_done(scope);
  call->progress = {};
  if (!known) co_return tl::unexpected(known.error());
  HeldTrial trial{read_trial(scratch->document()->state), scratch};
  if (!trial.complete) co_return trial;
  CO_TRY(auto unannounced, in_time(co_await unannounced_theorems(scratch->handle(), scope)));
  trial.complete = unannounced.has_value();
  if (unannounced) trial.unannounced = std::move(*unannounced);
  co_return trial;
}

wire::Fields TrialStatus::fields() {
  return {wire::field<&TrialStatus::partial>().unlisted().omit_empty(),
          wire::field<&TrialStatus::timed_out>().omit_empty(),
          wire::field<&TrialStatus::still_elaborating_lines>().unlisted().omit_empty()};
}

TrialStatus status_of(const Trial& trial) {
  TrialStatus status;
  status.partial = status.timed_out = !trial.complete;
  for (const document::LineRange& range : trial.still_elaborating)
    status.still_elaborating_lines.push_back({range.start, range.end});
  return status;
}

wire::Fields TrialMessages::fields() {
  return {wire::named_field<&TrialMessages::items>("diagnostics"),
          wire::field<&TrialMessages::total>().unlisted().only_if<&TrialMessages::truncated>(),
          wire::field<&TrialMessages::truncated>().unlisted().omit_empty(),
          wire::field<&TrialMessages::linter_count>().unlisted().omit_empty()};
}

TrialMessages messages_of(const Messages& all) {
  return {list_of(all.shown(), LinterNoise::Counted)};
}

}  // namespace leanbridge::ide
