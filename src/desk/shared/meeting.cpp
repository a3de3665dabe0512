#include "meeting.hpp"

#include "core/base/try.hpp"
#include "core/platform/sockets.hpp"
#include "handshake.hpp"
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <thread>

namespace leanbridge::app {

namespace fs = std::filesystem;

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr auto kLookAgain = std::chrono::milliseconds(5);
constexpr auto kPollSlice = std::chrono::milliseconds(50);
constexpr const char* kLock = "lock";
constexpr int kMaxTries = 5;  // attempts with servers that end before they answer
constexpr const char* kFolderHint = "Set XDG_RUNTIME_DIR to a folder of your own with mode 0700.";

std::string because() {
  return std::strerror(errno);
}

// Checks a private folder that existed before: others could have made it, to put a server of theirs into it.
Result<void> check_folder(const fs::path& folder) {
  const auto refuse = [&](const std::string& why) {
    return fail(ErrorKind::NotSupported, "The folder of the sockets, " + folder.string() + ", " + why + ".",
                kFolderHint);
  };
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (!opened || ::fstat(opened.get(), &status) != 0) return refuse("cannot be used: " + because());
  if (status.st_uid != ::geteuid()) return refuse("belongs to another user");
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) return refuse("is open to other users");
  return {};
}

Result<sockaddr_un> address_of(const fs::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string& text = path.native();
  if (text.size() >= sizeof address.sun_path)
    return fail(
        ErrorKind::NotSupported,
        "The path of the socket is too long (" + std::to_string(text.size()) + " bytes): " + text + ".",
        "Set XDG_RUNTIME_DIR to a folder with a shorter path.");
  std::copy(text.begin(), text.end(), address.sun_path);
  return address;
}

const sockaddr* generic(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

// The deadline of an attempt, and whether it is still wanted.
struct Patience {
  SteadyClock::time_point deadline;
  const std::function<bool()>& given_up;

  bool ended() const { return SteadyClock::now() >= deadline || (given_up && given_up()); }
};

// Returns false when the patience has ended.
bool wait_until_ready(int socket, short events, const Patience& patience) {
  while (!patience.ended()) {
    pollfd ready{socket, events, 0};
    const int count = ::poll(&ready, 1, static_cast<int>(kPollSlice.count()));
    if (count > 0) return true;
    if (count < 0 && errno != EINTR) return false;
  }
  return false;
}

tl::unexpected<Error> took_too_long(const std::string& what) {
  return fail(ErrorKind::Timeout, "The shared server " + what + " in time.",
              "If it hangs, end it: its log names its process.");
}

// nullopt: no process listens there.
Result<std::optional<Descriptor>> try_connect(const sockaddr_un& address, const Patience& patience) {
  for (;;) {
    Descriptor socket(platform::open_socket(AF_UNIX));
    if (!socket) return fail(ErrorKind::Internal, "Could not open a socket: " + because() + ".");
    if (::connect(socket.get(), generic(address), sizeof address) == 0) {
      if (!platform::is_own_peer(socket.get()))
        return fail(ErrorKind::NotSupported,
                    "The server at " + std::string(address.sun_path) + " belongs to another user.",
                    kFolderHint);
      return std::optional<Descriptor>(std::move(socket));
    }
    if (errno == ENOENT || errno == ECONNREFUSED) return std::optional<Descriptor>();
    if (errno != EAGAIN && errno != EINTR)
      return fail(ErrorKind::NotSupported,
                  "Could not connect to " + std::string(address.sun_path) + ": " + because() + ".",
                  kFolderHint);
    // Its queue is full, because that many clients start at this moment.
    if (patience.ended()) return took_too_long("did not accept a connection");
    std::this_thread::sleep_for(kLookAgain);
  }
}

Result<Descriptor> connect_or_start(const Meeting& meeting, const sockaddr_un& address,
                                    const Patience& patience) {
  TRY(std::optional<Descriptor> socket, try_connect(address, patience));
  if (socket) return Result<Descriptor>(std::move(*socket));

  const Descriptor lock = lock_file(meeting.folder / kLock, [&] { return patience.ended(); });
  if (!lock) return took_too_long("could not be started");
  TRY(std::optional<Descriptor> meanwhile, try_connect(address, patience));
  if (meanwhile) return Result<Descriptor>(std::move(*meanwhile));

  // Under the lock, no other process starts a server: if the socket exists, it is a dead server's.
  if (::unlink(address.sun_path) != 0 && errno != ENOENT)
    return fail(ErrorKind::NotSupported,
                "Could not remove " + std::string(address.sun_path) + ": " + because() + ".", kFolderHint);
  const Descriptor listening(platform::open_socket(AF_UNIX));
  if (!listening || ::bind(listening.get(), generic(address), sizeof address) != 0 ||
      ::listen(listening.get(), kListenBacklog) != 0)
    return fail(ErrorKind::NotSupported,
                "Could not listen at " + std::string(address.sun_path) + ": " + because() + ".", kFolderHint);
  // Connect before the server has the socket, so that a client whose server fails at once does not wait for
  // it.
  TRY(std::optional<Descriptor> own, try_connect(address, patience));
  if (!own) return fail(ErrorKind::Internal, "Could not connect to a socket of this process.");
  TRY_DONE(meeting.start(listening.get()));
  return Result<Descriptor>(std::move(*own));
}

enum class Answer { Accepted, Ended };

bool send_line(int socket, std::string line, const Patience& patience) {
  line += '\n';
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t sent = ::send(socket, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent > 0)
      rest.remove_prefix(static_cast<std::size_t>(sent));
    else if (errno != EINTR && (errno != EAGAIN || !wait_until_ready(socket, POLLOUT, patience)))
      return false;
  }
  return true;
}

// Reads exactly one line: the bytes after it belong to the session.
Result<std::optional<std::string>> receive_line(int socket, const Patience& patience) {
  std::string line;
  std::array<char, 4096> piece{};
  while (line.size() <= kMaxGreeting) {
    const ssize_t seen = ::recv(socket, piece.data(), piece.size(), MSG_PEEK);
    if (seen < 0 && errno == EAGAIN) {
      if (!wait_until_ready(socket, POLLIN, patience)) return took_too_long("did not answer");
      continue;
    }
    if (seen < 0 && errno == EINTR) continue;
    if (seen <= 0) return std::optional<std::string>();
    const std::string_view bytes(piece.data(), static_cast<std::size_t>(seen));
    const std::size_t end = bytes.find('\n');
    const std::size_t taken = end == std::string_view::npos ? bytes.size() : end + 1;
    if (::recv(socket, piece.data(), taken, 0) != static_cast<ssize_t>(taken))
      return std::optional<std::string>();
    line.append(piece.data(), taken);
    if (end != std::string_view::npos) {
      line.pop_back();
      return std::optional(std::move(line));
    }
  }
  return fail(ErrorKind::Internal, "The shared server said something else than a greeting.");
}

Result<Answer> greet(int socket, const std::string& greeting, const Patience& patience) {
  // A server that ends closes the socket. Its answers are read even then.
  const bool sent = send_line(socket, greeting, patience);
  if (!sent && patience.ended()) return took_too_long("did not read a greeting");
  TRY(const std::optional<std::string> line, receive_line(socket, patience));
  if (!line) return Answer::Ended;
  TRY(const Welcome welcome, read_welcome(*line));
  if (!welcome.refused.empty())
    return fail(ErrorKind::NotSupported, "The shared server has refused this client: " + welcome.refused);
  return Answer::Accepted;
}

}  // namespace

Result<fs::path> socket_folder(const EnvironmentLookup& environment) {
  fs::path folder = environment("XDG_RUNTIME_DIR").value_or("");
  if (folder.is_absolute()) {
    folder /= "leanbridge";
  } else {
    std::error_code error;
    folder = fs::temp_directory_path(error) / ("leanbridge-" + std::to_string(::geteuid()));
    if (error) return fail(ErrorKind::NotSupported, "There is no folder for sockets.", kFolderHint);
  }
  if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    return fail(ErrorKind::NotSupported,
                "The folder of the sockets, " + folder.string() + ", cannot be created: " + because() + ".",
                kFolderHint);
  TRY_DONE(check_folder(folder));
  return folder;
}

Result<Descriptor> connect_to_server(const fs::path& socket) {
  TRY(const sockaddr_un address, address_of(socket));
  const std::function<bool()> patient;
  TRY(std::optional<Descriptor> connected, try_connect(address, {SteadyClock::now(), patient}));
  if (!connected) return fail(ErrorKind::NotSupported, "Nothing listens at " + socket.string() + ".");
  return Result<Descriptor>(std::move(*connected));
}

Descriptor lock_sockets(const fs::path& folder, SteadyClock::time_point deadline) {
  return lock_file(folder / kLock, [&] { return SteadyClock::now() >= deadline; });
}

std::optional<FileIdentity> identity_of(const fs::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{static_cast<std::uint64_t>(status.st_dev), status.st_ino};
}

Result<Descriptor> attach(const Meeting& meeting, SteadyClock::time_point deadline) {
  TRY(const sockaddr_un address, address_of(meeting.folder / meeting.name));
  const Patience patience{deadline, meeting.given_up};
  for (int tries = 0; tries < kMaxTries; ++tries) {
    TRY(Descriptor socket, connect_or_start(meeting, address, patience));
    TRY(const Answer answer, greet(socket.get(), meeting.greeting, patience));
    if (answer == Answer::Accepted) return Result<Descriptor>(std::move(socket));
  }
  return fail(ErrorKind::NotSupported,
              std::to_string(kMaxTries) + " shared servers have ended before they answered.",
              "Their log says why.");
}

}  // namespace leanbridge::app
