#include "hosts.hpp"

#include "core/base/files.hpp"
#include "core/base/json.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace leanbridge::app::hosts {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// The time limit of a call, for slow files and builds: some hosts give up after half a minute.
constexpr int kCallSeconds = 600;

constexpr auto kHosts = std::to_array<Host>({
    {"claude-code", "Claude Code", EntryForm::CommandAndArgs, ConfigFormat::Json, "mcpServers",
     "CLAUDE_CONFIG_DIR", "", ".claude.json", ".mcp.json", "", ".claude.json",
     "Start Claude Code again; for a project's file it asks once whether to use the server."},
    {"claude-desktop", "Claude Desktop", EntryForm::CommandAndArgs, ConfigFormat::Json, "mcpServers",
     "XDG_CONFIG_HOME", ".config", "Claude/claude_desktop_config.json", "", "", "Claude",
     "Quit Claude Desktop and start it again.", true},
    {"codex", "Codex", EntryForm::Codex, ConfigFormat::Toml, "mcp_servers", "CODEX_HOME", ".codex",
     "config.toml", ".codex/config.toml", "", "",
     "Start Codex again; it reads a project's file once the project is trusted."},
    {"gemini", "Gemini CLI", EntryForm::CommandAndArgs, ConfigFormat::JsonWithComments, "mcpServers", "",
     ".gemini", "settings.json", ".gemini/settings.json", "", "", "Start Gemini CLI again."},
    {"cursor", "Cursor", EntryForm::CommandAndArgs, ConfigFormat::JsonWithComments, "mcpServers", "",
     ".cursor", "mcp.json", ".cursor/mcp.json", "${workspaceFolder}", "",
     "Enable the server in Cursor's settings, under MCP."},
    {"vscode", "VS Code", EntryForm::TypedStdio, ConfigFormat::JsonWithComments, "servers", "XDG_CONFIG_HOME",
     ".config", "Code/User/mcp.json", ".vscode/mcp.json", "${workspaceFolder}", "Code",
     "Run the command `MCP: List Servers` in VS Code and start the server.", true},
    {"zed", "Zed", EntryForm::CommandAndArgs, ConfigFormat::JsonWithComments, "context_servers",
     "XDG_CONFIG_HOME", ".config", "zed/settings.json", ".zed/settings.json", "", "zed",
     "Zed starts the server by itself."},
    {"opencode", "OpenCode", EntryForm::OpenCode, ConfigFormat::JsonWithComments, "mcp", "XDG_CONFIG_HOME",
     ".config", "opencode/opencode.json", "opencode.json", "", "opencode", "Start OpenCode again."},
});

// The folder of the user's file; empty without a home folder. Only on macOS has a home folder that of
// application support, and there Electron heeds no XDG_CONFIG_HOME.
fs::path folder_of(const Host& host, const EnvironmentLookup& environment) {
  const auto home = environment("HOME");
  if (host.in_application_support && home && !home->empty()) {
    std::error_code ignored;
    fs::path folder = fs::path(*home) / "Library" / "Application Support";
    if (fs::is_directory(folder, ignored)) return folder;
  }
  if (!host.folder_variable.empty())
    if (const auto folder = environment(std::string(host.folder_variable));
        folder && fs::path(*folder).is_absolute())
      return *folder;
  if (!home || home->empty()) return {};
  return fs::path(*home) / host.folder;
}

// The last component of a path, here or on Windows, without the version suffixes of uvx, npx and docker:
// leanbridge@0.2.0, leanbridge==0.2.0, leanbridge:latest.
std::string program_in(const std::string& word) {
  const std::string name = word.substr(word.find_last_of("/\\") + 1);
  return name.substr(0, name.find_first_of("@=:"));
}

// Programs that start another program, named in their arguments.
constexpr std::string_view kLaunchers[] = {"uvx",  "uv",   "pipx",   "python", "python3", "npx", "bunx",
                                           "pnpm", "node", "docker", "podman", "env",     "wsl", "wsl.exe"};
// The program may follow this word; what follows another option may be its value.
bool is_before_program(const std::string& launcher, const std::string& word) {
  return word == "-m" || word == "--" || word == "--exec" || (word == "-e" && launcher.starts_with("wsl"));
}

Job job_named(const std::string& program) {
  if (program == "leanbridge") return Job::Leanbridge;
  return program == "lean-lsp-mcp" || program == "lean_lsp_mcp" ? Job::LeanLspMcp : Job::Other;
}

// Whether a file of OpenCode has the format of version 2, which also reads version 1's.
bool is_second_form(const Host& host, const json& document) {
  const json& servers = member(member(document, "mcp"), "servers");
  return host.form == EntryForm::OpenCode && servers.is_object() && !servers.contains("command");
}

bool flag_in(const json& entry, const char* name, bool without) {
  const auto found = entry.find(name);
  return found != entry.end() && found->is_boolean() ? found->get<bool>() : without;
}

}  // namespace

std::span<const Host> all_hosts() {
  return kHosts;
}

const Host* find_host(std::string_view word) {
  if (word == "claude") word = "claude-code";
  const auto* const found = std::ranges::find(kHosts, word, &Host::word);
  return found == kHosts.end() ? nullptr : found;
}

std::vector<std::string> host_words() {
  std::vector<std::string> words;
  words.reserve(kHosts.size());
  for (const Host& host : kHosts) words.emplace_back(host.word);
  return words;
}

fs::path config_file(const Host& host, const fs::path& project, const EnvironmentLookup& environment) {
  fs::path file;
  if (!project.empty() && !host.project_file.empty()) {
    file = project / host.project_file;
  } else {
    const fs::path folder = folder_of(host, environment);
    if (folder.empty()) return {};
    file = folder / host.file;
  }
  if (host.form == EntryForm::OpenCode) {
    std::error_code ignored;
    fs::path with_comments = fs::path(file).replace_extension(".jsonc");
    if (fs::exists(with_comments, ignored)) return with_comments;
  }
  return file;
}

bool is_installed(const Host& host, const EnvironmentLookup& environment) {
  const fs::path folder = folder_of(host, environment);
  std::error_code ignored;
  if (host.word == "claude-code" && find_on_path("claude", environment("PATH").value_or(""))) return true;
  return !folder.empty() && fs::exists(folder / host.installed, ignored);
}

Result<Launch> launch_of(const std::string& program, std::string_view published) {
  const bool of_npx = program.find("/_npx/") != std::string::npos;
  const bool of_uvx = program.find("/uv/archive-v") != std::string::npos;
  if (!of_npx && !of_uvx) return Launch{program, {}};
  const std::string_view registry = of_npx ? "npm" : "pypi";
  if (published.find(registry) == std::string_view::npos)
    return fail(ErrorKind::NotSupported,
                std::string("This leanbridge runs from a cache of ") + (of_npx ? "npx" : "uvx") +
                    ", which may be gone tomorrow, and no package of this name is published there.",
                "Install it in a folder that stays (docs/install.md), and run that one.");
  return of_npx ? Launch{"npx", {"-y", "leanbridge"}} : Launch{"uvx", {"leanbridge"}};
}

json entry_for(const Host& host, const Launch& launch, const json& document) {
  json entry = json::object();
  if (host.form == EntryForm::OpenCode) {
    json command = json::array({launch.command});
    for (const std::string& word : launch.args) command.push_back(word);
    entry["type"] = "local";
    entry["command"] = std::move(command);
    if (is_second_form(host, document)) {
      entry["timeout"] = {{"request", kCallSeconds * 1000}};
    } else {
      entry["enabled"] = true;
      entry["timeout"] = kCallSeconds * 1000;
    }
    if (!launch.env.empty()) entry["environment"] = launch.env;
    return entry;
  }
  if (host.form == EntryForm::TypedStdio) entry["type"] = "stdio";
  if (host.form == EntryForm::Codex) entry["tool_timeout_sec"] = kCallSeconds;
  entry["command"] = launch.command;
  entry["args"] = launch.args;
  if (!launch.env.empty()) entry["env"] = launch.env;
  return entry;
}

EntryPath entry_path(const Host& host, const std::string& name, const json& document) {
  const std::string servers(host.servers);
  if (is_second_form(host, document)) return {servers, "servers", name};
  return {servers, name};
}

std::string file_text(const Host& host, const std::string& name, const json& entry) {
  if (host.format == ConfigFormat::Toml) return toml_table({std::string(host.servers), name}, entry);
  return json_text({{std::string(host.servers), {{name, entry}}}});
}

std::vector<std::string> words_of(const json& entry) {
  std::vector<std::string> words;
  if (!entry.is_object()) return words;
  for (const char* member : {"command", "args"}) {
    const auto found = entry.find(member);
    if (found == entry.end()) continue;
    if (found->is_string()) words.push_back(found->get<std::string>());
    if (found->is_array())
      for (const json& word : *found)
        if (word.is_string()) words.push_back(word.get<std::string>());
  }
  return words;
}

Job job_of(const std::vector<std::string>& words) {
  if (words.empty()) return Job::Other;
  const std::string program = program_in(words.front());
  if (const Job job = job_named(program); job != Job::Other) return job;
  if (std::ranges::find(kLaunchers, program) == std::end(kLaunchers)) return Job::Other;
  for (std::size_t i = 1; i < words.size(); ++i) {
    // A folder in an option's value may have any name.
    const bool is_value = words[i - 1].starts_with('-') && words[i].find('/') != std::string::npos &&
                          !is_before_program(program, words[i - 1]);
    if (const Job job = job_named(program_in(words[i])); job != Job::Other && !is_value) return job;
  }
  return Job::Other;
}

std::vector<LeanServer> lean_servers(const Host& host, const json& document) {
  std::vector<LeanServer> found;
  EntryPath path = entry_path(host, "", document);
  path.pop_back();
  const json* servers = find_at(document, path);
  if (!servers || !servers->is_object()) return found;
  for (const auto& [name, entry] : servers->items()) {
    const Job job = job_of(words_of(entry));
    if (job == Job::Other || !flag_in(entry, "enabled", true) || flag_in(entry, "disabled", false)) continue;
    found.push_back({name, job});
  }
  return found;
}

}  // namespace leanbridge::app::hosts
