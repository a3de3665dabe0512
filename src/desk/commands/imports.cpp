// leanbridge imports: lean_minimal_imports for people, file by file.

#include "commands.hpp"
#include "core/base/counted.hpp"
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

constexpr double kImportsSeconds = 600;  // for each file

std::size_t count_of(const json& answer, const char* status) {
  const json& imports = answer["imports"];
  return static_cast<std::size_t>(std::count_if(imports.begin(), imports.end(), [&](const json& each) {
    return text_member(each, "status") == status;
  }));
}

std::string summary_of(const json& answer) {
  const std::string reason = text_member(answer, "reason");
  if (answer["imports"].empty()) return reason.empty() ? "it has no imports" : reason;
  const std::size_t unneeded = count_of(answer, "unneeded"), missing = count_of(answer, "missing");
  const std::size_t unknown = count_of(answer, "unknown"), importers = answer.value("importers", 0U);
  std::string line = counted(unneeded, "import is", "imports are") + " not needed";
  if (missing > 0) line += ", " + counted(missing, "is", "are") + " missing";
  if (unknown > 0) line += ", " + std::to_string(unknown) + " not decided";
  if (answer.value("written", false)) return line + "; written";
  if (!reason.empty()) return line + "; not written: " + reason;
  if (unneeded + missing == 0 || importers == 0) return line;
  return line + " (" + counted(importers, "file imports", "files import") +
         " this one; --write compiles that first)";
}

// Prints "Foo.lean:2: import A.B is not needed", one line per import; then the counts.
void print_imports(const std::string& file, const json& answer) {
  const auto print = [&](const std::string& place, const std::string& text) {
    print_paragraph(stdout, one_line(text), one_line(place) + ": ");
  };
  const auto at = [&](const json& each) { return file + ":" + std::to_string(each.value("line", 1)); };
  for (const json& each : answer["imports"]) {
    const std::string status = text_member(each, "status"), reason = text_member(each, "reason");
    const char* const what = status == "unneeded"  ? " is not needed"
                             : status == "missing" ? " is missing"
                             : status == "needed"  ? " is needed"
                                                   : " may be needed";
    print(at(each), "import " + text_member(each, "module") + what + (reason.empty() ? "" : ": " + reason));
  }
  for (const json& each : answer.value("respelt", json::array()))
    print(at(each), text_member(each, "old_text") + " would be " + text_member(each, "new_text"));
  print(file, summary_of(answer));
}

int status_of(const json& answer) {
  if (count_of(answer, "unknown") > 0) return kUndecided;
  const bool is_open = count_of(answer, "unneeded") + count_of(answer, "missing") > 0;
  return is_open && !answer.value("written", false) ? kFailed : 0;
}

}  // namespace

int imports(const Options& options) {
  const std::vector<std::string>& files = options.of<ImportsOptions>().files;
  Options with_build = options;
  with_build.groups.insert("build");
  with_build.disabled.clear();
  Runtime runtime(with_build);
  if (const auto selected = runtime.select_tools(); !selected) return usage(selected.error());
  const mcp::Tool* tool = runtime.tools().find("lean_minimal_imports");
  std::vector<json> calls;
  for (const std::string& file : files) {
    json given = {{"file_path", file},
                  {"write", options.of<ImportsOptions>().write},
                  {"timeout_s", options.timeout_given ? options.timeout_s : kImportsSeconds},
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
      print_imports(file, *answer);
    }
    status = std::max(status, status_of(*answer));
  });
  return whole ? status : kInterrupted;
}

}  // namespace leanbridge::app
