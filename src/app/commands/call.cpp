// leanbridge call, which takes the same path as a client's tools/call; leanbridge tools.

#include "app/interrupts.hpp"
#include "app/runtime.hpp"
#include "commands.hpp"
#include "output.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace leanbridge::app {

using nlohmann::json;

namespace {

/// Calls of one tool, one after another on one Lean.
class CallSeries {
 public:
  CallSeries(Runtime& runtime, const mcp::Tool& tool, std::vector<json> arguments, Preparation before,
             TakeAnswer take)
      : runtime_(runtime),
        tool_(tool),
        arguments_(std::move(arguments)),
        before_(std::move(before)),
        take_(std::move(take)),
        interrupts_(
            runtime.context(), [this] { cancel_->cancel(); },
            [this] {
              runtime_.projects().kill();
              runtime_.context().stop();
            }) {}

  /// False if it was interrupted.
  bool run() {
    io::spawn(runtime_.context(), answer_all());
    runtime_.context().run();
    return !interrupts_.heard();
  }

 private:
  asio::awaitable<void> answer_all() {
    if (before_) co_await before_(cancel_);
    io::spawn(runtime_.context(), show_progress());
    for (json& arguments : arguments_) {
      if (interrupts_.heard()) break;
      call_ = mcp::new_call(arguments, runtime_.call_defaults());
      call_->scope.cancel = cancel_;
      auto answer = co_await mcp::run(&tool_, call_, std::move(arguments));
      line_.clear();
      if (!interrupts_.heard()) take_(std::move(answer));
    }
    cancel_->cancel();  // also ends show_progress()
    co_await runtime_.projects().stop(kStopGrace);
    runtime_.context().stop();
  }

  asio::awaitable<void> show_progress() {
    for (;;) {
      const io::CancelScope scope(io::kNoDeadline, cancel_);
      if (co_await io::sleep_for(std::chrono::milliseconds(500), scope) == io::WaitStatus::Cancelled)
        co_return;
      if (!call_ || !call_->progress) continue;
      if (const auto progress = call_->progress()) line_.show(progress->message);
    }
  }

  Runtime& runtime_;
  const mcp::Tool& tool_;
  std::vector<json> arguments_;
  Preparation before_;
  TakeAnswer take_;
  std::shared_ptr<io::CancelSource> cancel_ = std::make_shared<io::CancelSource>();
  Interrupts interrupts_;
  ProgressLine line_;
  std::shared_ptr<mcp::Call> call_;
};

}  // namespace

bool run_calls(Runtime& runtime, const mcp::Tool& tool, std::vector<json> arguments, TakeAnswer take) {
  return CallSeries(runtime, tool, std::move(arguments), nullptr, std::move(take)).run();
}

Result<json> run_one(Runtime& runtime, const mcp::Tool& tool, json arguments, bool& interrupted,
                     Preparation before) {
  Result<json> answer = fail(ErrorKind::Cancelled, "The call was interrupted.");
  const auto take = [&answer](Result<json> got) { answer = std::move(got); };
  interrupted = !CallSeries(runtime, tool, {std::move(arguments)}, std::move(before), take).run();
  return answer;
}

// --- leanbridge call

namespace {

Result<json> given_arguments(const mcp::Tool& tool, const Options& options) {
  auto given = mcp::arguments_from_words(tool, options.call.words);
  if (!given || !options.call.json) return given;
  json object = json::parse(*options.call.json, nullptr, false);
  if (!object.is_object())
    return fail(ErrorKind::InvalidArgument, "The value of --json is not a JSON object.",
                R"(Pass it as --json '{"file_path": "Foo.lean"}'.)");
  object.update(*given);
  return object;
}

}  // namespace

namespace {

std::string with_space(std::string sentence) {
  return sentence.empty() ? sentence : std::move(sentence) + " ";
}

}  // namespace

int call(const Options& options) {
  Runtime runtime(options);
  if (const auto selected = runtime.select_tools(); !selected) return usage(selected.error());
  const mcp::Tool* tool = runtime.tools().find(options.call.tool);
  if (!tool)
    return usage(Error(ErrorKind::InvalidArgument, "Unknown tool: " + options.call.tool + ".",
                       with_space(runtime.tools().meant_by(options.call.tool)) +
                           "Run `leanbridge tools` to list the tools."));
  auto given = given_arguments(*tool, options);
  if (!given) return usage(given.error());
  auto arguments = mcp::check_arguments(*tool, std::move(*given));
  if (!arguments) return usage(arguments.error());

  bool interrupted = false;
  const Result<json> answer = run_one(runtime, *tool, std::move(*arguments), interrupted);
  if (interrupted) return kInterrupted;
  print_json(answer ? *answer : json{{"error", error_json(answer.error())}});
  return answer ? 0 : kFailed;
}

// --- leanbridge tools

namespace {

std::string signature(const mcp::Tool& tool) {
  std::string text;
  for (const wire::Field* field : wire::members_of(tool.arguments))
    text += (text.empty() ? "" : " ") + std::string(field->name) + (field->required ? "" : "?");
  return text;
}

}  // namespace

int list_tools(const Options& options) {
  Runtime runtime(options);
  if (const auto selected = runtime.select_tools(); !selected) return usage(selected.error());
  if (options.as_json) {
    std::printf("%s\n", rpc::dump(runtime.tools().listing()).c_str());
    return 0;
  }
  std::vector<const mcp::Tool*> tools;
  for (const mcp::Tool& tool : runtime.tools().tools()) tools.push_back(&tool);
  std::stable_sort(tools.begin(), tools.end(),
                   [](const auto* a, const auto* b) { return a->group < b->group; });
  std::string group;
  for (const mcp::Tool* tool : tools) {
    if (tool->group != group) std::printf("%s%s\n", group.empty() ? "" : "\n", (group = tool->group).c_str());
    std::printf("  %-26s %s\n  %-26s %s%s\n", tool->name.c_str(), signature(*tool).c_str(), "",
                first_sentence(tool->description).c_str(), tool->listed ? "" : " (Not listed by default.)");
  }
  return 0;
}

}  // namespace leanbridge::app
