// leanbridge call, which takes the same path as a client's tools/call, and leanbridge tools.

#include "call.hpp"

#include "answer_text.hpp"
#include "core/base/ordered_json.hpp"
#include "core/base/try.hpp"
#include "core/program/help/help.hpp"
#include "interrupts.hpp"
#include "output.hpp"
#include "place_word.hpp"
#include "runtime.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <utility>

namespace leanbridge::app {

using nlohmann::json;

namespace {

/// Calls of one tool, one after another, with one Lean.
struct CallSeries {
  Runtime& runtime;
  const mcp::Tool& tool;
  std::vector<json> arguments;
  Preparation before;
  TakeAnswer take;
  std::shared_ptr<io::CancelSource> cancel = std::make_shared<io::CancelSource>();
  ProgressLine line{runtime.context()};
  std::shared_ptr<mcp::Call> call = nullptr;

  /// False if it was interrupted.
  bool run() {
    return run_work(runtime.context(), answer_all(), cancel, [this] { runtime.kill(); });
  }

  asio::awaitable<void> answer_all() {
    if (before) co_await before(cancel);
    io::spawn(runtime.context(), show_progress());
    for (json& each : arguments) {
      if (cancel->cancelled()) break;
      call = mcp::new_call(each, runtime.call_defaults());
      call->scope.cancel = cancel;
      auto answer = co_await mcp::run(&tool, call, std::move(each));
      line.clear();
      if (!cancel->cancelled()) take(std::move(answer));
    }
    cancel->cancel();  // also ends show_progress()
    co_await runtime.projects().stop(kStopGrace);
  }

  asio::awaitable<void> show_progress() {
    const io::CancelScope scope(io::kNoDeadline, cancel);
    while (co_await io::sleep_for(std::chrono::milliseconds(500), scope) != io::WaitStatus::Cancelled)
      if (call && call->progress)
        if (const auto progress = call->progress()) line.show(*progress);
  }
};

}  // namespace

bool run_calls(Runtime& runtime, const mcp::Tool& tool, std::vector<json> arguments, TakeAnswer take) {
  return CallSeries{runtime, tool, std::move(arguments), nullptr, std::move(take)}.run();
}

Result<json> run_one(Runtime& runtime, const mcp::Tool& tool, json arguments, bool& interrupted,
                     Preparation before) {
  Result<json> answer = fail(ErrorKind::Cancelled, "The call was interrupted.");
  const auto take = [&answer](Result<json> got) { answer = std::move(got); };
  interrupted = !CallSeries{runtime, tool, {std::move(arguments)}, std::move(before), take}.run();
  return answer;
}

// --- leanbridge call

namespace {

// Arguments that name files. People mean them relative to the current folder.
constexpr const char* kFileArguments[] = {"file_path", "files", "challenge_file"};

void make_absolute(json& path) {
  if (!path.is_string()) return;
  std::error_code ignored;
  const std::filesystem::path file = path.get<std::string>();
  if (file.is_relative() && std::filesystem::exists(file, ignored))
    path = std::filesystem::absolute(file, ignored).string();
}

bool has_argument(const mcp::Tool& tool, std::string_view name) {
  const auto arguments = wire::members_of(tool.arguments);
  return std::ranges::any_of(arguments, [&](const auto* each) { return each->name == name; });
}

// The arguments for which FILE:LINE:COLUMN stands.
Result<std::vector<std::string>> spelt_out(const mcp::Tool& tool, const std::vector<std::string>& words) {
  std::vector<std::string> all;
  for (const std::string& word : words) {
    // A file's name may have a `=`, too, but seldom behind letters alone.
    const std::size_t name_end = word.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
    const bool is_named = name_end != word.npos && word[name_end] == '=';
    if (is_named || word.starts_with('{') || !has_argument(tool, "file_path")) {
      all.push_back(word);
      continue;
    }
    const PlaceWord place = read_place_word(word);
    if (!place.fault.empty()) return fail(ErrorKind::InvalidArgument, place.fault);
    all.push_back("file_path=" + place.file);
    if (place.line) all.push_back("line=" + std::to_string(*place.line));
    if (place.column) all.push_back("column=" + std::to_string(*place.column));
  }
  return all;
}

Result<json> given_arguments(const mcp::Tool& tool, const Options& options) {
  TRY(const auto words, spelt_out(tool, options.call.words));
  TRY(json given, mcp::arguments_from_words(tool, words));
  if (options.call.json) {
    json object = json::parse(*options.call.json, nullptr, false);
    if (!object.is_object())
      return fail(ErrorKind::InvalidArgument,
                  "The value of --json is not a JSON object, or has a number that is too large.",
                  R"(Pass it as --json '{"file_path": "Foo.lean"}'.)");
    object.update(given);
    given = std::move(object);
  }
  return given;
}

std::string with_space(std::string sentence) {
  return sentence.empty() ? sentence : std::move(sentence) + " ";
}

}  // namespace

void resolve_files(Runtime& runtime, json& given) {
  const auto project = runtime.workspace().project("");
  std::error_code error;
  if (project && std::filesystem::equivalent((*project)->root(), std::filesystem::current_path(error), error))
    return;
  for (const char* name : kFileArguments) {
    if (!given.contains(name)) continue;
    if (given[name].is_array())
      for (json& each : given[name]) make_absolute(each);
    else
      make_absolute(given[name]);
  }
}

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
  resolve_files(runtime, *given);
  auto arguments = mcp::check_arguments(*tool, std::move(*given));
  if (!arguments) return usage(arguments.error());

  bool interrupted = false;
  const Result<json> answer = run_one(runtime, *tool, std::move(*arguments), interrupted);
  if (interrupted) return kInterrupted;
  const bool for_people = is_terminal(stdout);
  if (answer)
    std::fputs((for_people ? answer_text(*answer, tool->output, width_of(stdout), paint_for(stdout))
                           : wire::dump_in_order(*answer, tool->output) + "\n")
                   .c_str(),
               stdout);
  else
    for_people ? print_error(answer.error()) : print_json({{"error", error_json(answer.error())}});
  return answer ? 0 : kFailed;
}

// --- leanbridge goal, leanbridge try

namespace {

// A call of the tool with the place; `before` precedes each other word.
int call_at_place(Options options, const char* tool, const char* before) {
  if (!options.groups.empty()) options.groups.insert("proof");
  options.call.tool = tool;
  for (std::string& word : options.call.words) word.insert(0, before);
  options.call.words.insert(options.call.words.begin(), options.call.place);
  return call(options);
}

}  // namespace

int goal(const Options& options) {
  return call_at_place(options, "lean_goal", "");
}

int try_tactics(const Options& options) {
  return call_at_place(options, "lean_multi_attempt", "snippets=");
}

// --- leanbridge tools

namespace {

constexpr std::size_t kToolIndent = 6;

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
  const Paint paint = paint_for(stdout);
  const std::size_t width = width_of(stdout);
  std::vector<const mcp::Tool*> tools;
  for (const mcp::Tool& tool : runtime.tools().tools()) tools.push_back(&tool);
  std::ranges::stable_sort(tools, {}, &mcp::Tool::group);
  std::string group;
  for (const mcp::Tool* tool : tools) {
    if (tool->group != group)
      std::printf("%s%s\n", std::exchange(group, tool->group).empty() ? "" : "\n",
                  paint(Style::Heading, tool->group).c_str());
    const std::string about =
        first_sentence(tool->description) + (tool->listed ? "" : " (Not listed by default.)");
    if (!is_terminal(stdout)) {
      std::printf("  %-26s %s\n  %-26s %s\n", tool->name.c_str(), signature(*tool).c_str(), "",
                  about.c_str());
      continue;
    }
    std::printf("  %s\n%s%s", paint(Style::Name, tool->name).c_str(),
                wrapped_block(signature(*tool), width, kToolIndent).c_str(),
                wrapped_block(about, width, kToolIndent).c_str());
  }
  if (is_terminal(stdout))
    print_paragraph(stdout, "\nleanbridge help TOOL explains one, leanbridge call TOOL runs it.");
  return 0;
}

// --- leanbridge help TOOL

namespace {

// For shell completion: names, and arguments with their possible words.
json tools_json(const mcp::ToolRegistry& tools) {
  json all = json::array();
  for (const mcp::Tool& tool : tools.tools()) {
    json arguments = json::array();
    for (const wire::Field* field : wire::members_of(tool.arguments))
      arguments.push_back(
          {{"name", field->name},
           {"choices", field->type && field->type->choices ? json(field->type->choices()) : json::array()}});
    all.push_back({{"name", tool.name},
                   {"summary", first_sentence(tool.description)},
                   {"arguments", std::move(arguments)}});
  }
  return all;
}

}  // namespace

int help_with_tools(const Options& options) {
  Options all = options;
  all.groups = {"all"};
  Runtime runtime(all);
  if (const auto selected = runtime.select_tools(); !selected) return usage(selected.error());
  if (!options.help_tree.empty()) {
    json tree = json::parse(options.help_tree);
    tree["tools"] = tools_json(runtime.tools());
    std::printf("%s\n", tree.dump().c_str());
    return 0;
  }
  const mcp::Tool* tool = runtime.tools().find(options.call.tool);
  if (!tool)
    return usage(Error(ErrorKind::InvalidArgument,
                       "There is no command and no tool " + options.call.tool + ".",
                       with_space(runtime.tools().meant_by(options.call.tool)) +
                           "Run `leanbridge help` for the commands and `leanbridge tools` for the tools."));
  std::fputs(tool_help_text(*tool, HelpLayout::of(stdout)).c_str(), stdout);
  return 0;
}

}  // namespace leanbridge::app
