#include "core/platform/sockets.hpp"

namespace leanbridge::platform {

int open_socket(int family) {
  return ::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int accept_connection(int listening, sockaddr* name, socklen_t* length) {
  return ::accept4(listening, name, length, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

}  // namespace leanbridge::platform
