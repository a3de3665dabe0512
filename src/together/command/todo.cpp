// leanbridge todo: the open work of a project, for people.

#include "core/program/call.hpp"
#include "core/program/output.hpp"
#include "core/program/runtime.hpp"
#include <CLI/CLI.hpp>

#include <cstdio>

namespace leanbridge::app {

using nlohmann::json;

namespace {

void print_todo(const json& todo) {
  for (const json& item : todo["items"]) {
    std::string line = (item["ready"] == true ? "ready " : "waits ") + item["at"].get<std::string>() + " " +
                       item["declaration"].get<std::string>();
    if (item["state"] != "sorry") line += " (" + item["state"].get<std::string>() + ")";
    if (item.contains("goal")) line += ": " + item["goal"].get<std::string>();
    if (item.contains("held_by")) line += "  [" + item["held_by"].get<std::string>() + "]";
    std::printf("%s\n", one_line(line).c_str());
  }
  for (const json& each : todo["not_looked_at"])
    std::printf("not looked at: %s\n", one_line(each.get<std::string>()).c_str());
  std::printf("%s open, %s ready\n", todo["open"].dump().c_str(), todo["ready"].dump().c_str());
}

int todo(const Options& given) {
  Options options = given;
  options.groups.insert("together");
  options.disabled.clear();
  Runtime runtime(options);
  if (const auto selected = runtime.select_tools(); !selected) return usage(selected.error());
  const mcp::Tool* tool = runtime.tools().find("lean_todo");
  const auto arguments = mcp::check_arguments(*tool, {{"verbose", true}});
  if (!arguments) return usage(arguments.error());
  bool interrupted = false;
  const auto answer = run_one(runtime, *tool, *arguments, interrupted, nullptr);
  if (interrupted) return kInterrupted;
  if (!answer) return report(answer.error());
  if (options.as_json)
    print_json(*answer);
  else
    print_todo(*answer);
  return (*answer)["open"] == 0 && (*answer)["partial"] == false ? 0 : kFailed;
}

}  // namespace

void add_todo(CLI::App& app, Options& options) {
  CLI::App* command = app.add_subcommand("todo", "List what is left to prove, what is ready first");
  command->footer(
      "  leanbridge todo  each open place, its goal, and who holds it (docs/together.md)\n\n"
      "Exit status: 0 if nothing is open, 1 if something is or not everything was looked at, 2 for wrong "
      "usage, 130 if interrupted.");
  command->fallthrough();
  command->add_flag("--json", options.as_json, "Print the answer of lean_todo as JSON");
  command->callback([&options] { options.command = todo; });
}

}  // namespace leanbridge::app
