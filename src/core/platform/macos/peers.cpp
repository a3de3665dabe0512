#include "core/platform/sockets.hpp"
#include <sys/un.h>
#include <unistd.h>

namespace leanbridge::platform {

// getpeereid(3); LOCAL_PEERPID is in unix(4).
std::optional<Peer> peer_of(int socket) {
  Peer peer;
  gid_t group = 0;
  if (::getpeereid(socket, &peer.user, &group) != 0) return std::nullopt;
  socklen_t size = sizeof peer.process;
  if (::getsockopt(socket, SOL_LOCAL, LOCAL_PEERPID, &peer.process, &size) != 0) peer.process = 0;
  return peer;
}

bool is_own_peer(int socket) {
  const auto peer = peer_of(socket);
  return peer && peer->user == ::geteuid();
}

}  // namespace leanbridge::platform
