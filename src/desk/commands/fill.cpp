// leanbridge fill: lean_fill for people, file by file.

#include "check/command/inputs.hpp"
#include "commands.hpp"
#include "core/base/json.hpp"
#include "core/program/call.hpp"
#include "core/program/output.hpp"
#include "core/program/runtime.hpp"
#include "desk/desk_options.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace leanbridge::app {

using nlohmann::json;

namespace {

// Prints "Foo.lean:5:3 foo: closed by simp", one line per place; then the counts.
void print_filled(const std::string& file, const json& answer, bool is_named) {
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
  const int closed = answer.value("closed", 0), left = answer.value("left", 0);
  if (closed + left > 0 || is_named)  // most files of a folder have nothing to fill
    std::printf("%s: %d closed, %d left (%d false)%s\n", file.c_str(), closed, left,
                answer.value("refuted", 0), answer.value("written", false) ? ", written" : "");
}

}  // namespace

Error said_once(std::map<std::string, std::string>& said, const std::string& file, Error error) {
  const std::string name = std::filesystem::path(file).filename();
  const std::size_t at = error.message.find(name);  // the fault is what follows
  if (error.kind == ErrorKind::FileNotFound || at == std::string::npos) return error;
  const auto [first, is_new] = said.emplace(error.message.substr(at + name.size()), file);
  return is_new ? error : Error(error.kind, file + ": as " + first->second + ".");
}

int fill(const Options& options) {
  const FillOptions& fill = options.of<FillOptions>();
  const json given = {{"budget_s", fill.budget_s}, {"write", fill.write}, {"verbose", true}};
  return call_per_file(options, {"proof", "lean_fill"}, fill.files, given, print_filled,
                       [](const json& answer) { return answer.value("left", 0) > 0 ? kFailed : 0; });
}

int call_per_file(Options options, const ToolOfGroup& called, const std::vector<std::string>& named,
                  const json& given,
                  void (*print)(const std::string& file, const json& answer, bool is_named),
                  int (*status_of)(const json& answer)) {
  std::vector<std::string> files;
  for (const std::string& name : named) {
    auto found = lean_files_of(name);
    if (!found) return usage(found.error());
    files.insert(files.end(), found->begin(), found->end());
  }
  options.groups.insert(called.group);
  options.disabled.clear();
  Runtime runtime(options);
  if (const auto selected = runtime.select_tools(); !selected) return usage(selected.error());
  const mcp::Tool* tool = runtime.tools().find(called.name);
  std::vector<json> calls;
  for (const std::string& file : files) {
    json whole = given;
    whole["file_path"] = file;
    resolve_files(runtime, whole);
    auto arguments = mcp::check_arguments(*tool, std::move(whole));
    if (!arguments) return usage(arguments.error());
    calls.push_back(std::move(*arguments));
  }
  int status = 0;
  std::size_t done = 0;
  std::map<std::string, std::string> said;
  const bool whole = run_calls(runtime, *tool, std::move(calls), [&](Result<json> answer) {
    const std::string& file = files[done++];
    if (!answer) {  // the command's words were right: what is wrong is in the file
      print_error(said_once(said, file, std::move(answer.error())));
      status = std::max(status, kFailed);
      return;
    }
    if (options.as_json) {
      (*answer)["file_path"] = file;
      print_json(*answer);
    } else {
      print(file, *answer, std::ranges::find(named, file) != named.end());
    }
    status = std::max(status, status_of(*answer));
  });
  return whole ? status : kInterrupted;
}

}  // namespace leanbridge::app
