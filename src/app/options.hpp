#pragma once
/// The command line and the environment, read once at startup.

#include "leanbridge/base/enum_names.hpp"
#include "leanbridge/base/secret.hpp"
#include "leanbridge/search/config.hpp"
#include "leanbridge/tools/build_concurrency.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::app {

enum class Command {
  Serve,
  Call,
  Tools,
  ToolHelp,
  Doctor,
  IndexBuild,
  IndexStatus,
  Search,
  Fill,
  Imports,
  Certify,
  Diff,
  Check,
  Setup,
  Status,
  View,
  Mcp,
  SharedServer
};

struct FillOptions {
  std::vector<std::string> files;  ///< fill FILE...
  double budget_s = 30;            ///< --budget, for each file
  bool write = false;              ///< --write
};

struct ImportsOptions {
  std::vector<std::string> files;  ///< imports FILE...
  bool write = false;              ///< --write
};

struct McpAuthOptions {
  bool no_browser = false;  ///< --no-browser: only print the URL
  std::string scope;        ///< --scope: in addition to what the server asks for
  std::string client_id;    ///< --client-id; its secret is in LEANBRIDGE_CLIENT_SECRET
  std::string issuer;       ///< --issuer: the only authorization server allowed
  double patience_s = 300;  ///< --wait
};

struct Options;

/// Options of the commands below `mcp`.
struct McpOptions {
  int (*run)(const Options& options) = nullptr;  ///< the command; returns the exit code
  std::string server;                            ///< SERVER or NAME; empty: all
  bool yes = false;                              ///< trust --yes
  std::string host = "claude-code";              ///< serve-config --host
  McpAuthOptions auth;                           ///< auth ...
};

/// Options of `call`; of `mcp call` all but `json`.
struct CallOptions {
  std::string tool;                 ///< TOOL
  std::optional<std::string> json;  ///< --json
  std::vector<std::string> words;   ///< key=value ...
};

/// Options of `search`.
struct QueryOptions {
  std::string text;                  ///< QUERY
  std::vector<std::string> sources;  ///< --source
  int limit = 20;                    ///< --limit
  std::string verify_file;           ///< --verify
};

/// Options of `setup`.
struct SetupOptions {
  std::string host;           ///< --host; empty: ask
  std::string project;        ///< --project; empty: for all projects
  std::string name = "lean";  ///< --name, of the entry
  bool yes = false;           ///< --yes: do not ask
  bool remove = false;        ///< --remove
};

/// Options of `certify`.
struct CertifyOptions {
  std::vector<std::string> files;           ///< CHALLENGE SOLUTION; with --git only SOLUTION
  std::string git;                          ///< --git: a revision; empty: the challenge is a file
  std::vector<std::string> names;           ///< --name
  std::vector<std::string> allowed_axioms;  ///< --allow-axiom, besides the standard ones
  /// Of a configuration for comparator: instead of the standard ones.
  std::optional<std::vector<std::string>> permitted_axioms;
  std::optional<std::vector<std::string>> holes;  ///< likewise; absent: each definition that is sorry
  bool also_comparator = false;                   ///< --also-comparator
  std::optional<std::string> comparator;          ///< the same question for it, as JSON
  std::vector<std::string> lean_options;          ///< --option NAME=VALUE
  bool without_replay = false;                    ///< --without-replay
  bool trust_packages = false;                    ///< --trust-packages
  std::string kernel;                             ///< --kernel; empty: find one
  std::vector<std::string> kernels;               ///< --kernels; empty: all that are found, one must accept
  std::string export_file;                        ///< --export; empty: keep none
  std::string baseline;                           ///< --baseline; empty: none
  std::string record_baseline;                    ///< --record-baseline; empty: give a verdict
  std::string output;                             ///< --output; empty: write no record
  std::string receipt;                            ///< --receipt; empty: write none
  std::string page;                               ///< --page: a file, - for stdout; empty: write none
  std::string approval;                           ///< --approval: a file; empty: compare with none
  std::string approve;                            ///< --approve: who approves; empty: compare
  std::string verify;                             ///< --verify: a receipt; empty: give a verdict
  std::int64_t memory_mb = 8192;                  ///< --memory
  std::string input;                              ///< --input: a file of pairs, - for stdin; empty: one pair
  std::optional<double> cost_limit;               ///< --cost, percent; absent: measure nothing
  std::string cost_baseline;  ///< --cost-baseline: verdicts of an earlier run; empty: none
  std::string resume;         ///< --resume: verdicts of an earlier run; empty: none
  int jobs = 1;               ///< --jobs
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

/// Options of `serve`, beside the server's own.
struct HttpOptions {
  std::string address;             ///< --http; empty: stdin and stdout
  bool listen_any = false;         ///< --listen-any: an address that other machines reach
  std::string token_file;          ///< --token-file
  Secret token;                    ///< LEAN_LSP_MCP_TOKEN, with --transport streamable-http
  std::vector<std::string> hosts;  ///< --allow-host
  std::string access_log;          ///< --access-log; empty: none
  int max_connections = 2048;      ///< --max-connections
  int max_calls = 512;             ///< --max-calls
  int max_client_calls = 128;      ///< --max-client-calls
};

/// Options of `status`.
struct StatusOptions {
  std::string address;              ///< ADDRESS; empty: shared servers, and the usual address
  std::optional<std::string> stop;  ///< --stop: a process id; empty: the only one
  std::string token_file;           ///< --token-file
  double watch_s = 0;               ///< --watch; 0: once
};

/// Options of `view`.
struct ViewOptions {
  std::string file;         ///< FILE, FILE:LINE or FILE:LINE:COLUMN; empty: none, with --watch
  unsigned short port = 0;  ///< --port; 0: any free one
  bool no_browser = false;  ///< --no-browser: only print the URL
  bool watch = false;       ///< --watch: show agents at work; FILE may be left out
};

struct Options {
  Command command = Command::Serve;
  std::string project_root;      ///< --project-root, else LEAN_PROJECT_PATH; may be empty
  std::string lake;              ///< --lake; may be empty
  std::string cache_folder;      ///< --cache-dir, else LEANBRIDGE_CACHE_DIR; empty: the user's cache folder
  std::set<std::string> groups;  ///< --tools, LEANBRIDGE_TOOLS; empty: the default selection
  std::set<std::string> disabled;
  bool no_caller_code = false;  ///< --no-caller-code, LEANBRIDGE_NO_CALLER_CODE
  bool read_only = false;       ///< serve --read-only
  tools::BuildConcurrency builds = tools::BuildConcurrency::Allow;  ///< --builds, LEAN_BUILD_CONCURRENCY
  std::vector<std::string> prewarm_files;                           ///< --prewarm, LEAN_MCP_PREWARM_FILES
  /// Settings of lean-lsp-mcp that were given and have no effect here, each with the reason: one sentence.
  std::vector<std::string> without_effect;
  double timeout_s = 120;
  std::size_t max_output_chars = 6000;  ///< LEAN_MCP_MAX_OUTPUT_CHARS: of each text in an answer; 0: all
  /// The server's flags as given on the command line, with their values, whatever the command is.
  std::vector<std::pair<std::string, std::optional<std::string>>> flags;
  bool timeout_given = false;             ///< --timeout was on the command line
  std::int64_t min_free_mb = 0;           ///< --min-free-memory; 0: depends on the machine
  int max_open_files = 12;                ///< LEANBRIDGE_MAX_OPEN_FILES, else LEAN_LSP_MAX_OPEN_FILES
  int max_scratch_workers = 3;            ///< LEANBRIDGE_MAX_SCRATCH_WORKERS
  std::int64_t max_worker_memory_mb = 0;  ///< LEANBRIDGE_MAX_WORKER_MEMORY; 0: depends on the machine
  std::string log_level = "warning";
  std::string log_file;
  std::size_t max_log_bytes = 0;        ///< of the file, and once more of its predecessor; 0: no bound
  std::vector<std::string> serve_args;  ///< everything after `--`, for `lake serve`
  std::string instructions;             ///< LEAN_MCP_INSTRUCTIONS; empty: the built-in ones
  std::map<std::string, std::string> descriptions;  ///< LEAN_MCP_TOOL_DESCRIPTIONS: by tool name

  std::string upstream;        ///< --upstream, else LEANBRIDGE_UPSTREAM: none, all, or names of servers
  bool lazy_upstream = false;  ///< --lazy-upstream
  std::string save_media;      ///< --save-media, else LEANBRIDGE_SAVE_MEDIA: a folder; empty: save nothing

  search::Config search;  ///< from flags, variables and file: search::settings()

  bool as_json = false;   ///< --json of every command but call
  bool clean = false;     ///< doctor --clean
  bool probe = false;     ///< doctor --probe
  std::string help_tree;  ///< help --json: the commands, as JSON; empty: about the tool in call.tool
  CallOptions call;
  QueryOptions query;
  std::vector<std::string> revisions;  ///< diff REV REV2
  std::optional<double> cost_limit;    ///< --cost of `diff`, percent; absent: measure nothing

  FillOptions fill;
  ImportsOptions imports;
  CertifyOptions certify;
  CheckOptions check;
  HttpOptions http;
  StatusOptions status;
  SetupOptions setup;
  ViewOptions view;

  McpOptions mcp;

  bool shared = false;        ///< --shared, LEANBRIDGE_SHARED
  bool watchable = false;     ///< --watchable, LEANBRIDGE_WATCHABLE
  double shared_idle_s = 60;  ///< --shared-idle-s
  std::string shared_key;     ///< shared-server --key

  // Of a client that another process serves; otherwise those of this process.
  std::string directory;                                          ///< it works in; empty: this one's
  std::optional<std::map<std::string, std::string>> environment;  ///< for other MCP servers
  std::int64_t first_request = 1;                                 ///< id of the first request to the client
};

/// Fills `options` from argv and the environment; flags win. Returns an exit code if the program must end
/// now: after --help, --version, or a usage error, which has been printed.
std::optional<int> read_options(int argc, char** argv, Options& options);

}  // namespace leanbridge::app
