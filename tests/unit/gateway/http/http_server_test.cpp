// The HTTP server: addresses, framing, and real connections on this machine.

#include "http/server.hpp"
#include "support/loop.hpp"
#include "support/platform.hpp"
#include "support/test_folder.hpp"
#include <arpa/inet.h>
#include <catch2/catch.hpp>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

namespace leanbridge::http::test {

using namespace leanbridge::test;

TEST_CASE("Addresses to listen on", "[http][server]") {
  CHECK(parse_listen_address("127.0.0.1:8765")->port == 8765);
  CHECK(parse_listen_address("localhost:0")->host == "127.0.0.1");
  CHECK(parse_listen_address("[::1]:80")->host == "::1");
  CHECK(parse_listen_address("unix:/run/x.sock")->path == "/run/x.sock");
  CHECK(parse_listen_address("127.0.0.1:8765")->is_local());
  CHECK(parse_listen_address("127.8.0.1:1")->is_local());
  CHECK(parse_listen_address("unix:x")->is_local());
  CHECK_FALSE(parse_listen_address("0.0.0.0:8765")->is_local());
  CHECK_FALSE(parse_listen_address("[::]:8765")->is_local());
  for (const char* text : {"", "8765", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "::1:80",
                           "[127.0.0.1]:80", "example.org:80", "unix:", "127.0.0.1:-1", ":80"})
    CHECK(parse_listen_address(text).error().kind == ErrorKind::InvalidArgument);
}

TEST_CASE("Framing that a proxy could read differently is refused", "[http][server]") {
  const auto problem = [](Fields fields, bool is_http_1_1 = true) {
    IncomingRequest head;
    head.fields = std::move(fields);
    return framing_problem(head, is_http_1_1).has_value();
  };
  CHECK_FALSE(problem({{"host", "x"}, {"content-length", "5"}}));
  CHECK_FALSE(problem({{"host", "x"}, {"transfer-encoding", "Chunked"}}));
  CHECK(problem({{"host", "x"}, {"transfer-encoding", "identity"}}));
  CHECK(problem({{"host", "x"}, {"transfer-encoding", "xchunked"}}));
  CHECK(problem({{"host", "x"}, {"transfer-encoding", "gzip, chunked"}}));
  CHECK(problem({{"host", "x"}, {"transfer-encoding", "chunked"}, {"transfer-encoding", "chunked"}}));
  CHECK(problem({{"host", "x"}, {"transfer-encoding", "chunked"}, {"content-length", "5"}}));
  CHECK(problem({{"host", "x"}, {"content-length", "5"}, {"content-length", "5"}}));
  for (const char* length : {"5, 5", "5,5", "+5", "0x5", "", "5 "})
    CHECK(problem({{"host", "x"}, {"content-length", length}}));
  CHECK(problem({{"host", "x"}, {"host", "y"}}));
  CHECK(problem({}));
  CHECK_FALSE(problem({}, false));
  CHECK(problem({{"transfer-encoding", "chunked"}}, false));
}

namespace {

struct ServerFixture {
  void listen(ServerLimits limits = {}, const std::string& address = {},
              std::function<std::string(const IncomingRequest&)> client_of = {}) {
    ServerHandlers handlers;
    handlers.client_of = std::move(client_of);
    handlers.check = [](const IncomingRequest& head) -> std::optional<OutgoingResponse> {
      if (head.target == "/refused") return OutgoingResponse{.status = 403, .body = "no"};
      return std::nullopt;
    };
    handlers.handle = [this](std::shared_ptr<Exchange> exchange) {
      exchanges.push_back(std::move(exchange));
    };
    auto listening =
        Server::listen(loop.context, parse_listen_address(address.empty() ? "127.0.0.1:0" : address).value(),
                       limits, std::move(handlers));
    REQUIRE(listening);
    server = std::move(*listening);
  }
  ~ServerFixture() {
    for (const int socket : sockets) ::close(socket);
    if (server) server->close();
    loop.settle();
  }

  int connect() {
    const std::string url = server->url();
    const int socket = ::socket(url.starts_with("unix:") ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
    sockets.push_back(socket);
    if (url.starts_with("unix:")) {
      sockaddr_un name{};
      name.sun_family = AF_UNIX;
      std::strncpy(name.sun_path, url.c_str() + 5, sizeof name.sun_path - 1);
      REQUIRE(::connect(socket, reinterpret_cast<sockaddr*>(&name), sizeof name) == 0);
    } else {
      sockaddr_in name{};
      name.sin_family = AF_INET;
      name.sin_port = htons(static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))));
      ::inet_pton(AF_INET, "127.0.0.1", &name.sin_addr);
      REQUIRE(::connect(socket, reinterpret_cast<sockaddr*>(&name), sizeof name) == 0);
    }
    return socket;
  }
  void send(int socket, const std::string& bytes) {
    REQUIRE(::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()));
  }
  /// Reads until what has come ends with `end`; "" is the end of the connection.
  std::string read(int socket, const std::string& end) {
    std::string text;
    bool over = false;
    const bool came = loop.until([&] {
      char bytes[4096];
      const ssize_t count = ::recv(socket, bytes, sizeof bytes, MSG_DONTWAIT);
      if (count > 0) text.append(bytes, static_cast<std::size_t>(count));
      over = over || count == 0 || (count < 0 && errno == ECONNRESET);
      return end.empty() ? over : text.ends_with(end);
    });
    INFO(text);
    REQUIRE(came);
    return text;
  }
  std::shared_ptr<Exchange> exchange() {
    REQUIRE(loop.until([&] { return !exchanges.empty(); }));
    auto one = std::move(exchanges.front());
    exchanges.erase(exchanges.begin());
    return one;
  }
  static std::string post(const std::string& body) {
    return "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
           body;
  }

  Loop loop;
  std::shared_ptr<Server> server;
  std::vector<std::shared_ptr<Exchange>> exchanges;
  std::vector<int> sockets;
};

}  // namespace

TEST_CASE_METHOD(ServerFixture, "requests of one connection are answered in order", "[http][server]") {
  listen();
  const int client = connect();
  send(client, post("one") + post("two"));
  auto first = exchange();
  CHECK(first->request().body == "one");
  CHECK(first->request().client == "127.0.0.1");
  first->respond({.status = 202});
  CHECK(read(client, "\r\n\r\n").starts_with("HTTP/1.1 202 Accepted\r\n"));
  auto second = exchange();
  second->respond({.fields = {{"x-a", "b"}}, .body = "two again"});
  CHECK(read(client, "two again").find("x-a: b\r\n") != std::string::npos);
}

TEST_CASE_METHOD(ServerFixture, "an answer may come in parts", "[http][server]") {
  listen();
  const int client = connect();
  send(client, post("x"));
  auto stream = exchange();
  stream->begin({.fields = {{"content-type", "text/event-stream"}}});
  CHECK(read(client, "\r\n\r\n").find("Transfer-Encoding: chunked") != std::string::npos);
  CHECK(stream->write("data: 1\n\n"));
  CHECK(read(client, "\n\n\r\n") == "9\r\ndata: 1\n\n\r\n");
  stream->end();
  CHECK(read(client, "0\r\n\r\n") == "0\r\n\r\n");
  send(client, post("next"));
  CHECK(exchange()->request().body == "next");
}

TEST_CASE_METHOD(ServerFixture, "a client that goes away is noticed", "[http][server]") {
  listen();
  const int client = connect();
  send(client, post("x"));
  auto waiting = exchange();
  int told = 0;
  waiting->on_closed = [&] { ++told; };
  ::shutdown(client, SHUT_RDWR);
  CHECK(loop.until([&] { return told == 1; }));
  CHECK(waiting->closed());
  CHECK_FALSE(waiting->write("late"));
  CHECK(loop.until([&] { return server->connections() == 0; }));
}

TEST_CASE_METHOD(ServerFixture, "a refused head ends the connection before its body is read",
                 "[http][server]") {
  listen();
  const int client = connect();
  send(client, "POST /refused HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n");
  CHECK(read(client, "").starts_with("HTTP/1.1 403"));
  CHECK(exchanges.empty());
}

TEST_CASE_METHOD(ServerFixture, "what is not HTTP, or too long, is refused", "[http][server]") {
  ServerLimits limits;
  limits.max_head = 1000;
  limits.max_body = 10;
  listen(limits);
  const auto answer = [&](const std::string& bytes) {
    const int client = connect();
    send(client, bytes);
    return read(client, "").substr(0, 12);
  };
  CHECK(answer("hello\r\n\r\n") == "HTTP/1.1 400");
  CHECK(answer("GET / HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n") == "HTTP/1.1 400");
  CHECK(answer("GET / HTTP/1.1\r\nHost: x\r\nA: " + std::string(2000, 'a') + "\r\n\r\n") == "HTTP/1.1 431");
  CHECK(answer("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n") == "HTTP/1.1 413");
  CHECK(
      answer(
          "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n01234567890\r\n0\r\n\r\n") ==
      "HTTP/1.1 413");
  CHECK(
      answer(
          "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n") ==
      "HTTP/1.1 400");
  CHECK(answer("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!") ==
        "HTTP/1.1 400");
  CHECK(exchanges.empty());
}

TEST_CASE_METHOD(ServerFixture, "a client that is too slow is closed", "[http][server]") {
  ServerLimits limits;
  limits.head_limit = limits.body_limit = limits.idle_limit = std::chrono::milliseconds(50);
  listen(limits);
  const int idle = connect(), half = connect(), short_body = connect();
  send(half, "POST / HTTP/1.1\r\nHo");
  send(short_body, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab");
  for (const int client : {idle, half, short_body}) CHECK(read(client, "").empty());
  CHECK(loop.until([&] { return server->connections() == 0; }));
}

TEST_CASE_METHOD(ServerFixture, "a reader that takes nothing loses its stream", "[http][server]") {
  ServerLimits limits;
  limits.max_queued = 1 << 20;
  limits.write_limit = std::chrono::milliseconds(100);
  listen(limits);
  const int client = connect();
  send(client, post("x"));
  auto stream = exchange();
  stream->begin({});
  int told = 0;
  stream->on_closed = [&] { ++told; };
  CHECK(loop.until([&] { return !stream->write(std::string(1 << 20, 'x')) || told > 0; }));
  CHECK(loop.until([&] { return server->connections() == 0; }));
  CHECK(told == 1);
}

TEST_CASE_METHOD(ServerFixture, "connections are limited", "[http][server]") {
  ServerLimits limits;
  limits.max_client_connections = 2;
  listen(limits);
  const int one = connect(), two = connect(), three = connect();
  CHECK(read(three, "").empty());
  CHECK(server->connections() == 2);
  CHECK(server->refused_connections() == 1);
  for (const int client : {one, two}) send(client, post("x"));
  exchange();
  exchange();
}

TEST_CASE_METHOD(ServerFixture,
                 "bodies that are held count from their heads on, until the handler drops them",
                 "[http][server]") {
  ServerLimits limits;
  limits.max_body = 100;
  limits.max_bodies = 250;
  limits.max_client_bodies = 200;
  listen(limits, {},
         [](const IncomingRequest& head) { return std::string(head.field("x-client").value_or("")); });
  const auto head = [](const char* client, const char* length) {
    return std::string("POST / HTTP/1.1\r\nHost: x\r\nX-Client: ") + client + "\r\n" + length + "\r\n\r\n";
  };
  const auto refused = [&](const char* client, const char* length) {
    const int socket = connect();
    send(socket, head(client, length));
    return read(socket, "").substr(0, 12);
  };
  const int withheld = connect(), chunked = connect();
  send(withheld, head("a", "Content-Length: 100"));
  send(chunked, head("a", "Transfer-Encoding: chunked"));
  CHECK(loop.until([&] { return server->connections() == 2; }));
  loop.settle();
  CHECK(refused("a", "Content-Length: 1") == "HTTP/1.1 429");
  CHECK(refused("b", "Content-Length: 51") == "HTTP/1.1 503");
  const int other = connect();
  send(other, head("b", "Content-Length: 50") + std::string(50, 'x'));
  auto first = exchange();
  CHECK(refused("c", "Content-Length: 1") == "HTTP/1.1 503");
  first->request().body_share.reset();
  const int third = connect();
  send(third, head("c", "Content-Length: 50") + std::string(50, 'x'));
  auto second = exchange();
  for (const auto& each : {first, second}) each->respond({});
  // A connection that ends gives its bytes back.
  ::shutdown(withheld, SHUT_RDWR);
  const std::size_t before = server->connections();
  CHECK(loop.until([&] { return server->connections() < before; }));
  const int fourth = connect();
  send(fourth, head("a", "Content-Length: 100") + std::string(100, 'x'));
  exchange()->respond({});
}

TEST_CASE_METHOD(ServerFixture, "draining waits for what is under way", "[http][server]") {
  listen();
  const int idle = connect(), busy = connect();
  send(busy, post("x"));
  auto under_way = exchange();
  REQUIRE(loop.until([&] { return server->connections() == 2; }));
  server->drain();
  CHECK(read(idle, "").empty());
  under_way->respond({.body = "done"});
  CHECK(read(busy, "").ends_with("done"));
}

TEST_CASE_METHOD(ServerFixture, "a Unix socket is the user's own, and a dead one gives way",
                 "[http][server]") {
  const TestFolder folder;
  const std::string address = "unix:" + (folder / "s").string();
  listen({}, address);
  CHECK(std::filesystem::status(folder / "s").permissions() ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
  const int client = connect();
  send(client, post("x"));
  const bool is_told = platform() != "posix";
  CHECK(exchange()->request().client == (is_told ? "pid " + std::to_string(::getpid()) : "unix"));
  const auto again = Server::listen(loop.context, parse_listen_address(address).value(), {}, {});
  REQUIRE_FALSE(again);
  CHECK(again.error().message.find("another server answers") != std::string::npos);
  server->close();
  CHECK_FALSE(std::filesystem::exists(folder / "s"));

  // A server that was killed leaves the file.
  const int dead = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::strncpy(name.sun_path, (folder / "s").c_str(), sizeof name.sun_path - 1);
  REQUIRE(::bind(dead, reinterpret_cast<sockaddr*>(&name), sizeof name) == 0);
  ::close(dead);
  listen({}, address);
  CHECK(server->url() == address);
}

}  // namespace leanbridge::http::test
