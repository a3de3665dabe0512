#include "lake_run.hpp"

#include "core/base/try.hpp"
#include "core/io/run_to_end.hpp"
#include "core/lean/build_output.hpp"
#include "core/lean/project.hpp"
#include "core/text/utf8.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace leanbridge::ide {

namespace {

constexpr std::size_t kMaxLineBytes = 4u << 20;

// Cuts a stream into lines, so that the lines of two streams do not mix.
struct Lines {
  std::function<void(std::string_view)> on_lines;
  std::string begun;

  void add(std::string_view bytes) {
    begun += bytes;
    const std::size_t end = begun.rfind('\n') + 1;  // npos + 1 is 0
    if (end == 0 && begun.size() < kMaxLineBytes) return;
    const std::size_t size = end == 0 ? begun.size() : end;
    on_lines(std::string_view(begun).substr(0, size));
    begun.erase(0, size);
  }
  void end() {
    if (!begun.empty()) on_lines(std::exchange(begun, {}) + "\n");
  }
};

}  // namespace

asio::awaitable<Result<LakeEnd>> run_lake(LakeCommand given, LakeOutput output, io::CancelScope scope) {
  const auto out = std::make_shared<Lines>(Lines{std::move(output.on_stdout), {}});
  const auto err = std::make_shared<Lines>(Lines{std::move(output.on_stderr), {}});
  io::ProgramRun run;
  run.command.argv = std::move(given.arguments);
  run.command.argv.insert(run.command.argv.begin(), given.lake.string());
  run.command.directory = std::move(given.root);
  run.command.environment = given.environment ? std::move(*given.environment) : lean::environment_for_lake();
  run.spawn = std::move(given.spawn);
  run.at_scope_end = io::ProgramRun::AtScopeEnd::Return;
  run.on_stdout = [out](std::string_view bytes) { out->add(bytes); };
  run.on_stderr = [err](std::string_view bytes) { err->add(bytes); };
  run.on_stdout_end = [out] { out->end(); };
  run.on_stderr_end = [err] { err->end(); };
  // Processes of the command may still write to files that the next command uses.
  run.held = std::move(given.held);
  const auto end = co_await io::run_to_end(std::move(run), scope);
  if (end && end->timed_out) co_return LakeEnd{LakeEnd::How::TimedOut, 0};
  if (end) co_return LakeEnd{LakeEnd::How::Exited, end->exit_code};
  if (end.error().kind == ErrorKind::Cancelled) co_return LakeEnd{LakeEnd::How::Cancelled, 0};
  co_return tl::unexpected(end.error());
}

namespace {

constexpr std::size_t kMaxCompilerMessages = 10'000;
constexpr std::size_t kTailBytes = 2000;  // kept of the output other than messages

}  // namespace

void CompilerOutput::add_stdout(std::string_view lines) {
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    add_line(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

void CompilerOutput::add_line(std::string_view line) {
  auto message = lean::read_compiler_message(line);
  if (!message) return add_other(std::string(line) + "\n");
  if (messages_.size() < kMaxCompilerMessages)
    messages_.push_back(std::move(*message));
  else
    too_many_ = true;
}

void CompilerOutput::add_other(std::string_view lines) {
  other_ += lines;
  if (other_.size() > 2 * kTailBytes) other_.erase(0, other_.size() - kTailBytes);
}

bool CompilerOutput::has_error() const {
  return std::ranges::count(messages_, lean::Severity::Error, &lean::CompilerMessage::severity) > 0;
}

std::string CompilerOutput::how_it_ended(const LakeEnd& end) const {
  std::string text = end.how == LakeEnd::How::TimedOut ? "it had not finished by the call's deadline"
                                                       : "exit code " + std::to_string(end.exit_code);
  std::string tail = text::replace_invalid(lean::without_colours(other_));
  while (tail.ends_with('\n')) tail.pop_back();
  return tail.empty() ? text : text + ": " + tail;
}

asio::awaitable<Result<CompilerRun>> run_compiler(LakeCommand command, io::CancelScope scope) {
  // Shared: lake may go on printing after run_lake() stopped waiting for it.
  const auto printed = std::make_shared<CompilerOutput>();
  LakeOutput output;
  output.on_stdout = [printed](std::string_view lines) { printed->add_stdout(lines); };
  output.on_stderr = [printed](std::string_view lines) { printed->add_other(lines); };
  CO_TRY(const auto end, co_await run_lake(std::move(command), std::move(output), scope));
  if (end.how == LakeEnd::How::Cancelled) co_return call_cancelled();
  co_return CompilerRun{*printed, end};
}

}  // namespace leanbridge::ide
