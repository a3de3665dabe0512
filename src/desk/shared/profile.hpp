#pragma once
/// The conditions under which clients can share a server: everything must be equal that a process has only
/// once. The rest comes with each client's greeting (handshake.hpp).

#include <map>
#include <string>
#include <vector>

namespace leanbridge::app {

using Variables = std::map<std::string, std::string>;

struct SharedProfile {
  std::string version;
  std::string build;         ///< identifies the program's file, see build_of_this_program()
  std::string surroundings;  ///< namespaces, limits, umask: see own_surroundings()
  std::string directory;     ///< the working directory of the server
  /// The whole environment of the server, and so of every Lean below it: no client sees another's.
  Variables environment;
  std::vector<std::string> arguments;   ///< arguments of the server, after its command
  std::vector<std::string> serve_args;  ///< for `lake serve`
  std::string settings;                 ///< digest of the user's settings file; empty: there is none
};

/// The key of the profile: 32 hexadecimal digits. Different profiles have different keys.
std::string key_of(const SharedProfile& profile);

/// The file name of the socket, such as `0.2.0-5f0c2e9a1b3d4c6e.socket`.
std::string socket_name(const std::string& version, const std::string& key);

/// The variables of `whole` that Lake, Lean, elan, git and their programs read, those in `further`, and those
/// that LEANBRIDGE_PASS_ENV names. Leaves out variables that differ between terminals and agents, which would
/// prevent all sharing, and variables of a single client (docs/decisions/0020-shared-server.md).
Variables shared_environment(const Variables& whole, const std::vector<std::string>& further);

/// The environment of this process.
Variables own_environment();

/// Identifies the program's file on this machine: changes with every build and copy. "" if it is not
/// known.
std::string build_of_this_program();

/// The surroundings that a server would pass on to Lean: its namespaces (a client in a sandbox must not get
/// files from outside it), its resource limits, its umask. Call it before any thread starts.
std::string own_surroundings();

}  // namespace leanbridge::app
