#include "connection.hpp"
#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "core/platform/sockets.hpp"
#include "http/server.hpp"
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <map>

namespace leanbridge::http {

namespace {

constexpr int kBacklog = 512;
constexpr auto kPauseWithoutDescriptors = std::chrono::milliseconds(100);

/// An address in the form for bind() and connect().
struct Name {
  sockaddr_storage bytes{};
  socklen_t length = 0;

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&bytes); }
};

std::optional<Name> name_of(const ListenAddress& address) {
  Name name;
  if (address.is_unix()) {
    auto* un = reinterpret_cast<sockaddr_un*>(&name.bytes);
    if (address.path.size() >= sizeof un->sun_path) return std::nullopt;
    un->sun_family = AF_UNIX;
    std::memcpy(un->sun_path, address.path.c_str(), address.path.size() + 1);
    name.length = sizeof *un;
    return name;
  }
  auto* in = reinterpret_cast<sockaddr_in*>(&name.bytes);
  auto* in6 = reinterpret_cast<sockaddr_in6*>(&name.bytes);
  if (::inet_pton(AF_INET, address.host.c_str(), &in->sin_addr) == 1) {
    in->sin_family = AF_INET;
    in->sin_port = htons(address.port);
    name.length = sizeof *in;
    return name;
  }
  name.bytes = {};
  if (::inet_pton(AF_INET6, address.host.c_str(), &in6->sin6_addr) != 1) return std::nullopt;
  in6->sin6_family = AF_INET6;
  in6->sin6_port = htons(address.port);
  name.length = sizeof *in6;
  return name;
}

unsigned short port_of(int socket) {
  Name name;
  name.length = sizeof name.bytes;
  if (::getsockname(socket, name.get(), &name.length) != 0) return 0;
  if (name.bytes.ss_family == AF_INET) return ntohs(reinterpret_cast<sockaddr_in*>(&name.bytes)->sin_port);
  return ntohs(reinterpret_cast<sockaddr_in6*>(&name.bytes)->sin6_port);
}

std::string client_of(int socket, Name& name) {
  char text[INET6_ADDRSTRLEN] = "";
  if (name.bytes.ss_family == AF_INET) {
    ::inet_ntop(AF_INET, &reinterpret_cast<sockaddr_in*>(&name.bytes)->sin_addr, text, sizeof text);
    return text;
  }
  if (name.bytes.ss_family == AF_INET6) {
    ::inet_ntop(AF_INET6, &reinterpret_cast<sockaddr_in6*>(&name.bytes)->sin6_addr, text, sizeof text);
    return text;
  }
  const auto peer = platform::peer_of(socket);
  return peer ? "pid " + std::to_string(peer->process) : "unix";
}

tl::unexpected<Error> cannot_listen(const ListenAddress& address, const std::string& why, std::string hint) {
  const std::string where =
      address.is_unix() ? "unix:" + address.path : address.host + " port " + std::to_string(address.port);
  return fail(ErrorKind::Internal, "Cannot listen on " + where + ": " + why + ".", std::move(hint));
}

// Whether the socket's server is gone: a server that was killed leaves its socket behind as a file.
bool nobody_answers(Name& name) {
  const Descriptor probe(platform::open_socket(AF_UNIX));
  return probe && ::connect(probe.get(), name.get(), name.length) != 0 && errno == ECONNREFUSED;
}

Result<Descriptor> open_socket(const ListenAddress& address) {
  auto name = name_of(address);
  if (!name)
    return cannot_listen(address, address.is_unix() ? "the path is too long" : "this is not an IP address",
                         "Pass another address.");
  Descriptor socket(platform::open_socket(name->bytes.ss_family));
  if (!socket) return cannot_listen(address, std::strerror(errno), "");
  const int on = 1;
  if (!address.is_unix()) ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  struct stat status {};
  if (address.is_unix() && ::lstat(address.path.c_str(), &status) == 0) {
    if (!S_ISSOCK(status.st_mode) || !nobody_answers(*name))
      return cannot_listen(address,
                           S_ISSOCK(status.st_mode) ? "another server answers there" : "the file exists",
                           "Pass another path, or stop that server.");
    ::unlink(address.path.c_str());
  }
  // Only this user may use it, from the first moment on.
  const mode_t mask = ::umask(0177);
  const int bound = ::bind(socket.get(), name->get(), name->length);
  const int why = errno;
  ::umask(mask);
  if (bound != 0 || ::listen(socket.get(), kBacklog) != 0)
    return cannot_listen(address, std::strerror(bound != 0 ? why : errno),
                         "Stop the program that listens there, or pass port 0 for a free one.");
  return Result<Descriptor>(std::move(socket));
}

class Listener final : public Server, public std::enable_shared_from_this<Listener> {
 public:
  Listener(asio::io_context& context, Descriptor socket, ListenAddress address, ServerLimits limits,
           ServerHandlers handlers)
      : context_(context),
        address_(std::move(address)),
        limits_(limits),
        handlers_(std::make_shared<const ServerHandlers>(std::move(handlers))),
        bodies_(std::make_shared<BodyBudget>(limits_.max_bodies, limits_.max_client_bodies)),
        socket_(context, socket.release()) {
    if (!address_.is_unix()) address_.port = port_of(socket_.native_handle());
  }
  ~Listener() override {
    if (address_.is_unix() && socket_.is_open()) ::unlink(address_.path.c_str());
  }

  void start() { io::spawn(context_, accept_all(shared_from_this())); }

  std::string url() const override {
    if (address_.is_unix()) return "unix:" + address_.path;
    const bool is_v6 = address_.host.find(':') != std::string::npos;
    return "http://" + (is_v6 ? "[" + address_.host + "]" : address_.host) + ":" +
           std::to_string(address_.port);
  }
  void drain() override {
    stop();
    for (const auto& connection : all()) connection->drain();
  }
  void close() override {
    stop();
    for (const auto& connection : all()) connection->close();
  }
  std::size_t connections() const override { return open_.size(); }
  std::uint64_t refused_connections() const override { return refused_; }

 private:
  static asio::awaitable<void> accept_all(std::shared_ptr<Listener> self) {
    for (;;) {
      boost::system::error_code error;
      co_await self->socket_.async_wait(asio::posix::stream_descriptor::wait_read,
                                        asio::redirect_error(asio::use_awaitable, error));
      if (error || !self->socket_.is_open()) co_return;
      while (self->accept_one()) {
      }
      if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
        co_await io::sleep_for(kPauseWithoutDescriptors, io::CancelScope(2 * kPauseWithoutDescriptors));
    }
  }

  // Returns false, with errno set, if there are no more to accept.
  bool accept_one() {
    Name name;
    name.length = sizeof name.bytes;
    Descriptor accepted(platform::accept_connection(socket_.native_handle(), name.get(), &name.length));
    if (!accepted) return errno == ECONNABORTED || errno == EINTR;
    const int on = 1;
    if (!address_.is_unix()) ::setsockopt(accepted.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const std::string client = client_of(accepted.get(), name);
    if (open_.size() >= limits_.max_connections || by_client_[client] >= limits_.max_client_connections) {
      if (by_client_[client] == 0) by_client_.erase(client);
      if (refused_++ % 1000 == 0) log::warn("{}: too many connections; one was closed.", client);
      return true;
    }
    const std::uint64_t serial = ++serial_;
    auto connection = serve_connection(context_, std::move(accepted), client, limits_, bodies_, handlers_,
                                       [weak = weak_from_this(), serial, client] {
                                         if (const auto self = weak.lock()) self->ended(serial, client);
                                       });
    if (!connection) return true;
    ++by_client_[client];
    open_.emplace(serial, std::move(connection));
    return true;
  }

  void ended(std::uint64_t serial, const std::string& client) {
    open_.erase(serial);
    const auto count = by_client_.find(client);
    if (count != by_client_.end() && --count->second == 0) by_client_.erase(count);
  }

  void stop() {
    if (!socket_.is_open()) return;
    if (address_.is_unix()) ::unlink(address_.path.c_str());
    boost::system::error_code ignored;
    socket_.close(ignored);
  }

  std::vector<std::shared_ptr<Connection>> all() const {
    std::vector<std::shared_ptr<Connection>> all;
    all.reserve(open_.size());
    for (const auto& [serial, connection] : open_) all.push_back(connection);
    return all;
  }

  asio::io_context& context_;
  ListenAddress address_;
  ServerLimits limits_;
  std::shared_ptr<const ServerHandlers> handlers_;
  std::shared_ptr<BodyBudget> bodies_;
  asio::posix::stream_descriptor socket_;
  std::map<std::uint64_t, std::shared_ptr<Connection>> open_;
  std::map<std::string, std::size_t> by_client_;
  std::uint64_t serial_ = 0;
  std::uint64_t refused_ = 0;
};

}  // namespace

bool ListenAddress::is_local() const {
  if (is_unix() || host == "::1") return true;
  in_addr v4{};
  return ::inet_pton(AF_INET, host.c_str(), &v4) == 1 && (ntohl(v4.s_addr) >> 24U) == 127;
}

Result<ListenAddress> parse_listen_address(const std::string& text) {
  constexpr std::string_view kUnix = "unix:";
  const auto wrong = [&] {
    return fail(ErrorKind::InvalidArgument, "'" + text + "' is no address to listen on.",
                "Pass IP:PORT such as 127.0.0.1:8765 (port 0: any free one), or unix:PATH.");
  };
  ListenAddress address;
  if (text.starts_with(kUnix)) {
    address.path = text.substr(kUnix.size());
    if (address.path.empty() || address.path.find('\0') != std::string::npos) return wrong();
    return address;
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return wrong();
  address.host = text.substr(0, colon);
  const char* const first = text.data() + colon + 1;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, address.port);
  if (error != std::errc() || end != last || first == last) return wrong();
  if (address.host == "localhost") address.host = "127.0.0.1";
  const bool in_brackets = address.host.starts_with("[") && address.host.ends_with("]");
  if (in_brackets) address.host = address.host.substr(1, address.host.size() - 2);
  if (in_brackets != (address.host.find(':') != std::string::npos) || !name_of(address)) return wrong();
  return address;
}

Result<std::shared_ptr<Server>> Server::listen(asio::io_context& context, ListenAddress address,
                                               ServerLimits limits, ServerHandlers handlers) {
  TRY(auto socket, open_socket(address));
  auto listener =
      std::make_shared<Listener>(context, std::move(socket), std::move(address), limits, std::move(handlers));
  listener->start();
  return std::shared_ptr<Server>(std::move(listener));
}

}  // namespace leanbridge::http
