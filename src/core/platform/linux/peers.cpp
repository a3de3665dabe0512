#include "core/platform/sockets.hpp"
#include <unistd.h>

namespace leanbridge::platform {

std::optional<Peer> peer_of(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
  return Peer{peer.uid, peer.pid};
}

bool is_own_peer(int socket) {
  const auto peer = peer_of(socket);
  return peer && peer->user == ::geteuid();
}

}  // namespace leanbridge::platform
