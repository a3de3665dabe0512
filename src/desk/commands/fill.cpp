// leanbridge fill: lean_fill for people, file by file.

#include "commands.hpp"
#include "core/base/json.hpp"
#include "core/program/call.hpp"
#include "core/program/output.hpp"
#include "core/program/runtime.hpp"
#include "desk/desk_options.hpp"

#include <algorithm>
#include <cstdio>

namespace leanbridge::app {

using nlohmann::json;

namespace {

// Prints "Foo.lean:5:3 foo: closed by simp", one line per place; then the counts.
void print_filled(const std::string& file, const json& answer) {
  for (const json& place : answer["places"]) {
    std::string what = "left";
    if (const std::string tactic = text_member(place, "closed_by"); !tactic.empty())
      what = "closed by " + tactic;
    else if (const std::string values = text_member(place, "refuted"); !values.empty())
      what = values == "false" ? values : "false for " + values;
    else if (const std::string reason = text_member(place, "reason"); !reason.empty())
      what = "left: " + reason;
    const std::string name = text_member(place, "declaration");
    std::printf("%s:%d:%d %s%s%s\n", file.c_str(), place.value("line", 1), place.value("column", 1),
                name.c_str(), name.empty() ? "" : ": ", one_line(what).c_str());
  }
  std::printf("%s: %d closed, %d left (%d false)%s\n", file.c_str(), answer.value("closed", 0),
              answer.value("left", 0), answer.value("refuted", 0),
              answer.value("written", false) ? ", written" : "");
}

}  // namespace

int fill(const Options& options) {
  const std::vector<std::string>& files = options.of<FillOptions>().files;
  Options with_proof = options;
  with_proof.groups.insert("proof");
  with_proof.disabled.clear();
  Runtime runtime(with_proof);
  if (const auto selected = runtime.select_tools(); !selected) return usage(selected.error());
  const mcp::Tool* tool = runtime.tools().find("lean_fill");
  std::vector<json> calls;
  for (const std::string& file : files) {
    json given = {{"file_path", file},
                  {"budget_s", options.of<FillOptions>().budget_s},
                  {"write", options.of<FillOptions>().write},
                  {"verbose", true}};
    resolve_files(runtime, given);
    auto arguments = mcp::check_arguments(*tool, std::move(given));
    if (!arguments) return usage(arguments.error());
    calls.push_back(std::move(*arguments));
  }
  int status = 0;
  std::size_t done = 0;
  const bool whole = run_calls(runtime, *tool, std::move(calls), [&](Result<json> answer) {
    const std::string& file = files[done++];
    if (!answer) {
      status = std::max(status, report(answer.error()));
      return;
    }
    if (options.as_json) {
      (*answer)["file_path"] = file;
      print_json(*answer);
    } else {
      print_filled(file, *answer);
    }
    if (answer->value("left", 0) > 0) status = std::max(status, kFailed);
  });
  return whole ? status : kInterrupted;
}

}  // namespace leanbridge::app
