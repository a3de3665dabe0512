#pragma once
/// The programs that start MCP servers, each with the file and the form in which it wants to be told. One
/// table; docs/hosts.md says where each row is documented.

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

/// How an entry says what to start.
enum class EntryForm {
  CommandAndArgs,  ///< command, args, env
  TypedStdio,      ///< the same, with "type": "stdio"
  Codex,           ///< the same, with the seconds a call may take
  OpenCode,        ///< one list of words, "environment", and the milliseconds a request may take
};

struct Host {
  std::string_view word;   ///< of --host
  std::string_view title;  ///< for people
  EntryForm form;
  ConfigFormat format;
  std::string_view servers;          ///< the member of the file that holds the servers
  std::string_view folder_variable;  ///< names the folder of the user's file, if it is set
  std::string_view folder;           ///< else this one, below the home folder
  std::string_view file;             ///< the user's file, in that folder
  std::string_view project_file;     ///< below the project; empty: it has none
  std::string_view project_root;     ///< what its project file calls the project; empty: servers start in it
  std::string_view installed;        ///< in that folder: exists once the host has run
  std::string_view then;             ///< what to do after a change: a sentence
};

std::span<const Host> all_hosts();
/// The row with that word; `claude` is Claude Code. Null if there is none.
const Host* find_host(std::string_view word);
/// The words of all rows, in order.
std::vector<std::string> host_words();

/// The user's file, or that of `project` if it is not empty and the host has one. Where the host reads either
/// of two names (opencode.jsonc, opencode.json), the one that exists. Empty without a home folder.
std::filesystem::path config_file(const Host& host, const std::filesystem::path& project,
                                  const EnvironmentLookup& environment);
/// Whether the host seems to be installed for this user.
bool is_installed(const Host& host, const EnvironmentLookup& environment);

/// What to start.
struct Launch {
  std::string command;
  std::vector<std::string> args;
  nlohmann::json env = nlohmann::json::object();  ///< texts
};

/// The command that starts the program at `program`, and the words before its own. A copy that uvx or npx
/// keeps in a cache may be gone tomorrow: then it is uvx or npx that is started, if `published`, words with
/// blanks in between, has "pypi" or "npm". NotSupported otherwise: whoever registers the name there later
/// would run programs on the user's machine.
Result<Launch> launch_of(const std::string& program, std::string_view published);

/// The entry for a file with this content: OpenCode 2 has another form and another place for it.
nlohmann::json entry_for(const Host& host, const Launch& launch, const nlohmann::json& document);
/// Where it goes in that file.
EntryPath entry_path(const Host& host, const std::string& name, const nlohmann::json& document);
/// The whole text of a file with that entry alone.
std::string file_text(const Host& host, const std::string& name, const nlohmann::json& entry);

/// What an entry starts, whatever the host.
std::vector<std::string> words_of(const nlohmann::json& entry);

enum class Job : std::uint8_t {
  Other,
  Leanbridge,  ///< this program, however it is started
  LeanLspMcp,  ///< the server that does the same
};
Job job_of(const std::vector<std::string>& words);

/// The names of a file's enabled entries that start a server for Lean.
struct LeanServer {
  std::string name;
  Job job;
};
std::vector<LeanServer> lean_servers(const Host& host, const nlohmann::json& document);

}  // namespace leanbridge::app::hosts
