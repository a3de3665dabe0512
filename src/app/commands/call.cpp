// leanbridge call and leanbridge tools: one tool, the same way as a client's tools/call goes; and which there
// are.

#include "app/runtime.hpp"
#include "commands.hpp"
#include "one_call.hpp"
#include "output.hpp"

#include <algorithm>
#include <cstdio>

namespace leanbridge::app {

using nlohmann::json;

namespace {

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

  bool interrupted = false;
  const Result<json> answer = run_one(runtime, *tool, std::move(*arguments), interrupted);
  if (interrupted) return kInterrupted;
  print_json(answer ? *answer : json{{"error", error_json(answer.error())}});
  return answer ? 0 : kFailed;
}

// --- leanbridge tools.

namespace {

std::string signature(const mcp::Tool& tool) {
  std::string text;
  for (const wire::Field* field : wire::members_of(tool.arguments))
    text += (text.empty() ? "" : " ") + field->name + (field->required ? "" : "?");
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
    std::printf("  %-26s %s\n  %-26s %s\n", tool->name.c_str(), signature(*tool).c_str(), "",
                first_sentence(tool->description).c_str());
  }
  return 0;
}

}  // namespace leanbridge::app
