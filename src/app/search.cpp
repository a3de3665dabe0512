// leanbridge search: lean_theorem_search for people; leanbridge cache clear.

#include "leanbridge/text/utf8.hpp"

#include "commands.hpp"
#include "one_call.hpp"
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace leanbridge::app {

using nlohmann::json;

namespace {

constexpr int kInterrupted = 130;

// On one line, with what would act on a terminal left out.
std::string plain(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      if (!line.empty() && line.back() != ' ') line += ' ';
    } else {
      line += c;
    }
  }
  return line;
}

std::string member(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? plain(found->get<std::string>()) : std::string();
}

std::string joined(const json& list) {
  std::string text;
  for (const json& item : list) text += (text.empty() ? "" : ",") + item.get<std::string>();
  return text;
}

// `width` code points, with dots where something is left out.
std::string fitted(const std::string& text, std::size_t width) {
  const std::size_t points = text::count_code_points(text);
  if (points <= width) return text + std::string(width - points, ' ');
  return text.substr(0, text::byte_of_code_point(text, width - 1)) + "…";
}

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 100;
}

void print_table(const json& results) {
  const std::size_t width = std::max<std::size_t>(terminal_width(), 60);
  std::size_t name_width = 4, module_width = 6;
  for (const json& one : results) {
    name_width = std::max(name_width, text::count_code_points(member(one, "name")));
    module_width = std::max(module_width, text::count_code_points(member(one, "module")));
  }
  name_width = std::min(name_width, width * 2 / 5);
  module_width = std::min(module_width, width / 4);
  const std::size_t type_width = width - name_width - module_width - 9;
  for (const json& one : results) {
    std::printf("%s  %s  %s  %.2f\n", fitted(member(one, "name"), name_width).c_str(),
                fitted(member(one, "type"), type_width).c_str(),
                fitted(member(one, "module"), module_width).c_str(), one.value("confidence", 0.0));
    const std::string there =
        one.contains("in_environment")
            ? one["in_environment"].get<bool>() ? "; in the environment" : "; NOT in the environment"
            : "";
    std::printf("    %s%s\n", joined(one["sources"]).c_str(), there.c_str());
  }
}

void print_lines(const json& results) {
  for (const json& one : results)
    std::printf("%s\t%s\t%s\t%s\t%.3f\n", member(one, "name").c_str(), member(one, "type").c_str(),
                member(one, "module").c_str(), joined(one["sources"]).c_str(), one.value("confidence", 0.0));
}

// What did not answer, and who stood in for it.
void print_sources(const json& sources) {
  for (const json& report : sources) {
    const std::string error = member(report, "error");
    if (!error.empty() && report["status"] != "skipped")
      std::fprintf(stderr, "%s: %s: %s\n", member(report, "source").c_str(), member(report, "status").c_str(),
                   error.c_str());
  }
}

json arguments_of(const Options& options) {
  json given = {{"query", options.query}, {"limit", options.limit}};
  if (!options.sources.empty()) given["sources"] = options.sources;
  if (!options.verify_file.empty()) {
    given["verify"] = true;
    given["verify_in"] = options.verify_file;
  }
  return given;
}

int usage(const Error& error) {
  std::fprintf(stderr, "leanbridge: %s %s\n", error.message.c_str(), error.hint.c_str());
  return 2;
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
  bool interrupted = false;
  const Result<json> answer = run_one(runtime, *tool, std::move(*arguments), interrupted);
  if (interrupted) return kInterrupted;
  if (!answer) {
    std::fprintf(stderr, "leanbridge: %s %s\n", answer.error().message.c_str(), answer.error().hint.c_str());
    return answer.error().kind == ErrorKind::InvalidArgument ? 2 : 1;
  }
  const json& results = (*answer)["results"];
  const bool terminal = ::isatty(STDOUT_FILENO) != 0;
  if (options.as_json)
    std::printf("%s\n", answer->dump(terminal ? 2 : -1, ' ', false, json::error_handler_t::replace).c_str());
  else if (terminal)
    print_table(results);
  else
    print_lines(results);
  if (!options.as_json) print_sources((*answer)["sources"]);
  return results.empty() ? 1 : 0;
}

int cache_clear(const Options& options) {
  const auto file = search::cache_file(index::cache_folder(options.cache_folder));
  const auto removed = search::Cache::clear(file);
  if (!removed) {
    std::fprintf(stderr, "leanbridge: %s %s\n", removed.error().message.c_str(),
                 removed.error().hint.c_str());
    return 1;
  }
  std::printf("%zu answers removed from %s\n", *removed, file.c_str());
  return 0;
}

}  // namespace leanbridge::app
