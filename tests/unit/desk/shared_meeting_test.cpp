#include "desk/shared/handshake.hpp"
#include "desk/shared/meeting.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace leanbridge::app {

namespace fs = std::filesystem;

namespace {

// Servers as threads of this process: each greets its clients with `answer`, or hangs up if that is empty.
class FakeServers {
 public:
  explicit FakeServers(std::function<std::string(int number)> answer) : answer_(std::move(answer)) {}
  ~FakeServers() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

  // Under the lock: never two at once.
  Result<void> start(int listening) {
    const int number = ++started;
    threads_.emplace_back(
        [this, number, socket = ::fcntl(listening, F_DUPFD_CLOEXEC, 0)] { serve(number, socket); });
    return {};
  }

  std::atomic<int> started = 0;

 private:
  void serve(int number, int listening) {
    std::vector<Descriptor> clients;
    while (!stop_) {
      pollfd ready{listening, POLLIN, 0};
      if (::poll(&ready, 1, 10) <= 0) continue;
      Descriptor client(::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC));
      if (!client) continue;
      std::string line;
      for (char c = 0; c != '\n' && ::read(client.get(), &c, 1) == 1;) line += c;
      const std::string answer = answer_(number);
      clients.push_back(std::move(client));
      // It dies: first for those who look for it, as by the kernel.
      if (answer.empty() || !write_all(clients.back().get(), answer + "\n")) break;
    }
    ::close(listening);
  }

  std::function<std::string(int)> answer_;
  std::atomic<bool> stop_ = false;
  std::vector<std::thread> threads_;
};

Meeting meeting_in(const test::TestFolder& folder, FakeServers& servers) {
  ::chmod(folder.path().c_str(), S_IRWXU);
  return {folder.path(), "0-key.socket", "{}",
          [&servers](int listening) { return servers.start(listening); }};
}

std::chrono::steady_clock::time_point in(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

std::string welcome(int) {
  return to_line(Welcome{});
}

EnvironmentLookup runtime_folder(const fs::path& folder) {
  return [folder](const std::string& name) -> std::optional<std::string> {
    return name == "XDG_RUNTIME_DIR" ? std::optional(folder.string()) : std::nullopt;
  };
}

}  // namespace

TEST_CASE("Clients that start at the same moment find one server", "[app][shared]") {
  const test::TestFolder folder;
  FakeServers servers(welcome);
  constexpr int kClients = 12;
  std::atomic<int> waiting = 0, attached = 0;
  const Meeting meeting = meeting_in(folder, servers);
  // All have found no server, and wait for the lock, before the first gets it.
  std::optional<Descriptor> lock = lock_sockets(folder.path(), in(std::chrono::seconds(30)));
  REQUIRE(*lock);
  std::vector<std::thread> clients;
  std::mutex mutex;
  std::vector<Descriptor> sockets;
  for (int i = 0; i < kClients; ++i)
    clients.emplace_back([&, waits = false]() mutable {
      Meeting own = meeting;
      own.given_up = [&] {  // asked while it waits
        if (!std::exchange(waits, true)) ++waiting;
        return false;
      };
      auto socket = attach(own, in(std::chrono::seconds(30)));
      if (!socket) return;
      ++attached;
      const std::lock_guard guard(mutex);
      sockets.push_back(std::move(*socket));
    });
  const auto enough = in(std::chrono::seconds(30));
  while (waiting < kClients && std::chrono::steady_clock::now() < enough)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  lock.reset();
  for (std::thread& client : clients) client.join();
  CHECK(attached == kClients);
  CHECK(servers.started == 1);
}

TEST_CASE("The socket of a dead server is replaced", "[app][shared]") {
  const test::TestFolder folder;
  FakeServers servers(welcome);
  const Meeting meeting = meeting_in(folder, servers);
  {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    (meeting.folder / meeting.name).string().copy(address.sun_path, sizeof address.sun_path - 1);
    const Descriptor dead(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    REQUIRE(::bind(dead.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    REQUIRE(::listen(dead.get(), 1) == 0);
  }
  REQUIRE(fs::exists(meeting.folder / meeting.name));
  CHECK(attach(meeting, in(std::chrono::seconds(30))));
  CHECK(servers.started == 1);
}

TEST_CASE("A server that ends before it answers is replaced, for a while", "[app][shared]") {
  const test::TestFolder folder;
  FakeServers servers([](int number) { return number < 3 ? "" : to_line(Welcome{}); });
  CHECK(attach(meeting_in(folder, servers), in(std::chrono::seconds(30))));
  CHECK(servers.started == 3);

  const test::TestFolder another;
  FakeServers mortal([](int) { return ""; });
  const auto never = attach(meeting_in(another, mortal), in(std::chrono::seconds(30)));
  REQUIRE(!never);
  CHECK(never.error().kind == ErrorKind::NotSupported);
  CHECK(never.error().message.find("ended before they answered") != std::string::npos);
  CHECK(mortal.started == 5);
}

TEST_CASE("A refusal has its reason, and no other server is started", "[app][shared]") {
  const test::TestFolder folder;
  FakeServers servers([](int) { return to_line(Welcome{"It is full."}); });
  const auto refused = attach(meeting_in(folder, servers), in(std::chrono::seconds(30)));
  REQUIRE(!refused);
  CHECK(refused.error().message.find("It is full.") != std::string::npos);
  CHECK(servers.started == 1);
}

TEST_CASE("A server that does not answer is given up at the deadline", "[app][shared]") {
  const test::TestFolder folder;
  FakeServers servers(welcome);
  Meeting meeting = meeting_in(folder, servers);
  std::vector<Descriptor> kept;
  meeting.start = [&kept](int listening) -> Result<void> {
    kept.emplace_back(::fcntl(listening, F_DUPFD_CLOEXEC, 0));
    return {};
  };
  const auto late = attach(meeting, in(std::chrono::milliseconds(100)));
  REQUIRE(!late);
  CHECK(late.error().kind == ErrorKind::Timeout);
  meeting.given_up = [] { return true; };
  CHECK(!attach(meeting, in(std::chrono::hours(1))));
}

TEST_CASE("Nobody waits longer than the deadline for the lock", "[app][shared]") {
  const test::TestFolder folder;
  FakeServers servers(welcome);
  const Meeting meeting = meeting_in(folder, servers);
  const Descriptor lock = lock_sockets(meeting.folder, in(std::chrono::seconds(30)));
  REQUIRE(lock);
  CHECK(!lock_sockets(meeting.folder, in(std::chrono::milliseconds(20))));
  const auto late = attach(meeting, in(std::chrono::milliseconds(20)));
  REQUIRE(!late);
  CHECK(late.error().kind == ErrorKind::Timeout);
  CHECK(servers.started == 0);
}

TEST_CASE("A start that fails leaves nothing behind that looks like a server", "[app][shared]") {
  const test::TestFolder folder;
  FakeServers servers(welcome);
  Meeting meeting = meeting_in(folder, servers);
  const auto start = meeting.start;
  meeting.start = [](int) -> Result<void> { return fail(ErrorKind::Internal, "No processes left."); };
  const auto failed = attach(meeting, in(std::chrono::seconds(30)));
  REQUIRE(!failed);
  CHECK(failed.error().message == "No processes left.");
  meeting.start = start;
  CHECK(attach(meeting, in(std::chrono::seconds(30))));
  CHECK(servers.started == 1);
}

TEST_CASE("Sockets are in a folder that only the user can enter", "[app][shared]") {
  const test::TestFolder folder;
  const auto made = socket_folder(runtime_folder(folder.path()));
  REQUIRE(made);
  CHECK(*made == folder.path() / "leanbridge");
  CHECK((fs::status(*made).permissions() & fs::perms::mask) == fs::perms::owner_all);
  CHECK(socket_folder(runtime_folder(folder.path())) == made);

  fs::permissions(*made, fs::perms::group_exec, fs::perm_options::add);
  const auto open = socket_folder(runtime_folder(folder.path()));
  REQUIRE(!open);
  CHECK(open.error().message.find("open to other users") != std::string::npos);

  fs::remove(*made);
  fs::create_directory(folder / "target");
  fs::permissions(folder / "target", fs::perms::owner_all);
  fs::create_directory_symlink(folder / "target", *made);
  CHECK(!socket_folder(runtime_folder(folder.path())));
  fs::remove(*made);
  folder.write("leanbridge", "a file");
  CHECK(!socket_folder(runtime_folder(folder.path())));
  CHECK(!socket_folder(runtime_folder(folder.path() / "missing")));
}

TEST_CASE("A socket whose path is too long is refused by name", "[app][shared]") {
  const test::TestFolder folder;
  FakeServers servers(welcome);
  Meeting meeting = meeting_in(folder, servers);
  meeting.name = std::string(120, 'x');
  const auto refused = attach(meeting, in(std::chrono::seconds(30)));
  REQUIRE(!refused);
  CHECK(refused.error().message.find("too long") != std::string::npos);
  CHECK(refused.error().hint.find("XDG_RUNTIME_DIR") != std::string::npos);
}

}  // namespace leanbridge::app
