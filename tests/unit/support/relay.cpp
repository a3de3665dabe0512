#include "support/relay.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>

namespace leanbridge::test {

namespace {

bool write_all(int descriptor, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(descriptor, bytes, size);
    if (written <= 0) return false;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

bool read_all(int descriptor, char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t count = ::read(descriptor, bytes, size);
    if (count <= 0) return false;
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

// False if the test has ended.
bool obey(int socket) {
  char kind = 0;
  std::uint32_t size = 0;
  if (!read_all(socket, &kind, 1) || !read_all(socket, reinterpret_cast<char*>(&size), sizeof size))
    return false;
  std::string content(size, '\0');
  if (!read_all(socket, content.data(), size)) return false;
  switch (static_cast<RelayFrame>(kind)) {
    case RelayFrame::Stdout:
      return write_all(STDOUT_FILENO, content.data(), size);
    case RelayFrame::Stderr:
      return write_all(STDERR_FILENO, content.data(), size);
    case RelayFrame::Exit:
      ::_exit(content.at(0));
  }
  return false;
}

}  // namespace

int relay(const char* socket_path) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, socket_path, sizeof address.sun_path - 1);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) ::_exit(99);
  std::array<pollfd, 2> streams{pollfd{socket, POLLIN, 0}, pollfd{STDIN_FILENO, POLLIN, 0}};
  std::array<char, 65536> buffer{};
  for (;;) {
    if (::poll(streams.data(), streams.size(), -1) < 0) ::_exit(98);
    if (streams[0].revents != 0 && !obey(socket)) ::_exit(0);
    if (streams[1].revents == 0) continue;
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count > 0 && write_all(socket, buffer.data(), static_cast<std::size_t>(count))) continue;
    ::shutdown(socket, SHUT_WR);
    streams[1].fd = -1;  // poll ignores it
  }
}

}  // namespace leanbridge::test
