#include "file.hpp"

#include "core/base/files.hpp"
#include "core/base/try.hpp"
#include "core/platform/files.hpp"
#include "core/text/lines.hpp"
#include "core/text/utf8.hpp"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <random>
#include <thread>
#include <utility>

namespace leanbridge::document {

namespace {

// A file that is written twice within the granularity of its time stamp (milliseconds on most file systems, 2
// s on the worst) keeps its identity. So a younger file than this is read every time.
constexpr std::int64_t kTooYoungNs = 2'000'000'000;

std::int64_t now_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

Result<void> check_utf8(const std::string& content, const std::string& name) {
  const auto bad = text::first_invalid_byte(content);
  if (!bad) return {};
  return fail(ErrorKind::InvalidArgument,
              name + " is not valid UTF-8: byte " + std::to_string(*bad) + ", on line " +
                  std::to_string(text::line_number(content, *bad)) + ".",
              "Lean reads only UTF-8: save the file as UTF-8.");
}

Error error_of(const FileProblem& problem, const std::string& name) {
  using Kind = FileProblem::Kind;
  switch (problem.kind) {
    case Kind::Missing:
      return {ErrorKind::FileNotFound, "File not found: " + name + ".",
              "Check the path; it must be absolute, or relative to the project root."};
    case Kind::Directory:
      return {ErrorKind::InvalidArgument, name + " is a directory.", "Pass the path of a .lean file."};
    case Kind::Special:
      return {ErrorKind::InvalidArgument, name + " is not a regular file.", "Pass the path of a .lean file."};
    case Kind::TooLarge:
      return {ErrorKind::InvalidArgument, name + " is larger than 64 MiB.", "Split the file."};
    case Kind::NoResources:  // Internal: this is no fault of the file, so it does not close the file in Lean
      return {ErrorKind::Internal, name + " cannot be opened: " + problem.why + ".",
              "Call again; if file descriptors have run out, raise the limit (ulimit -n)."};
    case Kind::Unreadable:
      break;
  }
  return {ErrorKind::InvalidArgument, name + " cannot be opened: " + problem.why + ".",
          "Check the file's permissions."};
}

}  // namespace

Result<std::string> load_bytes(const std::filesystem::path& path, const std::string& name) {
  auto content = read_regular_file(path, lean::kMaxSourceSize);
  if (!content) return tl::unexpected(error_of(content.error(), name));
  TRY_DONE(check_utf8(*content, name));
  return std::move(*content);
}

Result<LoadedFile> load_file(const std::filesystem::path& path, const std::string& name,
                             const std::optional<lean::FileIdentity>& known) {
  LoadedFile loaded;
  loaded.identity = lean::identify(path);
  if (known && loaded.identity == *known && loaded.identity.exists()) {
    loaded.trusted = true;
    return loaded;
  }
  TRY(auto content, load_bytes(path, name));
  // The identity is from before the read, so a change since then will show.
  loaded.trusted = now_ns() - loaded.identity.modified_ns > kTooYoungNs;
  loaded.text.emplace(text::normalise_newlines(std::move(content)).text);
  return loaded;
}

// --- writing

namespace fs = std::filesystem;

namespace {

tl::unexpected<Error> refuse(const FileReplacement& replacement, const std::string& why,
                             const std::string& hint) {
  return fail(ErrorKind::InvalidArgument, replacement.name + " was not written: " + why, hint);
}

tl::unexpected<Error> failed(const FileReplacement& replacement, const char* what) {
  return fail(ErrorKind::Internal,
              replacement.name + " was not written: " + what + ": " + std::strerror(errno) + ".",
              "The file is unchanged; check the disk and the folder's permissions.");
}

constexpr auto kOtherWriterWait = std::chrono::seconds(1);
constexpr auto kOtherWriterPause = std::chrono::milliseconds(5);

constexpr const char* kMark = ".leanbridge-";
constexpr const char* kTemporary = ".tmp";

// Temporary files have names such as .Foo.lean.leanbridge-PID-RANDOM.tmp: hidden from globs, and no source.
std::string prefix_of(const fs::path& path) {
  return "." + path.filename().string() + kMark;
}

std::string temporary_name(const fs::path& path) {
  std::random_device random;
  return prefix_of(path) + std::to_string(::getpid()) + "-" + std::to_string(random()) + kTemporary;
}

// Removes temporary files of processes that no longer exist.
void remove_leftovers(int folder, const fs::path& path) {
  const int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* entries = copy < 0 ? nullptr : ::fdopendir(copy);
  if (!entries) {
    if (copy >= 0) ::close(copy);
    return;
  }
  const std::string prefix = prefix_of(path);
  while (const dirent* entry = ::readdir(entries)) {
    const std::string name = entry->d_name;
    if (!name.starts_with(prefix) || !name.ends_with(kTemporary)) continue;
    int pid = 0;
    const char* digits = name.c_str() + prefix.size();
    const auto [end, error] = std::from_chars(digits, name.c_str() + name.size(), pid);
    if (error != std::errc() || *end != '-' || pid <= 0) continue;
    if (::kill(pid, 0) != 0 && errno == ESRCH) ::unlinkat(folder, name.c_str(), 0);
  }
  ::closedir(entries);
}

/// The temporary file. It has no name while it is written, so that a process that is killed then leaves
/// nothing behind. Where the system or the file system has no files without a name, it has one.
class Temporary {
 public:
  Temporary(int folder, std::string name) : folder_(folder), name_(std::move(name)) {
    constexpr mode_t kOurs = S_IRUSR | S_IWUSR;
    fd_ = platform::open_unnamed(folder_, kOurs);
    if (fd_ >= 0) return;
    fd_ = ::openat(folder_, name_.c_str(), O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL | O_NOFOLLOW, kOurs);
    named_ = fd_ >= 0;
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (named_) ::unlinkat(folder_, name_.c_str(), 0);
    close();
  }
  int fd() const { return fd_; }
  bool give_name() {
    if (named_) return true;
    named_ = platform::link_unnamed(fd_, folder_, name_);
    return named_;
  }
  /// Closes the descriptor, since a process has few; the content is on the disk.
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  /// Replaces `target` with the temporary file.
  bool replace(const std::string& target) {
    if (!give_name()) return false;
    if (::renameat(folder_, name_.c_str(), folder_, target.c_str()) != 0) return false;
    named_ = false;
    return true;
  }

 private:
  int folder_;
  std::string name_;
  int fd_ = -1;
  bool named_ = false;
};

Result<void> require_unchanged(const FileReplacement& replacement) {
  TRY(const auto now, load_bytes(replacement.path, replacement.name));
  if (now != replacement.expected)
    return refuse(replacement, "it has changed on disk since it was read.",
                  "Read the file again, then call again with its current lines.");
  return {};
}

Result<struct stat> require_writable(int folder, const FileReplacement& replacement) {
  struct stat status {};
  const std::string name = replacement.path.filename().string();
  if (::fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno != ENOENT) return failed(replacement, "its status cannot be read");
    return fail(ErrorKind::FileNotFound, "File not found: " + replacement.name + ".",
                "It was removed in the meantime.");
  }
  if (!S_ISREG(status.st_mode))
    return refuse(replacement,
                  S_ISLNK(status.st_mode) ? "it is a symbolic link." : "it is not a regular file.",
                  "Pass the path of the file itself.");
  constexpr mode_t kAnyWrite = S_IWUSR | S_IWGRP | S_IWOTH;
  if ((status.st_mode & kAnyWrite) == 0 || ::faccessat(folder, name.c_str(), W_OK, AT_EACCESS) != 0)
    return refuse(replacement, "it is read-only.", "Make it writable first, if it is meant to be changed.");
  return status;
}

}  // namespace

/// The new content of a file, on the disk and beside it. While this object lives, no other of our processes
/// writes the file.
class PreparedReplacements::File {
 public:
  static Result<std::unique_ptr<File>> prepare(FileReplacement replacement) {
    auto file = std::unique_ptr<File>(new File(std::move(replacement)));
    TRY_DONE(file->write());
    return file;
  }

  const FileReplacement& replacement() const { return replacement_; }

  Result<void> give_name() {
    if (!temporary_->give_name()) return failed(replacement_, "a file cannot be created in its folder");
    temporary_->close();
    return {};
  }

  Result<void> put_in_place() {
    if (!temporary_->replace(replacement_.path.filename().string()))
      return failed(replacement_, "it cannot be replaced");
    // Some file systems cannot synchronise a folder; the file is in place anyway.
    if (::fsync(folder_.get()) != 0) errno = 0;
    return {};
  }

 private:
  explicit File(FileReplacement replacement)
      : replacement_(std::move(replacement)),
        folder_(::open(replacement_.path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}

  Result<void> write() {
    if (!folder_) return failed(replacement_, "its folder cannot be opened");
    TRY(const auto status, require_writable(folder_.get(), replacement_));

    // If two writers both found the old content, the second one waits here for the first, and then finds the
    // new content when it compares.
    const std::string name = replacement_.path.filename().string();
    for (const auto deadline = std::chrono::steady_clock::now() + kOtherWriterWait;;) {
      old_.emplace(::openat(folder_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
      if (!*old_) return failed(replacement_, "it cannot be opened");
      if (::flock(old_->get(), LOCK_EX | LOCK_NB) == 0) break;
      if (std::chrono::steady_clock::now() >= deadline)
        return refuse(replacement_, "another process is writing it.", "Call again.");
      std::this_thread::sleep_for(kOtherWriterPause);  // the next file to be opened may be the one that the
                                                       // other writer wrote
    }
    remove_leftovers(folder_.get(), replacement_.path);

    temporary_.emplace(folder_.get(), temporary_name(replacement_.path));
    const int file = temporary_->fd();
    if (file < 0) return failed(replacement_, "a file cannot be created in its folder");
    if (!write_all(file, replacement_.content)) return failed(replacement_, "the disk refused the data");
    // Set the owner first: changing it drops set-id bits. Only root may give files away, so ignore a failure.
    const bool other_owner = status.st_uid != ::geteuid() || status.st_gid != ::getegid();
    if (other_owner && ::fchown(file, status.st_uid, status.st_gid) != 0) errno = 0;
    constexpr mode_t kModeBits = 07777;
    if (::fchmod(file, status.st_mode & kModeBits) != 0)
      return failed(replacement_, "its mode cannot be kept");
    if (::fsync(file) != 0) return failed(replacement_, "the disk refused the data");
    return {};
  }

  FileReplacement replacement_;
  Descriptor folder_;
  std::optional<Descriptor> old_;  // keeps the lock
  std::optional<Temporary> temporary_;
};

Result<void> replace_file(const FileReplacement& replacement) {
  TRY(const auto file, PreparedReplacements::File::prepare(replacement));
  TRY_DONE(require_unchanged(replacement));
  return file->put_in_place();
}

PreparedReplacements::PreparedReplacements() = default;
PreparedReplacements::PreparedReplacements(PreparedReplacements&&) noexcept = default;
PreparedReplacements::~PreparedReplacements() = default;

Result<PreparedReplacements> PreparedReplacements::prepare(std::vector<FileReplacement> replacements) {
  PreparedReplacements all;
  for (FileReplacement& each : replacements) {
    TRY(auto file, File::prepare(std::move(each)));
    TRY_DONE(file->give_name());
    all.files_.push_back(std::move(file));
  }
  return all;
}

Result<void> PreparedReplacements::put_in_place() {
  for (std::size_t i = 0; i < files_.size(); ++i) {
    auto done = files_[i]->put_in_place();
    if (done) continue;
    std::string changed;
    for (std::size_t before = 0; before < i; ++before) {
      const FileReplacement& each = files_[before]->replacement();
      if (auto undone = replace_file({each.path, each.name, each.content, each.expected}); !undone)
        changed += " " + each.name + " keeps its new content: " + undone.error().message;
    }
    if (changed.empty()) return done;
    return fail(ErrorKind::Internal, done.error().message + changed,
                "Put back by hand what keeps its new content.");
  }
  return {};
}

Result<void> check_replaceable(const fs::path& path, const std::string& name) {
  const FileReplacement nothing{path, name, {}, {}};
  const Descriptor folder(::open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder) return failed(nothing, "its folder cannot be opened");
  TRY_DONE(require_writable(folder.get(), nothing));
  return {};
}

}  // namespace leanbridge::document
