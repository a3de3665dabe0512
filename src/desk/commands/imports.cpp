// leanbridge imports: lean_minimal_imports for people, file by file.

#include "commands.hpp"
#include "core/base/counted.hpp"
#include "core/base/json.hpp"
#include "core/program/output.hpp"
#include "desk/desk_options.hpp"

#include <algorithm>
#include <cstdio>

namespace leanbridge::app {

using nlohmann::json;

namespace {

constexpr double kImportsSeconds = 600;  // for each file

std::size_t count_of(const json& answer, const char* status) {
  const json& imports = answer["imports"];
  return static_cast<std::size_t>(std::ranges::count_if(
      imports, [&](const json& each) { return text_member(each, "status") == status; }));
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
void print_imports(const std::string& file, const json& answer, bool /*is_named*/) {
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
  const ImportsOptions& imports = options.of<ImportsOptions>();
  const json given = {{"write", imports.write},
                      {"timeout_s", options.timeout_given ? options.timeout_s : kImportsSeconds},
                      {"verbose", true}};
  return call_per_file(options, {"build", "lean_minimal_imports"}, imports.files, given, print_imports,
                       status_of);
}

}  // namespace leanbridge::app
