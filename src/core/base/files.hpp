#pragma once
/// File handling that the standard library lacks: descriptors that close themselves, modes, and reading files
/// that others wrote. Blocking; callable from any thread.

#include "error.hpp"
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace leanbridge {

/// Owns a file descriptor; a negative one means none.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }
  /// Gives the descriptor to the caller, who closes it.
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

/// Why a file could not be read.
struct FileProblem {
  enum class Kind {
    Missing,
    Directory,
    Special,  ///< a named pipe, a device, a socket; or a link, with Links::Refuse
    TooLarge,
    NoResources,  ///< this process is out of descriptors or memory, and the file may be fine: try again
    Unreadable,
  };
  Kind kind;
  std::string why;  ///< such as "it is larger than 1 MiB": a clause that follows a file name and a colon

  /// FileNotFound, Internal for NoResources, otherwise InvalidArgument. `name`: the file as the caller knows
  /// it.
  Error to_error(const std::string& name) const;
};

template <class T>
using FileResult = tl::expected<T, FileProblem>;

/// An open regular file. Read every file that a project or a configuration names through this class: a named
/// pipe or a device could block us, or feed us without end.
class RegularFile {
 public:
  enum class Links { Follow, Refuse };  ///< for symbolic links in the last component of the path

  static FileResult<RegularFile> open(const std::filesystem::path& path, Links links = Links::Follow);

  int descriptor() const { return file_.get(); }
  const struct stat& status() const { return status_; }  ///< at the time of open()

  /// Reads the next `size` bytes; fewer only at the end of the file.
  FileResult<std::size_t> read_some(char* bytes, std::size_t size) const;
  /// Reads from here to the end. TooLarge if that is more than `limit` bytes; it reads only little more then.
  FileResult<std::string> read(std::size_t limit) const;

 private:
  RegularFile(Descriptor file, const struct stat& status) : file_(std::move(file)), status_(status) {}

  Descriptor file_;
  struct stat status_;
};

/// Reads the whole file, which may have at most `limit` bytes.
FileResult<std::string> read_regular_file(const std::filesystem::path& path, std::size_t limit);

/// The limit for configurations, manifests and similar files, written by people or by tools for them.
inline constexpr std::size_t kMaxConfigurationSize = std::size_t{1} << 20;  // bytes

/// The path from the root, without `.` and `..`; the path itself if it is empty or if there is no current
/// folder. Does not follow links: one that was put in place of a file must not choose another.
std::filesystem::path absolute_path(const std::filesystem::path& path);

/// Whether the path is a regular file that we may execute.
bool is_program(const std::filesystem::path& path);

/// The first program of that name in the folders of `path`, the value of a PATH variable. Relative folders
/// are relative to `base`. nullopt if there is none.
std::optional<std::filesystem::path> find_on_path(const std::string& name, std::string_view path,
                                                  const std::filesystem::path& base = {});

/// Writes all of `bytes`. On failure returns false and leaves errno set.
bool write_all(int fd, std::string_view bytes);

/// Creates a file of mode 0600 in one of our own folders, together with the folders above it. Internal if
/// that fails, also if the name exists already. Blocking.
Result<void> write_new_file(const std::filesystem::path& file, std::string_view content);

/// Replaces or creates one of our own files, with mode 0600: readers see one whole version, even after a
/// crash of the machine. On failure returns false and leaves errno set. Blocking.
bool replace_own_file(const std::filesystem::path& file, std::string_view content);

/// Locks a file of ours, created if missing, against all that lock it, also in this process, as long as the
/// result lives. Looks again until `gives_up` says so. On failure returns none and leaves errno set:
/// EWOULDBLOCK if it gave up. The file must stay: removing it would let two processes hold two locks.
/// Blocking.
Descriptor lock_file(const std::filesystem::path& file, const std::function<bool()>& gives_up);

/// A new private folder (mode 0700) below the system's folder for temporary files. It is removed with its
/// contents when the last reference is gone.
class TemporaryFolder {
 public:
  /// Internal if it cannot be created.
  static Result<std::shared_ptr<const TemporaryFolder>> create();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
};

/// Creates the folder if it does not exist, with mode 0700 from the start; its parents get the default mode.
/// An existing folder keeps its mode. Returns false, with errno set, if there is no such folder afterwards.
bool ensure_folder(const std::filesystem::path& folder);

/// Like ensure_folder(), for files that this program trusts when it reads them back. If others can write to a
/// folder of the user's, their permission is removed and a warning logged. A folder that belongs to another
/// user (except root), or is shared on purpose (sticky, like /tmp), is refused: false, a warning and EPERM.
bool make_private_folder(const std::filesystem::path& folder);

}  // namespace leanbridge
