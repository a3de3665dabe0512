#pragma once
/// The running shared servers of this user, and the sockets of dead ones. Blocking.

#include "core/base/error.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::app {

struct RunningServer {
  int pid = 0;  ///< 0: it is starting, and its process is not known yet
  std::string version;
  std::filesystem::path socket;
  double uptime_s = 0;
  std::int64_t memory_bytes = 0;  ///< of it and all Lean processes below it
  std::size_t workers = 0;        ///< number of Lean processes with a document
};

struct SharedServers {
  std::vector<RunningServer> running;
  std::vector<std::filesystem::path> dead;  ///< sockets without a listening process
};

/// The servers of a folder of sockets (socket_folder()). Waits for no server.
SharedServers shared_servers_in(const std::filesystem::path& folder);

/// Removes a socket if no process listens on it, under the lock for starting servers. False if one does, or
/// if the lock is taken.
bool remove_dead_socket(const std::filesystem::path& socket);

/// Asks a server to end, and waits until its process is gone or the time has passed. Timeout; Internal if it
/// cannot be asked.
Result<void> stop_shared_server(const RunningServer& server, std::chrono::steady_clock::duration patience);

}  // namespace leanbridge::app
