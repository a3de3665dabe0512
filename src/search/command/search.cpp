// leanbridge search: lean_theorem_search for people.

#include "commands.hpp"
#include "core/base/joined.hpp"
#include "core/base/json.hpp"
#include "core/program/call.hpp"
#include "core/program/documents.hpp"
#include "core/program/output.hpp"
#include "core/program/runtime.hpp"
#include "search/command/search_options.hpp"
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>

namespace leanbridge::app {

using nlohmann::json;

namespace {

std::string joined(const json& list, const char* between) {
  return leanbridge::joined(list.get<std::vector<std::string>>(), between);
}

std::string confidence_of(const json& result) {
  return fmt::format("{:.3f}", result.value("confidence", 0.0));
}

// Prints for programs: one line per result, with tabs between the fields.
void print_rows(const json& results) {
  Table table(std::vector<Table::Column>(5));
  for (const json& one : results)
    table.add({text_member(one, "name"), text_member(one, "type"), text_member(one, "module"),
               joined(one["sources"], ","), confidence_of(one)});
  table.print();
}

// Prints for people: name, module and whole type of as many, the best, as fit with a line about the others.
void print_results(const json& results, std::size_t rows) {
  constexpr std::size_t kIndent = 4;
  const Paint paint = paint_for(stdout);
  const std::size_t width = width_of(stdout);
  std::size_t used = 0, printed = 0;
  for (const json& one : results) {
    const std::string name = one_line(text_member(one, "name")),
                      module = one_line(text_member(one, "module"));
    std::string note = module;
    if (one["sources"] != json::array({"local"})) note += "  " + one_line(joined(one["sources"], ", "));
    const bool is_beside = cells_of(name) + 2 + cells_of(note) <= width;
    std::string line = paint(Style::Name, name);
    if (!note.empty()) line += (is_beside ? "  " : "\n  ") + paint(Style::Faint, note);
    if (one.contains("in_environment"))
      line += one["in_environment"].get<bool>() ? "  " + paint(Style::Ok, "available")
                                                : "  " + paint(Style::Warning, "not available in the file");
    line += "\n" + wrapped_block(one_line(text_member(one, "type")), width, kIndent);
    used += static_cast<std::size_t>(std::ranges::count(line, '\n'));
    if (used + (printed + 1 < results.size() ? 1 : 0) > rows && printed > 0) break;
    std::fputs(line.c_str(), stdout);
    ++printed;
  }
  if (printed < results.size())
    print_paragraph(
        stdout, fmt::format("{} more: --limit {} shows them all.", results.size() - printed, results.size()));
}

// "Nothing accepts connections at its address." for "Loogle: Nothing accepts connections at loogle.org:443.":
// without the internet, the reasons of services differ in no more than that.
std::string without_address(std::string error) {
  for (std::size_t colon = error.find(':'); colon != error.npos; colon = error.find(':', colon + 1)) {
    const std::size_t end = std::min(error.find_first_not_of("0123456789", colon + 1), error.size());
    const bool is_whole = end == error.size() || std::string_view(" ,.").find(error[end]) != error.npos;
    if (end == colon + 1 || !is_whole) continue;
    const std::size_t begin = error.rfind(' ', colon) + 1, title = error.find(": ");
    error.replace(begin, end - begin, "its address");
    return title < begin ? error.substr(title + 2) : error;
  }
  return error;
}

// The lines of reasons_in() for stderr.
std::vector<std::string> lines_about(const json& sources) {
  const std::size_t width = is_terminal(stderr) ? width_of(stderr) : std::string::npos;
  std::vector<std::string> lines;
  for (const std::string& reason : reasons_in(sources))
    for (std::string& line : wrapped(with_documents(one_line(reason)), width))
      lines.push_back(paint_for(stderr)(Style::Faint, line));
  return lines;
}

json arguments_of(const Options& options) {
  json given = {{"query", options.of<QueryOptions>().text},
                {"limit", options.of<QueryOptions>().limit},
                {"verbose", true}};
  if (!options.of<QueryOptions>().sources.empty()) given["sources"] = options.of<QueryOptions>().sources;
  if (!options.of<QueryOptions>().verify_file.empty()) {
    given["verify"] = true;
    given["verify_in"] = options.of<QueryOptions>().verify_file;
  }
  return given;
}

}  // namespace

std::vector<std::string> reasons_in(const json& sources) {
  std::map<std::string, std::pair<std::vector<std::string>, std::string>> reasons;  // by what is common
  for (const json& report : sources) {
    const std::string error = text_member(report, "error"), source = text_member(report, "source");
    if (error.empty() || report["status"] == "skipped") continue;
    const std::string status = text_member(report, "status") + ": ";
    auto& [having, whole] = reasons[status + without_address(error)];
    whole = status + error;
    if (std::ranges::find(having, source) == having.end()) having.push_back(source);
  }
  std::vector<std::string> lines;
  for (const auto& [common, reason] : reasons) {
    const auto& [having, whole] = reason;
    lines.push_back(leanbridge::joined(having) + ": " + (having.size() > 1 ? common : whole));
  }
  return lines;
}

int search(const Options& options) {
  Options with_search = options;
  if (with_search.log_level == "warning") with_search.log_level = "error";  // the end says what failed
  with_search.groups.insert("search");
  with_search.disabled.clear();
  Runtime runtime(with_search);
  if (const auto selected = runtime.select_tools(); !selected) return usage(selected.error());
  const mcp::Tool* tool = runtime.tools().find("lean_theorem_search");
  auto arguments = mcp::check_arguments(*tool, arguments_of(options));
  if (!arguments) return usage(arguments.error());
  // In a session, the answer has the results so far; on the command line, wait for the whole index.
  const bool asks_index = options.of<QueryOptions>().sources.empty() ||
                          std::ranges::find(options.of<QueryOptions>().sources, "local") !=
                              options.of<QueryOptions>().sources.end();
  Preparation before;
  if (asks_index)
    before = [&runtime](std::shared_ptr<io::CancelSource> cancel) {
      return complete_index(runtime, std::move(cancel));
    };
  bool interrupted = false;
  const Result<json> answer = run_one(runtime, *tool, std::move(*arguments), interrupted, std::move(before));
  if (interrupted) return kInterrupted;
  if (!answer) return report(answer.error());
  const json& results = (*answer)["results"];
  const auto notes = options.as_json ? std::vector<std::string>() : lines_about((*answer)["sources"]);
  const std::size_t height = options.of<QueryOptions>().limit_given ? 0 : height_of(stdout);
  const std::size_t rows = height - std::min(height, notes.size() + 2);  // below the prompt, above the next
  if (options.as_json)
    print_json(*answer);
  else
    is_terminal(stdout) ? print_results(results, height == 0 ? std::string::npos : rows)
                        : print_rows(results);
  std::fflush(stdout);
  if (!options.as_json && results.empty())
    print_paragraph(stderr,
                    "Nothing was found. Try a name, other words, or a statement such as \"a + b = b + a\".");
  for (const std::string& line : notes) std::fprintf(stderr, "%s\n", line.c_str());
  return results.empty() ? 1 : 0;
}

}  // namespace leanbridge::app
