#include "running.hpp"

#include "core/base/files.hpp"
#include "core/platform/processes.hpp"
#include "core/platform/sockets.hpp"
#include "meeting.hpp"
#include "shared.hpp"
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

namespace leanbridge::app {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kSuffix = ".socket";
constexpr auto kLookInterval = std::chrono::milliseconds(50);
constexpr auto kLockPatience = std::chrono::seconds(1);

enum class Listener { None, Some, Foreign };

// The kind of process that listens on the socket. `pid` receives the process that began to listen, if it is
// ours.
Listener listener_of(const fs::path& socket, int& pid) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string& text = socket.native();
  if (text.size() >= sizeof address.sun_path) return Listener::Foreign;
  std::copy(text.begin(), text.end(), address.sun_path);
  const Descriptor client(platform::open_socket(AF_UNIX));
  if (!client) return Listener::Foreign;
  if (::connect(client.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return errno == ECONNREFUSED ? Listener::None : Listener::Foreign;
  if (!platform::is_own_peer(client.get())) return Listener::Foreign;
  if (const auto peer = platform::peer_of(client.get())) pid = peer->process;
  return Listener::Some;
}

// A client opens the socket for the server that it starts, so the process may still be that client.
bool is_shared_server(const platform::ProcessInfo& process) {
  return process.arguments.size() > 1 && process.arguments[1] == kSharedServerCommand;
}

RunningServer server_at(const fs::path& socket, int pid) {
  RunningServer server;
  server.socket = socket;
  const std::string name = socket.filename().string();
  server.version = name.substr(0, name.rfind('-'));
  const platform::ProcessInfo own = platform::process_info(pid);
  if (pid <= 0 || !is_shared_server(own)) return server;
  server.pid = pid;
  server.uptime_s = std::max(0.0, platform::age_seconds(pid));
  server.memory_bytes = own.resident_bytes;
  for (const platform::ProcessInfo& process : platform::descendants(pid)) {
    server.memory_bytes += process.resident_bytes;
    if (std::ranges::find(process.arguments, "--worker") != process.arguments.end()) ++server.workers;
  }
  return server;
}

}  // namespace

SharedServers shared_servers_in(const fs::path& folder) {
  SharedServers servers;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path& socket = entry->path();
    std::error_code ignored;
    if (!socket.native().ends_with(kSuffix) || !fs::is_socket(entry->symlink_status(ignored))) continue;
    int pid = 0;
    const Listener listener = listener_of(socket, pid);
    if (listener == Listener::Some) servers.running.push_back(server_at(socket, pid));
    if (listener == Listener::None) servers.dead.push_back(socket);
  }
  std::ranges::sort(servers.running, {}, &RunningServer::pid);
  std::ranges::sort(servers.dead);
  return servers;
}

bool remove_dead_socket(const fs::path& socket) {
  const Descriptor lock =
      lock_sockets(socket.parent_path(), std::chrono::steady_clock::now() + kLockPatience);
  int pid = 0;
  return lock && listener_of(socket, pid) == Listener::None && ::unlink(socket.c_str()) == 0;
}

Result<void> stop_shared_server(const RunningServer& server, std::chrono::steady_clock::duration patience) {
  if (::kill(server.pid, SIGTERM) != 0)
    return fail(ErrorKind::Internal, "Process " + std::to_string(server.pid) +
                                         " could not be asked to end: " + std::strerror(errno) + ".");
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (is_shared_server(platform::process_info(server.pid))) {
    if (std::chrono::steady_clock::now() >= deadline)
      return fail(ErrorKind::Timeout, "Process " + std::to_string(server.pid) + " has not ended yet.",
                  "It may wait for Lean. Look again with `leanbridge status`.");
    std::this_thread::sleep_for(kLookInterval);
  }
  return {};
}

}  // namespace leanbridge::app
