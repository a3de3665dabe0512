// The shared server: accepts clients from a socket, gives each a runtime of its own over one backend, and
// ends when it has had no client for a while.

#include "core/base/log.hpp"
#include "core/io/seconds.hpp"
#include "core/platform/program.hpp"
#include "core/platform/sockets.hpp"
#include "core/program/backend.hpp"
#include "core/program/interrupts.hpp"
#include "core/program/line_client.hpp"
#include "core/program/runtime.hpp"
#include "desk/desk_options.hpp"
#include "handshake.hpp"
#include "launch.hpp"
#include "meeting.hpp"
#include "shared.hpp"
#include "watchers.hpp"
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <set>
#include <utility>

namespace leanbridge::app {

namespace {

constexpr std::size_t kMaxClients = 64;
constexpr std::size_t kMaxUngreeted = 64;  // connections without a greeting
constexpr io::Clock::duration kGreetingLimit = std::chrono::seconds(10);
constexpr io::Clock::duration kWaitAfterFailure = std::chrono::milliseconds(200);
constexpr auto kLockLimit = std::chrono::seconds(1);
constexpr std::size_t kMaxLogBytes = std::size_t{1} << 20;  // used twice, since the previous log is kept
constexpr std::size_t kMaxLogs = 8;                         // logs of other servers

// --- the log

// Each build and each environment has a log of its own: removes the oldest.
void remove_old_logs(const std::filesystem::path& own) {
  namespace fs = std::filesystem;
  std::vector<std::pair<fs::file_time_type, fs::path>> logs;
  std::error_code error, ignored;
  for (fs::directory_iterator entry(own.parent_path(), error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with("shared-") && name.find(".log") != std::string::npos &&
        !name.starts_with(own.filename().string()))
      logs.emplace_back(entry->last_write_time(ignored), entry->path());
  }
  std::sort(logs.rbegin(), logs.rend());
  for (std::size_t i = kMaxLogs; i < logs.size(); ++i) fs::remove(logs[i].second, ignored);
}

Options with_log_file(Options options) {
  const auto log = server_log(own_environment(), options.of<SharedOptions>().key);
  if (log.empty()) return options;
  options.log_file = log.string();
  options.max_log_bytes = kMaxLogBytes;
  remove_old_logs(log);
  return options;
}

// --- clients

// A connection before its greeting has come.
struct Arrival {
  std::shared_ptr<asio::posix::stream_descriptor> socket;
  std::string bytes;
  io::Condition changed;
  bool over = false;  // it was greeted or refused, or is gone
};

class SharedServer {
 public:
  explicit SharedServer(const Options& options)
      : options_(with_log_file(options)),
        backend_(options_),
        listening_(context(), kListeningDescriptor),
        interrupts_(
            context(), [this](const std::string& why) { end(why); },
            [this] {
              backend_.projects().kill();
              context().stop();
            }) {}

  int run() {
    ::fcntl(kListeningDescriptor, F_SETFD, FD_CLOEXEC);  // Lean must not inherit it
    ::listen(kListeningDescriptor, kListenBacklog);      // from now on, peers see this process behind the
                                                         // socket
    find_own_path();
    log::info("serving clients at {}, process {}", path_.string(), ::getpid());
    io::spawn(context(), accept_all());
    io::spawn(context(), end_when_idle());
    io::spawn(context(), backend_.keep_memory_free(options_.min_free_mb << 20,
                                                   io::CancelScope(io::kNoDeadline, ended_)));
    interrupts_.serve();
    return 0;
  }

 private:
  asio::io_context& context() { return backend_.context(); }

  void find_own_path() {
    sockaddr_un address{};
    socklen_t size = sizeof address;
    if (::getsockname(kListeningDescriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0)
      path_ = std::string(address.sun_path, ::strnlen(address.sun_path, sizeof address.sun_path));
    identity_ = identity_of(path_);
  }

  // --- arrivals

  asio::awaitable<void> accept_all() {
    while (!interrupts_.draining()) {
      boost::system::error_code error;
      co_await listening_.async_wait(asio::posix::stream_descriptor::wait_read,
                                     asio::redirect_error(asio::use_awaitable, error));
      if (error || interrupts_.draining()) co_return;
      if (accept_waiting()) continue;
      // There are no descriptors left: waiting clients stay in the queue.
      co_await io::sleep_for(kWaitAfterFailure, io::CancelScope(2 * kWaitAfterFailure, ended_));
    }
  }

  // Accepts all connections in the queue. Returns false if that failed for lack of a resource that may come
  // back.
  bool accept_waiting() {
    for (;;) {
      Descriptor socket(platform::accept_connection(kListeningDescriptor, nullptr, nullptr));
      if (!socket) return errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
      // The folder keeps others out; this check is for the case that its mode is changed.
      if (!platform::is_own_peer(socket.get())) {
        log::warn("A connection of another user was closed.");
        continue;
      }
      if (arrivals_ >= kMaxUngreeted) continue;
      const int own = ::fcntl(socket.get(), F_DUPFD_CLOEXEC, 0);
      if (own < 0) return false;
      const auto arrival = std::make_shared<Arrival>();
      arrival->socket = std::make_shared<asio::posix::stream_descriptor>(context(), own);
      greet(arrival);
    }
  }

  void greet(const std::shared_ptr<Arrival>& arrival) {
    ++arrivals_;
    const auto on_bytes = [this, arrival](std::string_view bytes) {
      if (arrival->over) return false;
      arrival->bytes += bytes;
      const std::size_t end = arrival->bytes.find('\n');
      if (end == std::string::npos && arrival->bytes.size() <= kMaxGreeting) return true;
      admit(arrival, end);
      return false;
    };
    const auto on_end = [this, arrival](const std::string&) { forget(*arrival); };
    io::spawn(context(), io::read_to_end(arrival->socket, on_bytes, on_end));
    io::spawn(context(), limit(arrival));
  }

  asio::awaitable<void> limit(std::shared_ptr<Arrival> arrival) {
    co_await io::wait_until(arrival->changed, io::CancelScope(kGreetingLimit, ended_),
                            [&arrival] { return arrival->over; });
    if (arrival->over) co_return;
    log::info("a connection without a greeting was closed");
    forget(*arrival);
  }

  void forget(Arrival& arrival) {
    if (arrival.over) return;
    arrival.over = true;
    --arrivals_;
    boost::system::error_code ignored;
    arrival.socket->close(ignored);
    arrival.changed.notify_all();
    changed_.notify_all();
  }

  // Called when its greeting has come; `end` is the end of the line.
  void admit(const std::shared_ptr<Arrival>& arrival, std::size_t end) {
    if (end != std::string::npos)
      if (const auto watch = read_watch_greeting(std::string_view(arrival->bytes).substr(0, end)))
        return admit_watcher(*arrival, *watch);
    const Result<Greeting> greeting =
        end == std::string::npos
            ? Result<Greeting>(fail(ErrorKind::InvalidArgument, "Its greeting is too long."))
            : read_greeting(std::string_view(arrival->bytes).substr(0, end));
    std::shared_ptr<Runtime> runtime;
    const std::string refused = greeting ? prepare(*greeting, runtime) : greeting.error().message;
    const std::string line = to_line(Welcome{refused}) + "\n";
    // The line is short and the first on this connection, so it always fits.
    const int socket = arrival->socket->native_handle();
    const bool told = ::send(socket, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT) ==
                      static_cast<ssize_t>(line.size());
    const int input = told && refused.empty() ? ::fcntl(socket, F_DUPFD_CLOEXEC, 0) : -1;
    const int output = input < 0 ? -1 : ::fcntl(socket, F_DUPFD_CLOEXEC, 0);
    const std::string begun = arrival->bytes.substr(std::min(end, arrival->bytes.size() - 1) + 1);
    forget(*arrival);
    if (output >= 0) return serve(runtime, input, output, begun);
    if (input >= 0) ::close(input);
    if (!refused.empty()) log::warn("A client was refused: {}", refused);
  }

  // A watcher sends nothing more and gets no session: from here on there is no way to either.
  void admit_watcher(Arrival& arrival, const WatchGreeting& greeting) {
    const int own = ::fcntl(arrival.socket->native_handle(), F_DUPFD_CLOEXEC, 0);
    forget(arrival);
    if (own < 0) return;
    const auto output = std::make_shared<io::OutgoingQueue>(asio::posix::stream_descriptor(context(), own));
    const std::string refused = greeting.watch != LEANBRIDGE_VERSION ? "It is another build."
                                : watchers_->is_full()               ? "It has enough watchers already."
                                                                     : "";
    output->send(to_line(Welcome{refused}) + "\n");
    if (!refused.empty()) return output->close_when_drained();
    watchers_->add(output);
    log::info("somebody watches");
  }

  // Tells watchers the number of clients, and how many of them may be watched.
  void count_clients() {
    watchers_->set_clients(clients_.size(),
                           static_cast<std::size_t>(std::ranges::count_if(clients_, [](const auto& client) {
                             return static_cast<bool>(client->observe_call);
                           })));
  }

  // Why the client cannot be served; empty: it can be, with `runtime`.
  std::string prepare(const Greeting& greeting, std::shared_ptr<Runtime>& runtime) {
    if (greeting.key != options_.of<SharedOptions>().key)
      return "It is another build, or has another environment.";
    if (clients_.size() >= kMaxClients) return "It has " + std::to_string(kMaxClients) + " clients already.";
    const Options own = options_of(greeting, options_);
    runtime = std::make_shared<Runtime>(backend_, own, std::nullopt, greeting.directory);
    if (const auto selected = runtime->select_tools(); !selected) return selected.error().message;
    runtime->connect();
    return "";
  }

  void serve(const std::shared_ptr<Runtime>& runtime, int input, int output, const std::string& begun) {
    const auto client = std::make_shared<LineClient>(*runtime, input, output, runtime);
    clients_.insert(client);
    ++visits_;
    const std::weak_ptr<LineClient> weak = client;
    client->on_end = [this, weak] {
      if (const auto gone = weak.lock()) io::spawn(context(), leave(gone));
    };
    if (runtime->options().of<SharedOptions>().watchable)
      client->observe_call = observer_of(watchers_, runtime, visits_);
    count_clients();
    log::info("client {} has come", clients_.size());
    client->start(begun);
  }

  // Its calls keep its runtime alive as long as they need it.
  asio::awaitable<void> leave(std::shared_ptr<LineClient> client) {
    co_await client->finish();
    clients_.erase(client);
    count_clients();
    log::info("a client has gone, {} left", clients_.size());
    changed_.notify_all();
  }

  // --- the end

  asio::awaitable<void> end_when_idle() {
    const auto idle = io::to_duration(options_.of<SharedOptions>().idle_s);
    while (!interrupts_.draining()) {
      if (!is_idle()) {
        co_await io::wait_until(changed_, io::CancelScope(io::kNoDeadline, ended_),
                                [this] { return is_idle(); });
        continue;
      }
      const std::uint64_t before = visits_;
      co_await io::sleep_for(idle, io::CancelScope(2 * idle, ended_));
      if (interrupts_.draining()) co_return;
      if (is_idle() && visits_ == before && close_socket()) co_return end("no client for a while");
    }
  }

  bool is_idle() const { return clients_.empty() && arrivals_ == 0; }

  // Closes the socket: a client that looks for a server from now on starts another one. Returns false if a
  // client has come at the last moment.
  bool close_socket() {
    const Descriptor lock = lock_sockets(path_.parent_path(), std::chrono::steady_clock::now() + kLockLimit);
    accept_waiting();
    if (!is_idle()) return false;
    remove_socket(lock);
    return true;
  }

  void remove_socket(const Descriptor& lock) {
    if (lock && identity_ && identity_of(path_) == identity_) ::unlink(path_.c_str());
    boost::system::error_code ignored;
    listening_.close(ignored);
  }

  void end(const std::string& why) {
    log::info("ending: {}", why);
    // If there are clients, they look for another server as soon as this one closes their connections.
    if (listening_.is_open())
      remove_socket(lock_sockets(path_.parent_path(), std::chrono::steady_clock::now() + kLockLimit));
    ended_->cancel();
    interrupts_.drain(stop());
  }

  asio::awaitable<void> stop() {
    watchers_->close();
    const auto clients = clients_;
    for (const auto& client : clients) client->end("the server ends", LineClient::End::Interrupted);
    co_await backend_.projects().stop(kStopGrace);
    co_await io::wait_until(changed_, io::CancelScope(3 * kStopGrace), [this] { return clients_.empty(); });
  }

  Options options_;
  Backend backend_;
  asio::posix::stream_descriptor listening_;
  Interrupts interrupts_;
  std::filesystem::path path_;
  std::optional<FileIdentity> identity_;
  std::set<std::shared_ptr<LineClient>> clients_;
  std::shared_ptr<Watchers> watchers_ = std::make_shared<Watchers>();
  std::size_t arrivals_ = 0;
  std::uint64_t visits_ = 0;  // number of clients so far
  io::Condition changed_;     // notified when a client has left
  std::shared_ptr<io::CancelSource> ended_ = std::make_shared<io::CancelSource>();
};

}  // namespace

std::optional<int> leave_parent() {
  const pid_t child = ::fork();
  if (child < 0) return 1;
  if (child > 0) return 0;
  // Hosts let their children inherit descriptors. If they stayed open here, the hosts' pipes would never end.
  platform::close_descriptors(kListeningDescriptor + 1);
  return std::nullopt;
}

int run_shared_server(const Options& options) {
  if (options.of<SharedOptions>().key.empty() || ::fcntl(kListeningDescriptor, F_GETFD) < 0) {
    std::fprintf(stderr, "leanbridge: %s is started by leanbridge --shared.\n", kSharedServerCommand);
    return 2;
  }
  return SharedServer(options).run();
}

}  // namespace leanbridge::app
