#include "desk/shared/watchers.hpp"

#include <catch2/catch.hpp>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <sstream>
#include <string>
#include <vector>

namespace leanbridge::app {

namespace {

std::vector<nlohmann::json> read_lines(int socket) {
  std::string text;
  std::array<char, 65536> piece{};
  for (ssize_t size = 0; (size = ::recv(socket, piece.data(), piece.size(), MSG_DONTWAIT)) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(size));
  std::vector<nlohmann::json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

}  // namespace

TEST_CASE("A slow watcher loses news, is told how much, and delays nobody", "[app][shared]") {
  std::array<int, 2> ends{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()) == 0);
  asio::io_context context;
  Watchers watchers;
  const auto output = std::make_shared<io::OutgoingQueue>(asio::posix::stream_descriptor(context, ends[0]));
  watchers.add(output);
  const nlohmann::json news = {{"call", 1}, {"edit", std::string(50'000, 'x')}};
  // Nothing is written while the loop does not run: the watcher reads nothing.
  for (int i = 0; i < 100; ++i) watchers.tell(news);
  CHECK(output->queued_bytes() <= std::size_t{1} << 20);
  CHECK(!output->closed());
  std::vector<nlohmann::json> lines;
  const auto read_all = [&] {
    for (int quiet = 0; quiet < 20;) {
      context.restart();
      context.poll();
      const auto more = read_lines(ends[1]);
      quiet = more.empty() ? quiet + 1 : 0;
      lines.insert(lines.end(), more.begin(), more.end());
    }
  };
  // What was not lost arrives, too; it is not looked at.
  while (output->queued_bytes() > 0) {
    context.restart();
    context.poll();
    std::array<char, 65536> piece{};
    while (::recv(ends[1], piece.data(), piece.size(), MSG_DONTWAIT) > 0) {
    }
  }
  watchers.tell({{"call", 2}});
  read_all();
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].at("lost").get<int>() >= 70);
  CHECK(lines[1].at("call") == 2);
  ::close(ends[1]);
  for (int i = 0; i < 5; ++i) {
    context.restart();
    context.poll();
    watchers.tell(news);
  }
  CHECK(watchers.is_empty());
}

}  // namespace leanbridge::app
