#pragma once
/// How clients and their server find each other: by one socket in a folder of the user's, and one lock for
/// all processes that want to start a server. Everything here blocks.
///
/// | the socket                               | what a client does                                        |
/// |------------------------------------------|-----------------------------------------------------------|
/// | a server listens                         | greets it                                                 |
/// | none, or a dead one                      | takes the lock, looks again, listens, starts a server     |
/// | the server ends before it answers        | begins again: it has sent nothing of its own yet          |
/// | the server refuses, or does not answer   | gives up, with the reason                                 |
///
/// The client that starts a server listens itself and leaves the socket to it. Clients that arrive later,
/// even at the same moment, wait in the queue of that socket.

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/user_folders.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace leanbridge::app {

/// The folder of the sockets: `leanbridge` in $XDG_RUNTIME_DIR, else `leanbridge-UID` in the folder for
/// temporary files. Created with mode 0700. NotSupported if it belongs to another user, is a link, or if
/// others may enter it.
Result<std::filesystem::path> socket_folder(const EnvironmentLookup& environment);

struct Meeting {
  std::filesystem::path folder;
  std::string name;      ///< of the socket
  std::string greeting;  ///< one line, without its ending
  /// Starts a server on a listening socket; it takes a copy of the descriptor.
  std::function<Result<void>(int listening)> start;
  /// Whether the connection is no longer wanted; called while it is awaited. Empty: it is always wanted.
  std::function<bool()> given_up = nullptr;
};

/// A non-blocking connection to the server, which has accepted the greeting. NotSupported, with the reason,
/// if a connection is impossible; Timeout.
Result<Descriptor> attach(const Meeting& meeting, std::chrono::steady_clock::time_point deadline);

/// A non-blocking connection to the server at this socket, on which nothing has been sent yet. NotSupported
/// or Timeout, at once, if no server of this user's accepts it.
Result<Descriptor> connect_to_server(const std::filesystem::path& socket);

/// The number of clients that may wait in the queue of the socket.
inline constexpr int kListenBacklog = 128;

/// Locks the sockets of a folder, for starting a server or for removing the socket of one that ends. Empty if
/// the deadline passes.
Descriptor lock_sockets(const std::filesystem::path& folder, std::chrono::steady_clock::time_point deadline);

/// Identifies the file that a path names.
struct FileIdentity {
  std::uint64_t device = 0, inode = 0;

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};
/// nullopt if there is no such file.
std::optional<FileIdentity> identity_of(const std::filesystem::path& path);

/// The longest line that either side says before the session begins, in bytes. It may hold an environment.
inline constexpr std::size_t kMaxGreeting = std::size_t{4} << 20;

}  // namespace leanbridge::app
