#include "config_file.hpp"

#include "core/base/files.hpp"
#include "core/base/try.hpp"
#include "core/document/file.hpp"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace leanbridge::app::hosts {

namespace fs = std::filesystem;

namespace {

constexpr int kMaxBackups = 100;
constexpr std::size_t kMaxFileSize = std::size_t{16}
                                     << 20;  // bytes; Claude Code keeps more than servers in its file

tl::unexpected<Error> cannot_write(const fs::path& file) {
  return fail(ErrorKind::Internal, file.string() + " cannot be written: " + std::strerror(errno) + ".",
              "Nothing was changed. Make room, or correct the permissions of its folder.");
}

// Creates the file with this content in one step: every process that sees the name sees the whole content.
// EEXIST if the file exists.
bool create_whole(const fs::path& file, const std::string& content, mode_t mode) {
  const std::string draft = file.string() + ".leanbridge-" + std::to_string(::getpid());
  const Descriptor fd(::open(draft.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode));
  if (!fd) return false;
  const bool written =
      write_all(fd.get(), content) && ::fsync(fd.get()) == 0 && ::link(draft.c_str(), file.c_str()) == 0;
  const int error = errno;
  ::unlink(draft.c_str());
  errno = error;
  return written;
}

Result<fs::path> keep_copy(const fs::path& file, const std::string& content) {
  struct stat status {};
  const mode_t mode = ::stat(file.c_str(), &status) == 0 ? status.st_mode & 0777U : 0600U;
  for (int number = 1; number <= kMaxBackups; ++number) {
    fs::path copy = file.string() + ".leanbridge-backup" + (number == 1 ? "" : "-" + std::to_string(number));
    if (create_whole(copy, content, mode)) return copy;
    if (errno != EEXIST) return cannot_write(copy);
    if (read_regular_file(copy, kMaxFileSize).value_or("") == content) return copy;
  }
  return fail(ErrorKind::InvalidArgument,
              "There are " + std::to_string(kMaxBackups) + " backups of " + file.string() + ".",
              "Nothing was changed. Remove those that you do not need.");
}

}  // namespace

Result<std::string> load_config_file(const fs::path& file) {
  auto text = read_regular_file(file, kMaxFileSize);
  if (text) return std::move(*text);
  if (text.error().kind == FileProblem::Kind::Missing) return std::string();
  return tl::unexpected(text.error().to_error(file.string()));
}

Result<fs::path> store_config_file(const fs::path& named, const std::string& before,
                                   const std::string& after) {
  std::error_code error;
  const bool exists = fs::exists(named, error);
  // Follows a link: a link into a repository of dotfiles means the file there.
  const fs::path file = exists ? fs::canonical(named, error) : named;
  if (error)
    return fail(ErrorKind::InvalidArgument, named.string() + " cannot be read: " + error.message() + ".");
  if (!exists) {
    fs::create_directories(file.parent_path(), error);
    if (!before.empty())
      return fail(ErrorKind::InvalidArgument, file.string() + " is gone.", "Run the command again.");
    if (after.empty() || create_whole(file, after, 0666)) return fs::path();
    return cannot_write(file);
  }
  TRY_DONE(document::check_replaceable(file, file.string()));
  const auto changed = [&] { return load_config_file(file).value_or("") != before; };
  const auto has_changed = [&] {
    return fail(ErrorKind::InvalidArgument, file.string() + " has changed meanwhile.",
                "Run the command again.");
  };
  if (changed()) return has_changed();
  auto copy = keep_copy(file, before);
  if (!copy) return copy;
  if (!after.empty()) {
    TRY_DONE(document::replace_file({file, file.string(), before, after}));
    return copy;
  }
  if (changed()) return has_changed();
  if (::unlink(file.c_str()) != 0) return cannot_write(file);
  return copy;
}

}  // namespace leanbridge::app::hosts
