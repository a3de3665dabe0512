#pragma once
/// The first line in each direction between a client and the shared server; the lines after them are MCP's.

#include "core/base/error.hpp"
#include "core/base/json_struct.hpp"
#include "core/program/options.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::app {

/// A client's first line: the key of the server that it means, and the client's own settings.
struct Greeting {
  std::string key;                 ///< of its profile
  std::int64_t first_request = 1;  ///< the id of the first request that the server may send
  std::string directory;           ///< its working directory
  std::string project_root;        ///< absolute; empty: none
  std::vector<std::string> groups, disabled, named_tools;
  bool no_caller_code = false;
  ide::BuildConcurrency builds = ide::BuildConcurrency::Allow;
  std::vector<std::string> prewarm_files;
  double timeout_s = 0;
  std::size_t max_output_chars = 0;
  std::string instructions;
  std::map<std::string, std::string> descriptions;
  std::string upstream;
  bool lazy_upstream = false;
  std::string save_media;  ///< absolute; empty: none
  bool watchable = false;  ///< its user may watch its calls (docs/decisions/0025-watching.md)
  /// Its variables, for other MCP servers; absent if it has no such servers.
  std::optional<std::map<std::string, std::string>> environment;

  static wire::Fields fields();
};

/// The first line of `leanbridge view --watch` instead: it watches calls, and has no session.
struct WatchGreeting {
  std::string watch;  ///< its version

  static wire::Fields fields();
};

/// The server's answer.
struct Welcome {
  std::string refused;  ///< the reason for a refusal, as a sentence; empty: the session begins

  static wire::Fields fields();
};

/// One line, without its ending.
std::string to_line(const Greeting& greeting);
std::string to_line(const WatchGreeting& greeting);
std::string to_line(const Welcome& welcome);

/// InvalidArgument for any other line.
Result<Greeting> read_greeting(std::string_view line);
Result<WatchGreeting> read_watch_greeting(std::string_view line);
Result<Welcome> read_welcome(std::string_view line);

/// The greeting of a client with these options. Paths become absolute.
Greeting greeting_of(const Options& options);
/// The options of a session: the server's, with the client's own in place of some.
Options options_of(const Greeting& greeting, Options server);

}  // namespace leanbridge::app
