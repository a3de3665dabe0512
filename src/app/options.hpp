#pragma once
/// The command line and the environment, read once at startup.

#include "leanbridge/base/enum_names.hpp"
#include "leanbridge/search/config.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::app {

enum class Command { Serve, Call, Tools, Doctor, IndexBuild, IndexStatus, Search, CacheClear, Check, Mcp };

struct McpAuthOptions {
  bool no_browser = false;  ///< --no-browser: only print the URL
  std::string scope;        ///< --scope: in addition to what the server asks for
  std::string client_id;    ///< --client-id; its secret is in LEANBRIDGE_CLIENT_SECRET
  std::string issuer;       ///< --issuer: the only authorization server allowed
  double patience_s = 300;  ///< --wait
};

struct Options;

/// The host whose configuration format serve-config prints.
enum class HostFormat { Claude, VsCode, OpenCode };
wire::Names<HostFormat> names_of(HostFormat);

/// Options of the commands below `mcp`.
struct McpOptions {
  int (*run)(const Options& options) = nullptr;  ///< the command; returns the exit code
  std::string server;                            ///< SERVER or NAME; empty: all
  bool yes = false;                              ///< trust --yes
  HostFormat host = HostFormat::Claude;          ///< serve-config --host
  McpAuthOptions auth;                           ///< auth ...
};

/// How `check` ends: a table or a line, an object for programs, or nothing.
enum class SummaryFormat { Text, Json, None };
wire::Names<SummaryFormat> names_of(SummaryFormat);

/// Options of `check`.
struct CheckOptions {
  std::vector<std::string> inputs;    ///< files of JSON lines, .lean files, folders of those; - is stdin
  bool merge = false;                 ///< --merge: the inputs are outputs of earlier runs
  int jobs = 0;                       ///< --jobs; 0: as many as fit
  double timeout_s = 60;              ///< --timeout, of an item
  std::int64_t worker_memory_mb = 0;  ///< --worker-memory; 0: a share of what is free
  std::string shard;                  ///< --shard; empty: from the environment
  std::string resume;                 ///< --resume: a file of verdicts; empty: none
  std::string junit;                  ///< --junit: a file to write; empty: none
  SummaryFormat summary = SummaryFormat::Text;  ///< --summary
  bool goals = false, axioms = false, strict = false;
  double grace_s = 10;  ///< --grace
};

struct Options {
  Command command = Command::Serve;
  std::string project_root;  ///< --project-root, else LEAN_PROJECT_PATH; may be empty
  std::string lake;          ///< --lake; may be empty
  std::string cache_folder;  ///< --cache-dir, else LEANBRIDGE_CACHE_DIR; empty: the user's cache folder
  std::set<std::string> groups = {"proof", "query", "build", "search", "server"};
  std::set<std::string> disabled;
  bool no_caller_code = false;  ///< --no-caller-code, LEANBRIDGE_NO_CALLER_CODE
  double timeout_s = 120;
  /// The server's flags as given on the command line, with their values, whatever the command is.
  std::vector<std::pair<std::string, std::optional<std::string>>> flags;
  bool timeout_given = false;             ///< --timeout was on the command line
  int max_open_files = 12;                ///< LEANBRIDGE_MAX_OPEN_FILES, else LEAN_LSP_MAX_OPEN_FILES
  int max_scratch_workers = 3;            ///< LEANBRIDGE_MAX_SCRATCH_WORKERS
  std::int64_t max_worker_memory_mb = 0;  ///< LEANBRIDGE_MAX_WORKER_MEMORY; 0: depends on the machine
  std::string log_level = "warning";
  std::string log_file;
  std::vector<std::string> serve_args;              ///< everything after `--`, for `lake serve`
  std::string instructions;                         ///< LEAN_MCP_INSTRUCTIONS; empty: the built-in ones
  std::map<std::string, std::string> descriptions;  ///< LEAN_MCP_TOOL_DESCRIPTIONS: by tool name

  std::string upstream;        ///< --upstream, else LEANBRIDGE_UPSTREAM: none, all, or names of servers
  bool lazy_upstream = false;  ///< --lazy-upstream
  std::string save_media;      ///< --save-media, else LEANBRIDGE_SAVE_MEDIA: a folder; empty: save nothing

  search::Config search;  ///< from flags, variables and file: search::settings()

  bool as_json = false;             ///< --json of every command but call
  std::string tool;                 ///< call TOOL
  std::optional<std::string> json;  ///< call --json
  std::vector<std::string> words;   ///< call key=value ...

  std::string query;                 ///< search QUERY
  std::vector<std::string> sources;  ///< search --source
  int limit = 20;                    ///< search --limit
  std::string verify_file;           ///< search --verify

  CheckOptions check;

  McpOptions mcp;  ///< mcp ...; mcp call also uses `tool` and `words`
};

/// Fills `options` from argv and the environment; flags win. Returns an exit code if the program must end
/// now: after --help, --version, or a usage error, which has been printed.
std::optional<int> read_options(int argc, char** argv, Options& options);

}  // namespace leanbridge::app
