// leanbridge call: one tool, the same way as a client's tools/call goes.

#include "leanbridge/mcp/tool_result.hpp"
#include "leanbridge/text/utf8.hpp"

#include "commands.hpp"
#include "runtime.hpp"
#include <boost/asio/signal_set.hpp>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

namespace leanbridge::app {

using nlohmann::json;

namespace {

constexpr int kUsage = 2;
constexpr int kInterrupted = 130;

int usage(const Error& error) {
  std::fprintf(stderr, "leanbridge: %s %s\n", error.message.c_str(), error.hint.c_str());
  return kUsage;
}

void print_json(const json& value) {
  const int indent = ::isatty(STDOUT_FILENO) != 0 ? 2 : -1;
  std::printf("%s\n", value.dump(indent, ' ', false, json::error_handler_t::replace).c_str());
}

// One line that is written again and again.
class ProgressLine {
 public:
  ~ProgressLine() {
    if (shown_) std::fputs("\r\033[K", stderr);
  }
  void show(const std::string& text) {
    if (::isatty(STDERR_FILENO) == 0) return;
    constexpr std::size_t kBytes = 120;
    const std::string_view line = text::beginning_of(text, kBytes);
    std::fprintf(stderr, "\r\033[K%.*s", static_cast<int>(line.size()), line.data());
    shown_ = true;
  }

 private:
  bool shown_ = false;
};

class OneCall {
 public:
  OneCall(Runtime& runtime, const mcp::Tool& tool, mcp::Arguments arguments)
      : runtime_(runtime),
        tool_(tool),
        arguments_(std::move(arguments)),
        signals_(runtime.context(), SIGINT, SIGTERM) {
    const double seconds = arguments_.optional_number("timeout_s").value_or(runtime.options().timeout_s);
    call_ = std::make_shared<mcp::Call>(mcp::Call{
        io::Scope(std::chrono::duration_cast<io::Clock::duration>(std::chrono::duration<double>(seconds))),
        {}});
  }

  Result<json> run() {
    wait_for_signal();
    asio::co_spawn(runtime_.context(), answer(), asio::detached);
    asio::co_spawn(runtime_.context(), show_progress(), asio::detached);
    runtime_.context().run();
    return std::move(answer_);
  }
  bool interrupted() const { return interrupted_; }

 private:
  asio::awaitable<void> answer() {
    answer_ = co_await mcp::run(&tool_, call_, std::move(arguments_));
    call_->scope.cancel->cancel();  // ends the progress, too
    co_await runtime_.workspace().stop(kStopGrace);
    runtime_.context().stop();
  }

  asio::awaitable<void> show_progress() {
    ProgressLine line;
    for (;;) {
      const io::Scope scope(std::chrono::hours(24), call_->scope.cancel);
      if (co_await io::sleep_for(std::chrono::milliseconds(500), scope) == io::WaitEnd::Cancelled) co_return;
      if (!call_->progress) continue;
      if (const auto progress = call_->progress()) line.show(progress->message);
    }
  }

  void wait_for_signal() {
    signals_.async_wait([this](boost::system::error_code error, int) {
      if (error) return;
      if (std::exchange(interrupted_, true)) {  // asked twice: no more patience
        runtime_.workspace().kill();
        runtime_.context().stop();
        return;
      }
      call_->scope.cancel->cancel();
      wait_for_signal();
    });
  }

  Runtime& runtime_;
  const mcp::Tool& tool_;
  mcp::Arguments arguments_;
  asio::signal_set signals_;
  std::shared_ptr<mcp::Call> call_;
  Result<json> answer_ = fail(ErrorKind::Cancelled, "The call was interrupted.");
  bool interrupted_ = false;
};

Result<json> given_arguments(const mcp::Tool& tool, const Options& options) {
  auto given = mcp::arguments_from_words(tool, options.words);
  if (!given || !options.json) return given;
  json object = json::parse(*options.json, nullptr, false);
  if (!object.is_object())
    return fail(ErrorKind::InvalidArgument, "--json is not a JSON object.",
                R"(Pass it as --json '{"file_path": "Foo.lean"}'.)");
  object.update(*given);
  return object;
}

}  // namespace

int call(const Options& options) {
  Runtime runtime(options);
  if (const auto selected = runtime.select_tools(); !selected) return usage(selected.error());
  const mcp::Tool* tool = runtime.tools().find(options.tool);
  if (!tool)
    return usage(Error(ErrorKind::InvalidArgument, "There is no tool " + options.tool + " here.",
                       "`leanbridge tools` lists them."));
  auto given = given_arguments(*tool, options);
  if (!given) return usage(given.error());
  auto arguments = mcp::check_arguments(*tool, std::move(*given));
  if (!arguments) return usage(arguments.error());

  OneCall one(runtime, *tool, std::move(*arguments));
  const Result<json> answer = one.run();
  if (one.interrupted()) return kInterrupted;
  const json result = answer ? mcp::to_tool_result(*answer) : mcp::to_tool_error(answer.error());
  print_json(answer ? result["structuredContent"]
                    : json::parse(result["content"][0]["text"].get_ref<const std::string&>()));
  return answer ? 0 : 1;
}

}  // namespace leanbridge::app
