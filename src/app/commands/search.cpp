// leanbridge search, which is lean_theorem_search for people; leanbridge cache clear.

#include "leanbridge/base/json.hpp"

#include "app/runtime.hpp"
#include "commands.hpp"
#include "output.hpp"
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace leanbridge::app {

using nlohmann::json;

namespace {

std::string joined(const json& list) {
  std::string text;
  for (const json& item : list) text += (text.empty() ? "" : ",") + item.get<std::string>();
  return text;
}

std::string rounded(double confidence, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, confidence);
  return text;
}

// On a terminal, the line below a result names its sources and, if verified, whether Lean knows it.
void print_results(const json& results, bool terminal) {
  using Columns = std::vector<Table::Column>;
  Table table(terminal ? Columns{{"", 40}, {"", 0, true}, {"", 25}, {""}} : Columns(5));
  for (const json& one : results) {
    const std::string sources = joined(one["sources"]);
    std::vector<std::string> texts = {text_member(one, "name"), text_member(one, "type"),
                                      text_member(one, "module")};
    if (!terminal) texts.push_back(sources);
    texts.push_back(rounded(one.value("confidence", 0.0), terminal ? 2 : 3));
    const std::string there =
        one.contains("in_environment")
            ? one["in_environment"].get<bool>() ? "; in the environment" : "; NOT in the environment"
            : "";
    table.add(std::move(texts), sources + there);
  }
  table.print();
}

// Prints the sources that failed.
void print_sources(const json& sources) {
  for (const json& report : sources) {
    const std::string error = text_member(report, "error");
    if (!error.empty() && report["status"] != "skipped")
      std::fprintf(
          stderr, "%s\n",
          one_line(text_member(report, "source") + ": " + text_member(report, "status") + ": " + error)
              .c_str());
  }
}

json arguments_of(const Options& options) {
  json given = {{"query", options.query.text}, {"limit", options.query.limit}, {"verbose", true}};
  if (!options.query.sources.empty()) given["sources"] = options.query.sources;
  if (!options.query.verify_file.empty()) {
    given["verify"] = true;
    given["verify_in"] = options.query.verify_file;
  }
  return given;
}

}  // namespace

int search(const Options& options) {
  Options with_search = options;
  with_search.groups.insert("search");
  with_search.disabled.clear();
  Runtime runtime(with_search);
  if (const auto selected = runtime.select_tools(); !selected) return usage(selected.error());
  const mcp::Tool* tool = runtime.tools().find("lean_theorem_search");
  auto arguments = mcp::check_arguments(*tool, arguments_of(options));
  if (!arguments) return usage(arguments.error());
  // A session answers with what the index has so far and says so. On the command line, wait for the whole
  // index.
  const bool asks_index = options.query.sources.empty() ||
                          std::find(options.query.sources.begin(), options.query.sources.end(), "local") !=
                              options.query.sources.end();
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
  if (options.as_json)
    print_json(*answer);
  else
    print_results(results, ::isatty(STDOUT_FILENO) != 0);
  if (!options.as_json) print_sources((*answer)["sources"]);
  return results.empty() ? 1 : 0;
}

int cache_clear(const Options& options) {
  const auto file = search::cache_file(index::cache_folder(options.cache_folder));
  const auto removed = search::Cache::clear(file);
  if (!removed) {
    print_error(removed.error());
    return kFailed;
  }
  std::printf("Removed %zu cached answers from %s\n", *removed, file.c_str());
  return 0;
}

}  // namespace leanbridge::app
