#pragma once
/// What the standard library leaves out about files: descriptors that close themselves, modes, and reading
/// what somebody else has put there. Blocking; from any thread.

#include "leanbridge/base/error.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace leanbridge {

/// Owns a file descriptor; negative: none.
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

 private:
  int fd_;
};

/// Why a file was not read.
struct FileProblem {
  enum class Kind {
    Missing,
    Directory,
    Special,  ///< a named pipe, a device, a socket; or a link, where none is followed
    TooLarge,
    NoResources,  ///< ours are at their end, the file may be good: worth another try
    Unreadable,
  };
  Kind kind;
  std::string why;  ///< "it is larger than 1 MiB", to stand after a name and a colon

  /// FileNotFound, Internal for NoResources, else InvalidArgument; `name` is how the caller calls the file.
  Error about(const std::string& name) const;
};

template <class T>
using FileResult = tl::expected<T, FileProblem>;

/// An open regular file, and the only way in which files are read here that a project or a configuration
/// names: a named pipe or a device can neither hold us nor feed us without end.
class RegularFile {
 public:
  enum class Links { Follow, Refuse };  ///< of the last part of the path

  static FileResult<RegularFile> open(const std::filesystem::path& path, Links links = Links::Follow);

  int descriptor() const { return file_.get(); }
  const struct stat& status() const { return status_; }  ///< when it was opened

  /// The next bytes; fewer than `size` at the end of the file only.
  FileResult<std::size_t> read_some(char* bytes, std::size_t size) const;
  /// From here to the end, of a file of at most `most` bytes; else TooLarge, and no more than that is read.
  FileResult<std::string> read(std::size_t most) const;

 private:
  RegularFile(Descriptor file, const struct stat& status) : file_(std::move(file)), status_(status) {}

  Descriptor file_;
  struct stat status_;
};

/// The whole file, of at most `most` bytes.
FileResult<std::string> read_regular_file(const std::filesystem::path& path, std::size_t most);

/// For files that people write by hand, and that tools write for people: configurations, manifests.
inline constexpr std::size_t kMaxConfigurationSize = std::size_t{1} << 20;  // bytes

/// False, with errno, where not all of it could be written.
bool write_all(int fd, std::string_view bytes);

/// A new folder of this process's own below the system's for temporary files, with mode 0700. It is removed
/// with all that is in it when the last reader lets go.
class TemporaryFolder {
 public:
  /// Internal: it could not be made.
  static Result<std::shared_ptr<const TemporaryFolder>> create();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
};

/// Makes the folder where there is none: with mode 0700 from its first moment; what leads to it may be
/// shared. False, with errno, where there is none afterwards. A folder that is there keeps its mode.
bool ensure_folder(const std::filesystem::path& folder);

/// The same for what this program believes when it reads it again. A folder of the user's that others can
/// write to is theirs no longer, with a warning in the log; one of another user (but root), and one that is
/// shared on purpose (sticky, as /tmp), is refused: false, with a warning and EPERM.
bool make_private_folder(const std::filesystem::path& folder);

}  // namespace leanbridge
