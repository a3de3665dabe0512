#pragma once
/// The options of the commands for people, and of a shared server.

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace leanbridge::app {

struct Options;

struct FillOptions {
  std::vector<std::string> files;  ///< fill FILE...
  double budget_s = 30;            ///< --budget, for each file
  bool write = false;              ///< --write
};

struct ImportsOptions {
  std::vector<std::string> files;  ///< imports FILE...
  bool write = false;              ///< --write
};

/// Options of `setup`.
struct SetupOptions {
  std::string host;                          ///< --host; empty: ask
  std::string project;                       ///< --project; empty: for all projects
  std::string name = "lean";                 ///< --name, of the entry
  bool yes = false;                          ///< --yes: do not ask
  bool remove = false;                       ///< --remove
  std::string printed_host = "claude-code";  ///< mcp serve-config --host
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
  std::string file;         ///< FILE, FILE:LINE or FILE:LINE:COLUMN; empty: no file, with --watch
  unsigned short port = 0;  ///< --port; 0: any free one
  bool no_browser = false;  ///< --no-browser: only print the URL
  bool watch = false;       ///< --watch: show agents at work; FILE may be absent
};

/// Options of `doctor`.
struct DoctorOptions {
  bool clean = false;  ///< --clean
  bool probe = false;  ///< --probe
};

/// Options of the server that clients share.
struct SharedOptions {
  bool shared = false;     ///< --shared, LEANBRIDGE_SHARED
  bool watchable = false;  ///< --watchable, LEANBRIDGE_WATCHABLE
  double idle_s = 60;      ///< --shared-idle-s
  std::string key;         ///< shared-server --key
};

/// Adds the commands and flags.
void add_desk(CLI::App& app, Options& options);

}  // namespace leanbridge::app
