#include "core/platform/sockets.hpp"

#include <fcntl.h>

namespace leanbridge::platform {

namespace {

// Where programs inherit what start() does not name, one that another thread starts meanwhile gets the
// socket.
int with_flags(int socket) {
  if (socket < 0) return socket;
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
  ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_NONBLOCK);
#ifdef SO_NOSIGPIPE  // a system that may have no MSG_NOSIGNAL
  const int on = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  return socket;
}

}  // namespace

int open_socket(int family) {
  return with_flags(::socket(family, SOCK_STREAM, 0));
}

int accept_connection(int listening, sockaddr* name, socklen_t* length) {
  return with_flags(::accept(listening, name, length));
}

}  // namespace leanbridge::platform
