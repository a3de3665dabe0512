#pragma once
/// The command line and the environment, read once at startup. options.cpp declares each option.

#include "core/ide/build_concurrency.hpp"

#include <any>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

namespace leanbridge::app {

/// Options of `call`; `mcp call` has all of them but `json`.
struct CallOptions {
  std::string tool;                 ///< TOOL
  std::optional<std::string> json;  ///< --json
  std::vector<std::string> words;   ///< key=value ...; TACTIC ... of `try`
  std::string place;                ///< PLACE of `goal` and `try`
};

struct Options {
  int (*command)(const Options&) = nullptr;  ///< runs the command and returns the exit code for main; null:
                                             ///< serve
  std::string project_root;                  ///< may be empty
  std::string lake;                          ///< may be empty
  std::string cache_folder;                  ///< empty: the user's cache folder
  std::set<std::string> groups;              ///< empty: the default selection
  std::set<std::string> disabled;
  std::set<std::string> named_tools;  ///< on the command line, by name: each must exist
  bool no_caller_code = false;
  bool read_only = false;  ///< serve --read-only
  ide::BuildConcurrency builds = ide::BuildConcurrency::Allow;
  std::vector<std::string> prewarm_files;
  /// Settings of lean-lsp-mcp that were given but have no effect here, each with the reason, as one sentence.
  std::vector<std::string> without_effect;
  double timeout_s = 120;
  std::size_t max_output_chars = 6000;  ///< of each text in an answer; 0: all
  /// The server's flags on the command line, with their values, for every command.
  std::vector<std::pair<std::string, std::optional<std::string>>> flags;
  bool timeout_given = false;    ///< --timeout was on the command line
  std::int64_t min_free_mb = 0;  ///< 0: depends on the machine
  int max_open_files = 12;
  int max_scratch_workers = 3;
  bool own_workers = false;               ///< the command limits its workers itself
  std::int64_t max_worker_memory_mb = 0;  ///< 0: depends on the machine
  std::string log_level = "warning";
  std::string log_file;
  std::size_t max_log_bytes = 0;        ///< for the file, and as much again for its predecessor; 0: no limit
  std::vector<std::string> serve_args;  ///< everything after `--`, for `lake serve`
  std::string instructions;             ///< empty: the built-in ones
  std::map<std::string, std::string> descriptions;  ///< by tool name

  bool as_json = false;   ///< --json, for every command but call
  std::string help_tree;  ///< help --json: print the commands as JSON; empty: explain the tool in call.tool
  CallOptions call;
  // For a client that another process serves; unset values mean this process's own.
  std::string directory;                                          ///< the client's working directory; empty:
                                                                  ///< this process's
  std::optional<std::map<std::string, std::string>> environment;  ///< for other MCP servers
  std::int64_t first_request = 1;                                 ///< id of the first request to the client

  /// The options of each part, by their type.
  template <class Values>
  Values& of() {
    std::any& values = of_parts_[typeid(Values)];
    if (!values.has_value()) values = Values();
    return std::any_cast<Values&>(values);
  }
  template <class Values>
  const Values& of() const {
    static const Values defaults;
    const auto values = of_parts_.find(typeid(Values));
    return values == of_parts_.end() ? defaults : std::any_cast<const Values&>(values->second);
  }

 private:
  std::map<std::type_index, std::any> of_parts_;
};

/// Fills `options` from argv and the environment; flags win. Returns an exit code if the program must end
/// now: after --help, after --version, or after a usage error, which it has printed.
std::optional<int> read_options(int argc, char** argv, Options& options);

}  // namespace leanbridge::app
