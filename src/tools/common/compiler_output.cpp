#include "compiler_output.hpp"

#include "leanbridge/lean/build_output.hpp"
#include "leanbridge/text/utf8.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace {

constexpr std::size_t kMostMessages = 10'000;
constexpr std::size_t kLastWords = 2000;  // bytes kept of what is no message

}  // namespace

void CompilerOutput::hear(std::string_view lines) {
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    hear_line(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

void CompilerOutput::hear_line(std::string_view line) {
  auto message = lean::read_compiler_message(line);
  if (!message) return hear_other(std::string(line) + "\n");
  if (messages_.size() < kMostMessages)
    messages_.push_back(std::move(*message));
  else
    too_many_ = true;
}

void CompilerOutput::hear_other(std::string_view lines) {
  other_ += lines;
  if (other_.size() > 2 * kLastWords) other_.erase(0, other_.size() - kLastWords);
}

bool CompilerOutput::has_error() const {
  return std::any_of(messages_.begin(), messages_.end(),
                     [](const auto& message) { return message.severity == lean::Severity::Error; });
}

std::string CompilerOutput::how_it_ended(const LakeEnd& end) const {
  std::string text = end.how == LakeEnd::How::TimedOut ? "it was not done by the call's deadline"
                                                       : "exit code " + std::to_string(end.exit_code);
  std::string words = text::replace_invalid(lean::without_colours(other_));
  while (words.ends_with('\n')) words.pop_back();
  return words.empty() ? text : text + ": " + words;
}

asio::awaitable<Result<CompilerRun>> run_compiler(LakeCommand command, io::CancelScope scope) {
  // Lake may print on after its end was not waited for.
  const auto printed = std::make_shared<CompilerOutput>();
  LakeOutput output;
  output.on_stdout = [printed](std::string_view lines) { printed->hear(lines); };
  output.on_stderr = [printed](std::string_view lines) { printed->hear_other(lines); };
  const auto end = co_await run_lake(std::move(command), std::move(output), scope);
  if (!end) co_return tl::unexpected(end.error());
  if (end->how == LakeEnd::How::Cancelled) co_return call_cancelled();
  co_return CompilerRun{*printed, *end};
}

}  // namespace leanbridge::tools
