// Sockets, as each system has them.

#include "core/platform/sockets.hpp"

#include "core/base/files.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>

namespace leanbridge {

namespace {

bool has_own_flags(int socket) {
  return (::fcntl(socket, F_GETFD) & FD_CLOEXEC) != 0 && (::fcntl(socket, F_GETFL) & O_NONBLOCK) != 0;
}

}  // namespace

TEST_CASE("no program inherits a socket, and none blocks", "[platform]") {
  const test::TestFolder folder;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = folder.path() / "socket";
  REQUIRE(path.size() < sizeof address.sun_path);
  std::copy(path.begin(), path.end(), address.sun_path);
  const auto* const name = reinterpret_cast<const sockaddr*>(&address);
  const Descriptor listening(platform::open_socket(AF_UNIX)), client(platform::open_socket(AF_UNIX));
  REQUIRE(::bind(listening.get(), name, sizeof address) == 0);
  REQUIRE(::listen(listening.get(), 1) == 0);
  CHECK(platform::accept_connection(listening.get(), nullptr, nullptr) == -1);
  CHECK((errno == EAGAIN || errno == EWOULDBLOCK));
  REQUIRE(::connect(client.get(), name, sizeof address) == 0);
  const Descriptor accepted(platform::accept_connection(listening.get(), nullptr, nullptr));
  REQUIRE(accepted);
  for (const Descriptor* socket : {&listening, &client, &accepted}) CHECK(has_own_flags(socket->get()));
  CHECK(platform::is_own_peer(client.get()));
  CHECK(platform::is_own_peer(accepted.get()));
  if (const auto peer = platform::peer_of(client.get())) {
    CHECK(peer->user == ::geteuid());
    CHECK(peer->process == ::getpid());
  }
}

TEST_CASE("the other end of a socket is known by its user", "[platform]") {
  int pair[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  const Descriptor one(pair[0]), other(pair[1]);
  CHECK(platform::is_own_peer(one.get()));
  const Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  CHECK(!platform::is_own_peer(nothing.get()));
}

}  // namespace leanbridge
