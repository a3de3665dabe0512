#pragma once
/// Sockets, where systems differ. Each folder beside this header implements it for one system. Any thread.

#include <sys/socket.h>
#include <sys/types.h>

#include <optional>

namespace leanbridge::platform {

/// Opens a stream socket that does not block and that no other program inherits. -1 with errno if it cannot.
int open_socket(int family);

/// Accepts a connection; the new socket is like those of open_socket(). `name` and `length` are as for
/// accept(). -1 with errno if it cannot.
int accept_connection(int listening, sockaddr* name, socklen_t* length);

/// The process that has connected a Unix socket, or that began to listen on it.
struct Peer {
  uid_t user = 0;
  pid_t process = 0;  ///< 0: not known
};

/// The process at the other end of a connected Unix socket; nullopt if the system does not tell.
std::optional<Peer> peer_of(int socket);

/// Whether the process at the other end has our effective user. A system without peer_of() leaves that to the
/// folder of the socket, which must be private.
bool is_own_peer(int socket);

}  // namespace leanbridge::platform
