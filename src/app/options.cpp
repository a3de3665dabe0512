#include "options.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>

namespace leanbridge::app {

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  // Hosts leave `${NAME}` literal where the variable is not set.
  if (!value || std::string(value).starts_with("${")) return "";
  return value;
}

std::set<std::string> split(const std::string& list) {
  std::set<std::string> words;
  std::string word;
  for (const char c : list + ",") {
    if (c != ',' && c != ' ') {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::exchange(word, ""));
    }
  }
  return words;
}

}  // namespace

std::optional<int> read_options(int argc, char** argv, Options& options) {
  // What follows `--` belongs to `lake serve`, whatever it looks like.
  char** const end = argv + argc;
  char** const separator = std::find(argv, end, std::string("--"));
  if (separator != end) options.serve_args.assign(separator + 1, end);

  CLI::App app{"An MCP server over stdio that gives AI agents a live Lean 4 proof session.", "leanbridge"};
  app.set_version_flag("--version", "leanbridge " LEANBRIDGE_VERSION);
  std::string tools = environment("LEANBRIDGE_TOOLS"), disabled = environment("LEAN_MCP_DISABLED_TOOLS");
  options.project_root = environment("LEAN_PROJECT_PATH");
  options.instructions = environment("LEAN_MCP_INSTRUCTIONS");
  if (const std::string level = environment("LEAN_LOG_LEVEL"); !level.empty()) options.log_level = level;
  app.add_option("--project-root", options.project_root,
                 "Serve only files of this Lean project (default: LEAN_PROJECT_PATH, else the project around "
                 "each file)")
      ->check(CLI::ExistingDirectory);
  app.add_option("--lake", options.lake, "The lake program (default: lake on PATH, else ~/.elan/bin/lake)");
  app.add_option("--tools", tools, "Groups of tools: proof,query,build,search,corpus,server");
  app.add_option("--disable", disabled, "Tools to leave out, by name");
  app.add_option("--timeout", options.timeout_s, "Seconds a call waits at most where it does not say")
      ->check(CLI::Range(0.1, 86400.0));
  app.add_option("--log-level", options.log_level, "debug, info, warning, error or off")
      ->check(CLI::IsMember({"trace", "debug", "info", "warning", "error", "off"}, CLI::ignore_case));
  app.add_option("--log-file", options.log_file, "Log to this file instead of stderr");
  app.footer("Arguments after -- are passed on to `lake serve --`.");
  try {
    app.parse(static_cast<int>(separator - argv), argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? 0 : 2;
  }
  if (!tools.empty()) options.groups = split(tools);
  options.disabled = split(disabled);
  return std::nullopt;
}

}  // namespace leanbridge::app
