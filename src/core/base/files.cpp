#include "files.hpp"

#include "log.hpp"
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace leanbridge {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kFirstPiece = 4u << 10, kPiece = 64u << 10;  // in bytes, for files of unknown size

tl::unexpected<FileProblem> problem(FileProblem::Kind kind, std::string why) {
  return tl::unexpected<FileProblem>({kind, std::move(why)});
}

tl::unexpected<FileProblem> problem_of_errno(RegularFile::Links links) {
  using Kind = FileProblem::Kind;
  const int error = errno;
  if (error == ENOENT || error == ENOTDIR) return problem(Kind::Missing, "there is no such file");
  if (error == ELOOP && links == RegularFile::Links::Refuse)
    return problem(Kind::Special, "it is a symbolic link");
  // The path is a socket, or a device without its driver.
  if (error == ENXIO || error == ENODEV) return problem(Kind::Special, "it is not a regular file");
  const bool ours = error == EMFILE || error == ENFILE || error == ENOMEM;
  return problem(ours ? Kind::NoResources : Kind::Unreadable, std::strerror(error));
}

std::string size_in_words(std::size_t bytes) {
  if (bytes % (std::size_t{1} << 20) == 0) return std::to_string(bytes >> 20) + " MiB";
  if (bytes % (std::size_t{1} << 10) == 0) return std::to_string(bytes >> 10) + " KiB";
  return std::to_string(bytes) + " bytes";
}

}  // namespace

Error FileProblem::to_error(const std::string& name) const {
  if (kind == Kind::Missing) return {ErrorKind::FileNotFound, "File not found: " + name + "."};
  const std::string message = name + " cannot be read: " + why + ".";
  if (kind == Kind::NoResources)
    return {ErrorKind::Internal, message,
            "Call again; if file descriptors have run out, raise the limit (ulimit -n)."};
  return {ErrorKind::InvalidArgument, message, "Check what is at that path."};
}

FileResult<RegularFile> RegularFile::open(const fs::path& path, Links links) {
  // O_NONBLOCK: a named pipe would wait for a writer. O_NOCTTY: a terminal must not become the program's.
  const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (links == Links::Refuse ? O_NOFOLLOW : 0);
  Descriptor file(::open(path.c_str(), flags));
  if (!file) return problem_of_errno(links);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return problem_of_errno(links);
  if (S_ISDIR(status.st_mode)) return problem(FileProblem::Kind::Directory, "it is a directory");
  if (!S_ISREG(status.st_mode)) return problem(FileProblem::Kind::Special, "it is not a regular file");
  return RegularFile(std::move(file), status);
}

FileResult<std::size_t> RegularFile::read_some(char* bytes, std::size_t size) const {
  std::size_t filled = 0;
  while (filled < size) {
    const ssize_t count = ::read(file_.get(), bytes + filled, size - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return problem_of_errno(Links::Follow);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  return filled;
}

FileResult<std::string> RegularFile::read(std::size_t limit) const {
  const auto too_large = [&] {
    return problem(FileProblem::Kind::TooLarge, "it is larger than " + size_in_words(limit));
  };
  // The reported size may be out of date, or 0 for what a kernel makes up: only the end of the file decides.
  const auto reported = static_cast<std::size_t>(std::max<off_t>(status_.st_size, 0));
  if (reported > limit) return too_large();
  std::string content;
  std::size_t next = reported > 0 ? reported + 1 : std::min(kFirstPiece, limit + 1);  // one byte more than
                                                                                      // the reported size
  for (;;) {
    const std::size_t had = content.size();
    content.resize(had + next);
    const auto count = read_some(content.data() + had, next);
    if (!count) return tl::unexpected(count.error());
    content.resize(had + *count);
    if (content.size() > limit) return too_large();
    if (*count < next) break;
    next = std::min(kPiece, limit + 1 - content.size());
  }
  if (content.capacity() > content.size() + kFirstPiece) content.shrink_to_fit();
  return content;
}

FileResult<std::string> read_regular_file(const fs::path& path, std::size_t limit) {
  const auto file = RegularFile::open(path);
  if (!file) return tl::unexpected(file.error());
  return file->read(limit);
}

fs::path absolute_path(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  return error ? path : whole.lexically_normal();
}

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

std::optional<fs::path> find_on_path(const std::string& name, std::string_view path, const fs::path& base) {
  while (!path.empty()) {
    const std::size_t colon = path.find(':');
    const fs::path candidate = base / path.substr(0, colon) / name;
    if (is_program(candidate)) return candidate;
    path = colon == std::string_view::npos ? std::string_view() : path.substr(colon + 1);
  }
  return std::nullopt;
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Result<void> write_new_file(const std::filesystem::path& file, std::string_view content) {
  std::error_code ignored;
  std::filesystem::create_directories(file.parent_path(), ignored);
  const Descriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (out && write_all(out.get(), content)) return {};
  return fail(ErrorKind::Internal, "Cannot write " + file.string() + ": " + std::strerror(errno) + ".",
              "Free space in the folder for temporary files, or set TMPDIR to another one.");
}

bool replace_own_file(const fs::path& file, std::string_view content) {
  std::string pattern = file.string() + ".XXXXXX";
  const Descriptor temporary(::mkostemp(pattern.data(), O_CLOEXEC));  // with mode 0600
  if (!temporary) return false;
  if (write_all(temporary.get(), content) && ::fsync(temporary.get()) == 0 &&
      ::rename(pattern.c_str(), file.c_str()) == 0)
    return true;
  const int error = errno;
  ::unlink(pattern.c_str());
  errno = error;
  return false;
}

Descriptor lock_file(const fs::path& file, const std::function<bool()>& gives_up) {
  constexpr auto kLookAgain = std::chrono::milliseconds(5);
  Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  while (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if ((errno != EWOULDBLOCK && errno != EINTR) || gives_up()) return Descriptor(-1);
    std::this_thread::sleep_for(kLookAgain);
  }
  return lock;
}

Result<std::shared_ptr<const TemporaryFolder>> TemporaryFolder::create() {
  std::error_code error;
  std::string path = (fs::temp_directory_path(error) / "leanbridge-XXXXXX").string();
  if (error || ::mkdtemp(path.data()) == nullptr)
    return fail(ErrorKind::Internal,
                "Could not create a temporary folder: " + std::string(std::strerror(errno)) + ".",
                "Set TMPDIR to a writable folder.");
  return std::shared_ptr<const TemporaryFolder>(new TemporaryFolder(std::move(path)));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

bool ensure_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) return true;
  fs::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), S_IRWXU) == 0) return true;
  const int why = errno;
  if (fs::is_directory(folder, error)) return true;  // another process was faster
  errno = why;
  return false;
}

bool make_private_folder(const fs::path& folder) {
  if (!ensure_folder(folder)) return false;
  const Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat status {};
  if (!opened || ::fstat(opened.get(), &status) != 0) return false;
  const bool ours = status.st_uid == ::geteuid();
  const bool shared = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  if (!shared && (ours || status.st_uid == 0)) return true;
  if (ours && (status.st_mode & S_ISVTX) == 0 &&
      ::fchmod(opened.get(), status.st_mode & 07777 & ~static_cast<mode_t>(S_IWGRP | S_IWOTH)) == 0) {
    log::warn("{} was writable by other users; removed their permission", folder.string());
    return true;
  }
  log::warn("ignoring {}: {}. Choose a folder of your own.", folder.string(),
            shared ? "other users can write to it" : "it belongs to another user");
  errno = EPERM;
  return false;
}

}  // namespace leanbridge
