// leanbridge mcp serve-config: prints the host configuration that starts this program as it was started here.

#include "desk/hosts/serve_config.hpp"

#include "core/base/files.hpp"
#include "core/base/try.hpp"
#include "core/platform/program.hpp"
#include "core/program/output.hpp"
#include "core/program/runtime.hpp"
#include "desk/desk_options.hpp"
#include "gateway/upstream/config.hpp"
#include "hosts.hpp"
#include "windows_side.hpp"
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace leanbridge::app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// Hosts start servers with another environment than this shell's, so these go into the entry. None is secret.
constexpr const char* kVariables[] = {
    "LEAN_PROJECT_PATH",           "LEANBRIDGE_TOOLS",       "LEAN_MCP_DISABLED_TOOLS",
    "LEANBRIDGE_NO_CALLER_CODE",   "LEANBRIDGE_OFFLINE",     "LEAN_MCP_INSTRUCTIONS",
    "LEAN_MCP_TOOL_DESCRIPTIONS",  "LEAN_LOG_LEVEL",         "LEAN_BUILD_CONCURRENCY",
    "LEAN_MCP_PREWARM_FILES",      "LEAN_MCP_SCRATCH_SLOTS", "LEAN_LOOGLE_LOCAL",
    "LEAN_LOOGLE_CACHE_DIR",       "LEANBRIDGE_CACHE_DIR",   "LEANBRIDGE_SHARED",
    "LEANBRIDGE_UPSTREAM",         "LEANBRIDGE_SAVE_MEDIA",  "LEANBRIDGE_MAX_SCRATCH_WORKERS",
    "LEANBRIDGE_MAX_WORKER_MEMORY"};

bool names_path(const std::string& flag, const std::string& value) {
  for (const char* name : {"--project-root", "--lean-project-path", "--cache-dir", "--log-file",
                           "--save-media", "--config", "--loogle-cache-dir", "LEAN_PROJECT_PATH",
                           "LEANBRIDGE_CACHE_DIR", "LEANBRIDGE_SAVE_MEDIA", "LEAN_LOOGLE_CACHE_DIR"})
    if (flag == name) return true;
  if (flag == "--lake") return value.find('/') != std::string::npos;  // otherwise it is looked up on PATH
  const std::size_t first = value.find_first_not_of(" \t\r\n");
  return (flag == "--tool-descriptions" || flag == "LEAN_MCP_TOOL_DESCRIPTIONS") &&
         first != std::string::npos && value[first] != '{';
}

// The host may start the program in another directory, where a relative path would mean something else.
std::string value_of(const std::string& name, const std::string& value) {
  return names_path(name, value) ? absolute_path(value).string() : value;
}

std::vector<std::string> arguments(const Options& options) {
  std::vector<std::string> words;
  for (const auto& [flag, value] : options.flags) {
    words.push_back(flag);
    if (value) words.push_back(value_of(flag, *value));
  }
  if (!options.serve_args.empty()) words.emplace_back("--");
  for (const std::string& word : options.serve_args) words.push_back(word);
  return words;
}

json environment() {
  json variables = json::object();
  for (const char* name : kVariables)
    if (const auto value = environment_variable(name); value && !value->empty())
      variables[name] = value_of(name, *value);
  return variables;
}

constexpr const char* kEntryName = "lean";  // as in the README

std::string one_line_of(const hosts::Host& host, const json& entry) {
  const json whole = {{std::string(host.servers), {{kEntryName, entry}}}};
  return whole.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

Result<hosts::Launch> launch_as_here(const Options& options) {
  TRY_DONE(Runtime(options).select_tools());  // the host's server would end with the same error
  const fs::path program = platform::program_path();
  TRY(hosts::Launch launch,
      hosts::launch_of(program.empty() ? "leanbridge" : program.string(), LEANBRIDGE_PUBLISHED));
  for (std::string& word : arguments(options)) launch.args.push_back(std::move(word));
  launch.env = environment();
  return launch;
}

int mcp_serve_config(const Options& options) {
  const hosts::Host& host = *hosts::find_host(options.of<SetupOptions>().printed_host);
  if (options.as_json && host.format == hosts::ConfigFormat::Toml)
    return usage(Error(ErrorKind::InvalidArgument, std::string(host.title) + " reads TOML, not JSON.",
                       "Leave out --json."));
  auto launch = launch_as_here(options);
  if (!launch) return report(launch.error());
  const json entry = hosts::entry_for(host, hosts::as_started_by(host, std::move(*launch)), json());
  if (is_terminal(stderr)) {
    const auto found = hosts::find_user_file(host);
    const std::string file = found ? found->path.string() : hosts::kFileOnWindows;
    print_paragraph(stderr, "Add this to " + file +
                                (host.project_file.empty() ? "" : ", or in the project to ") +
                                std::string(host.project_file) + " (or let `leanbridge setup --host " +
                                std::string(host.word) + "` do it):");
  }
  const std::string text =
      options.as_json ? one_line_of(host, entry) : hosts::file_text(host, kEntryName, entry);
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace leanbridge::app
