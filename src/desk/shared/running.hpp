#pragma once
/// The shared servers of this user that run, and the sockets of those that have died. Blocking.

#include "core/base/error.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace leanbridge::app {

struct RunningServer {
  int pid = 0;  ///< 0: it is starting, and cannot be named yet
  std::string version;
  std::filesystem::path socket;
  double uptime_s = 0;
  std::int64_t memory_bytes = 0;  ///< of it and of all Lean processes below it
  std::size_t workers = 0;        ///< Lean processes that have a document
};

struct SharedServers {
  std::vector<RunningServer> running;
  std::vector<std::filesystem::path> dead;  ///< sockets on which nothing listens
};

/// The servers of a folder of sockets (socket_folder()). Waits for no server.
SharedServers shared_servers_in(const std::filesystem::path& folder);

/// Removes a socket if nothing listens on it, under the lock of those who start servers. False if something
/// does, or the lock is taken.
bool remove_dead_socket(const std::filesystem::path& socket);

/// Asks a server to end, and waits until its process is gone or the time has passed. Timeout; Internal if it
/// cannot be asked.
Result<void> stop_shared_server(const RunningServer& server, std::chrono::steady_clock::duration patience);

}  // namespace leanbridge::app
