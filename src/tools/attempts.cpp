#include "attempts.hpp"

#include "leanbridge/document/scratch_pool.hpp"
#include "leanbridge/text/attempt_text.hpp"

#include <deque>

namespace leanbridge::tools {

using nlohmann::json;

namespace {

// An attempt that is not done after this gives way to those that have not been tried yet.
constexpr auto kFirstSlice = std::chrono::milliseconds(500);
// A further scratch document has to start a worker and to elaborate the beginning of the file: worth it only
// when those that are warm do not get through in this time.
constexpr auto kBeforeAnother = std::chrono::seconds(2);

struct Waiting {
  std::size_t index;
  bool had_a_slice = false;
};

// What the workers of one call share. Kept by each of them: the call may end before they do.
struct Batch {
  std::string source;
  std::size_t offset = 0;
  std::size_t padding = 0;
  io::Clock::duration limit;
  std::deque<Waiting> queue;
  std::vector<Attempt> attempts;
  std::size_t workers = 0;
  std::optional<Error> error;
  io::Condition changed;

  text::AttemptText text_of(std::size_t index) const {
    std::string before = source.substr(0, offset) + std::string(padding, ' ');
    const std::size_t place = before.size();
    return text::attempt_text(before, place, attempts[index].snippet);
  }
};

// Judges by what Lean says of the declaration: the snippet is in error when an error begins in it; the proof
// is complete only when nothing in all of the declaration is wrong, unsolved or a sorry.
void judge(Attempt& attempt, const document::DocumentState& state, const text::AttemptText& placed) {
  bool error_in_snippet = false, anything_open = false;
  for (const lean::Diagnostic& diagnostic : state.diagnostics()) {
    const std::size_t start = state.text().offset_at(diagnostic.range.start);
    const std::size_t end = state.text().offset_at(diagnostic.range.end);
    if (!is_shown(diagnostic) || end < placed.declaration) continue;
    const bool error = diagnostic.severity == lean::Severity::Error;
    anything_open = anything_open || error || is_sorry(diagnostic);
    if (start < placed.snippet_start) continue;
    error_in_snippet = error_in_snippet || error;
    attempt.diagnostics.push_back(diagnostic_item(state.text(), diagnostic));
  }
  const bool goals_left = attempt.after.in_proof && !attempt.after.goals.empty();
  if (error_in_snippet)
    attempt.status = ProofStatus::Error;
  else if (attempt.after.in_proof && !goals_left && !anything_open)
    attempt.status = ProofStatus::Complete;
  else if (attempt.before.in_proof && attempt.before.goals == attempt.after.goals)
    attempt.status = ProofStatus::NoProgress;
  else
    attempt.status = ProofStatus::Progress;
}

// One try in one scratch document. Timeout: not done within the scope.
asio::awaitable<Result<void>> try_once(document::Scratch& scratch, Attempt& attempt, text::AttemptText placed,
                                       io::Scope scope) {
  scratch.set_text(placed.text);
  const auto document = scratch.document();
  const auto known =
      co_await document::wait_until_reported_between(document, placed.declaration, placed.text.size(), scope);
  if (!known) co_return tl::unexpected(known.error());
  if (*known == document::Known::Partial) co_return fail(ErrorKind::Timeout, "not done");
  if (auto failure = document::header_failure(*document)) co_return tl::unexpected(*failure);
  auto before = co_await goals_in(scratch.table(), document, placed.snippet_start, GoalFormat::Text, scope);
  if (!before) co_return tl::unexpected(before.error());
  auto after = co_await goals_in(scratch.table(), document, placed.snippet_end, GoalFormat::Text, scope);
  if (!after) co_return tl::unexpected(after.error());
  attempt.before = std::move(*before);
  attempt.after = std::move(*after);
  attempt.diagnostics = json::array();
  attempt.timed_out = false;
  judge(attempt, document->state, placed);
  co_return Result<void>();
}

void note_crash(Attempt& attempt, const Error& error) {
  attempt.status = ProofStatus::Error;
  attempt.diagnostics =
      json::array({{{"severity", "error"}, {"message", error.message}, {"line", 1}, {"column", 1}}});
}

// Takes attempts from the queue until it is empty, or the scope has ended.
asio::awaitable<void> work(std::shared_ptr<document::DocumentTable> table, std::shared_ptr<Batch> batch,
                           io::Scope scope) {
  std::string first = batch->queue.empty() ? std::string() : batch->text_of(batch->queue.front().index).text;
  auto scratch = co_await table->scratch()->acquire(std::move(first), scope);
  if (!scratch) {
    if (scratch.error().kind != ErrorKind::Timeout) batch->error = scratch.error();
    co_return;
  }
  while (!batch->queue.empty() && !scope.cancel->cancelled() && !batch->error) {
    Waiting next = batch->queue.front();
    batch->queue.pop_front();
    Attempt& attempt = batch->attempts[next.index];
    // A worker that has to start and elaborate the beginning of the file needs its time for that, and not the
    // snippet's.
    const bool cold = !scratch->document()->state.open();
    const bool others_wait = !batch->queue.empty() && !next.had_a_slice && !cold;
    const io::Scope slice = others_wait ? scope.at_most(kFirstSlice)
                            : cold      ? scope
                                        : scope.at_most(batch->limit);
    const auto done = co_await try_once(*scratch, attempt, batch->text_of(next.index), slice);
    if (done) continue;
    const ErrorKind kind = done.error().kind;
    if (kind == ErrorKind::Timeout) {
      // Lean stops at it, if it can be stopped, when it gets another text.
      scratch->gave_up();
      scratch->set_text(batch->source.substr(0, batch->offset));
      if (others_wait && io::Clock::now() < scope.deadline) batch->queue.push_back({next.index, true});
    } else if (kind == ErrorKind::WorkerCrashed) {
      attempt.timed_out = false;
      note_crash(attempt, done.error());
    } else {
      batch->error = done.error();
    }
  }
}

}  // namespace

const char* status_name(ProofStatus status) {
  switch (status) {
    case ProofStatus::Complete:
      return "complete";
    case ProofStatus::Progress:
      return "progress";
    case ProofStatus::NoProgress:
      return "no_progress";
    case ProofStatus::Error:
      return "error";
  }
  return "error";
}

asio::awaitable<Result<std::vector<Attempt>>> run_attempts(const OpenFile& file, int line,
                                                           std::optional<int> column,
                                                           std::vector<std::string> snippets,
                                                           std::size_t parallel, io::Clock::duration limit,
                                                           io::Scope scope) {
  const auto offset = offset_of(file, line, column, Without::FirstNonBlank);
  if (!offset) co_return tl::unexpected(offset.error());
  const text::AttemptPlace place =
      column ? text::AttemptPlace{*offset, 0} : text::attempt_place(file.text(), line);
  auto batch = std::make_shared<Batch>();
  batch->source = file.text().str();
  batch->offset = place.offset;
  batch->padding = place.padding;
  batch->limit = limit;
  for (std::size_t i = 0; i < snippets.size(); ++i) {
    Attempt attempt;
    attempt.snippet = std::move(snippets[i]);
    attempt.timed_out = true;  // until it is done
    batch->attempts.push_back(std::move(attempt));
    batch->queue.push_back({i, false});
  }
  const std::size_t most = std::min({parallel, file.table->scratch()->max_slots(), batch->attempts.size()});
  const auto executor = co_await asio::this_coro::executor;
  const auto add_worker = [&] {
    ++batch->workers;
    asio::co_spawn(executor, work(file.table, batch, scope), [batch](const std::exception_ptr&) {
      --batch->workers;
      batch->changed.notify_all();
    });
  };
  std::size_t added = 0;
  for (const std::size_t warm = std::max<std::size_t>(1, file.table->scratch()->warm_slots());
       added < std::min(warm, most); ++added)
    add_worker();
  // The workers end by themselves, by the scope; the grace is for one that is just being told.
  const io::Scope grace(scope.deadline - io::Clock::now() + std::chrono::seconds(5));
  const auto done = [&] { return batch->workers == 0; };
  while (co_await io::wait_until(batch->changed, grace.at_most(kBeforeAnother), done) != io::WaitEnd::Ready) {
    if (io::Clock::now() >= grace.deadline) break;
    const bool untried = !batch->queue.empty() && !batch->queue.front().had_a_slice;
    if (untried && added < most && !scope.cancel->cancelled()) {
      add_worker();
      ++added;
    }
  }
  if (scope.cancel->cancelled()) co_return fail(ErrorKind::Cancelled, "The call was cancelled.");
  if (batch->error) co_return tl::unexpected(*batch->error);
  co_return std::move(batch->attempts);
}

}  // namespace leanbridge::tools
