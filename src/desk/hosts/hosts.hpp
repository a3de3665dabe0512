#pragma once
/// The programs that start MCP servers (hosts), each with its configuration file and the format of its
/// entries. One table; docs/hosts.md gives the documentation for each row.

#include "config_text.hpp"
#include "core/base/error.hpp"
#include "core/base/user_folders.hpp"
#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::app::hosts {

/// The form of an entry that tells what to start.
enum class EntryForm {
  CommandAndArgs,  ///< command, args, env
  TypedStdio,      ///< as above, with "type": "stdio"
  Codex,           ///< as CommandAndArgs, with the time limit of a call in seconds
  OpenCode,        ///< one list of words, "environment", and the time limit of a request in ms
};

struct Host {
  std::string_view word;   ///< the word for --host
  std::string_view title;  ///< for people
  EntryForm form;
  ConfigFormat format;
  std::string_view servers;          ///< the member of the file that holds the servers
  std::string_view folder_variable;  ///< the variable for the folder of the user's file, if it is set
  std::string_view folder;           ///< otherwise this folder, below the home folder
  std::string_view file;             ///< the user's file, in that folder
  std::string_view project_file;     ///< below the project; empty: there is none
  std::string_view project_root;     ///< the project's name in its file; empty: servers start in the project
  std::string_view installed;        ///< exists in that folder once the host has run
  std::string_view then;             ///< what to do after a change, as a sentence
  bool in_application_support = false;  ///< on macOS the folder is ~/Library/Application Support
};

std::span<const Host> all_hosts();
/// The row for that word; `claude` means Claude Code. Null if there is none.
const Host* find_host(std::string_view word);
/// The words of all rows, in order.
std::vector<std::string> host_words();

/// The user's file, or the file of `project` if that is not empty and the host has one. If the host reads
/// either of two names (opencode.jsonc, opencode.json), the one that exists. Empty without a home folder.
std::filesystem::path config_file(const Host& host, const std::filesystem::path& project,
                                  const EnvironmentLookup& environment);
/// Whether the host seems to be installed for this user.
bool is_installed(const Host& host, const EnvironmentLookup& environment);

/// The program to start, with arguments and environment.
struct Launch {
  std::string command;
  std::vector<std::string> args;
  nlohmann::json env = nlohmann::json::object();  ///< its values are texts
};

/// The command that starts the program at `program`, and the words before its own. A copy in the cache of uvx
/// or npx may be gone tomorrow: then the command starts uvx or npx, if `published`, a list of words, has
/// "pypi" or "npm". Otherwise NotSupported: anybody who registered the name there later could run programs on
/// the user's machine.
Result<Launch> launch_of(const std::string& program, std::string_view published);

/// The entry for a file with this content; OpenCode 2 has another form and another place for it.
nlohmann::json entry_for(const Host& host, const Launch& launch, const nlohmann::json& document);
/// The path of the entry in that file.
EntryPath entry_path(const Host& host, const std::string& name, const nlohmann::json& document);
/// The whole text of a file with that entry alone.
std::string file_text(const Host& host, const std::string& name, const nlohmann::json& entry);

/// The words of the command that an entry starts, for any host.
std::vector<std::string> words_of(const nlohmann::json& entry);

enum class Job : std::uint8_t {
  Other,
  Leanbridge,  ///< this program, however it is started
  LeanLspMcp,  ///< the other server with the same purpose
};
Job job_of(const std::vector<std::string>& words);

/// The names of a file's enabled entries that start a server for Lean.
struct LeanServer {
  std::string name;
  Job job;
};
std::vector<LeanServer> lean_servers(const Host& host, const nlohmann::json& document);

}  // namespace leanbridge::app::hosts
