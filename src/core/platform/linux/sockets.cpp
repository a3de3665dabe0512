#include "core/platform/sockets.hpp"

#include <unistd.h>

namespace leanbridge::platform {

int open_socket(int family) {
  return ::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int accept_connection(int listening, sockaddr* name, socklen_t* length) {
  return ::accept4(listening, name, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

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
