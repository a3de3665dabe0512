#pragma once
/// Which clients can have one server: those for which everything is the same that a process has only once.
/// The rest comes with each client's greeting (handshake.hpp).

#include <map>
#include <string>
#include <vector>

namespace leanbridge::app {

using Variables = std::map<std::string, std::string>;

struct SharedProfile {
  std::string version;
  std::string build;         ///< which file the program is, see build_of_this_program()
  std::string surroundings;  ///< namespaces, limits, umask: see own_surroundings()
  std::string directory;     ///< that the server works in
  /// The whole environment of the server, and so of every Lean below it: that no client sees another's.
  Variables environment;
  std::vector<std::string> arguments;   ///< of the server, behind its command
  std::vector<std::string> serve_args;  ///< for `lake serve`
  std::string settings;                 ///< digest of the user's settings file; empty: there is none
};

/// Names the profile: 32 hexadecimal digits. Another profile has another key.
std::string key_of(const SharedProfile& profile);

/// The file name of the socket, such as `0.2.0-5f0c2e9a1b3d4c6e.socket`.
std::string socket_name(const std::string& version, const std::string& key);

/// The variables of `whole` that Lake, Lean, elan, git and their programs read, those in `further`, and those
/// that LEANBRIDGE_PASS_ENV names. Left out is what differs between terminals and agents and would keep them
/// from sharing anything, and what is a client's own (docs/decisions/0020-shared-server.md).
Variables shared_environment(const Variables& whole, const std::vector<std::string>& further);

/// The environment of this process.
Variables own_environment();

/// The program's file on this machine: it changes with every build and copy. "" where /proc cannot be read.
std::string build_of_this_program();

/// What a server would give to Lean without being asked: the namespaces it is in (a client in a sandbox must
/// not get files from outside it), its resource limits, its umask. Call it before any thread starts.
std::string own_surroundings();

}  // namespace leanbridge::app
