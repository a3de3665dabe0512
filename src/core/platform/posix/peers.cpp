#include "core/platform/sockets.hpp"
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace leanbridge::platform {

std::optional<Peer> peer_of(int) {
  return std::nullopt;
}

// A server's socket has an owner on the disk; a client's has no name.
bool is_own_peer(int socket) {
  sockaddr_un name{};
  socklen_t size = sizeof name;
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&name), &size) != 0) return false;
  if (name.sun_family != AF_UNIX) return false;
  if (name.sun_path[0] == '\0') return true;
  struct stat status {};
  return ::lstat(name.sun_path, &status) == 0 && status.st_uid == ::geteuid();
}

}  // namespace leanbridge::platform
