// leanbridge mcp serve-config: the host configuration that starts this program as it was started here.

#include "app/commands/output.hpp"
#include "commands.hpp"
#include "upstream_files.hpp"
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace leanbridge::app {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kName = "lean";  // as in the README

// Hosts start servers with an environment different from this shell's, so these go into the entry. None is
// secret.
constexpr const char* kVariables[] = {
    "LEAN_PROJECT_PATH",
    "LEANBRIDGE_TOOLS",
    "LEAN_MCP_DISABLED_TOOLS",
    "LEANBRIDGE_NO_CALLER_CODE",
    "LEANBRIDGE_OFFLINE",
    "LEAN_MCP_INSTRUCTIONS",
    "LEAN_MCP_TOOL_DESCRIPTIONS",
    "LEAN_LOG_LEVEL",
    "LEAN_BUILD_CONCURRENCY",
    "LEAN_MCP_PREWARM_FILES",
    "LEAN_MCP_SCRATCH_SLOTS",
    "LEAN_LOOGLE_LOCAL",
    "LEAN_LOOGLE_CACHE_DIR",
    "LEANBRIDGE_CACHE_DIR",
    "LEANBRIDGE_SHARED",
    "LEANBRIDGE_UPSTREAM",
    "LEANBRIDGE_SAVE_MEDIA",
    "LEANBRIDGE_MAX_SCRATCH_WORKERS",
    "LEANBRIDGE_MAX_WORKER_MEMORY",
};

// The host may start us in another directory, where a relative path would mean something else.
std::string absolute(const std::string& path) {
  std::error_code ignored;
  const fs::path whole = fs::absolute(path, ignored).lexically_normal();
  return whole.empty() ? path : whole.string();
}

bool names_path(const std::string& flag, const std::string& value) {
  for (const char* name : {"--project-root", "--lean-project-path", "--cache-dir", "--log-file",
                           "--save-media", "--config", "--loogle-cache-dir", "LEAN_PROJECT_PATH",
                           "LEANBRIDGE_CACHE_DIR", "LEANBRIDGE_SAVE_MEDIA", "LEAN_LOOGLE_CACHE_DIR"})
    if (flag == name) return true;
  if (flag == "--lake") return value.find('/') != std::string::npos;  // otherwise looked up on PATH
  const std::size_t first = value.find_first_not_of(" \t\r\n");
  return (flag == "--tool-descriptions" || flag == "LEAN_MCP_TOOL_DESCRIPTIONS") &&
         first != std::string::npos && value[first] != '{';
}

std::string value_of(const std::string& name, const std::string& value) {
  return names_path(name, value) ? absolute(value) : value;
}

json arguments(const Options& options) {
  json words = json::array();
  for (const auto& [flag, value] : options.flags) {
    words.push_back(flag);
    if (value) words.push_back(value_of(flag, *value));
  }
  if (!options.serve_args.empty()) words.push_back("--");
  for (const std::string& word : options.serve_args) words.push_back(word);
  return words;
}

json environment() {
  json variables = json::object();
  for (const char* name : kVariables)
    if (const auto value = upstream::environment_variable(name); value && !value->empty())
      variables[name] = value_of(name, *value);
  return variables;
}

std::string this_program() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? "leanbridge" : self.string();
}

json entry_for(HostFormat host, const std::string& program, const json& words, const json& variables) {
  json entry = json::object();
  if (host == HostFormat::OpenCode) {
    json command = json::array({program});
    for (const json& word : words) command.push_back(word);
    entry = {{"type", "local"}, {"command", std::move(command)}, {"enabled", true}};
    if (!variables.empty()) entry["environment"] = variables;
    return {{"mcp", {{kName, std::move(entry)}}}};
  }
  if (host == HostFormat::VsCode) entry["type"] = "stdio";
  entry["command"] = program;
  entry["args"] = words;
  if (!variables.empty()) entry["env"] = variables;
  return {{host == HostFormat::VsCode ? "servers" : "mcpServers", {{kName, std::move(entry)}}}};
}

const char* destination_for(HostFormat host) {
  switch (host) {
    case HostFormat::VsCode:
      return "Add this to .vscode/mcp.json in the project:";
    case HostFormat::OpenCode:
      return "Add this to opencode.json in the project:";
    case HostFormat::Claude:
      break;
  }
  return "Add this to .mcp.json in the project (Claude Code) or claude_desktop_config.json (Claude Desktop):";
}

}  // namespace

int mcp_serve_config(const Options& options) {
  const json config = entry_for(options.mcp.host, this_program(), arguments(options), environment());
  if (::isatty(STDERR_FILENO) != 0) std::fprintf(stderr, "%s\n", destination_for(options.mcp.host));
  std::printf("%s\n",
              config.dump(options.as_json ? -1 : 2, ' ', false, json::error_handler_t::replace).c_str());
  return 0;
}

}  // namespace leanbridge::app
