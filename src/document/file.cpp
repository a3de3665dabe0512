#include "leanbridge/document/file.hpp"

#include "leanbridge/base/files.hpp"
#include "leanbridge/text/newlines.hpp"
#include "leanbridge/text/utf8.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace leanbridge::document {

namespace {

// A file written again within the granularity of its time stamp (milliseconds on most file systems, 2 s on
// the worst) keeps its identity. So one younger than this is read every time.
constexpr std::int64_t kTooYoungNs = 2'000'000'000;

std::int64_t now_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

Result<std::string> read_all(int fd, const std::string& name) {
  std::string content;
  for (;;) {
    const std::size_t had = content.size();
    constexpr std::size_t kChunk = 256u << 10;
    content.resize(had + kChunk);
    const ssize_t count = ::read(fd, content.data() + had, kChunk);
    if (count < 0 && errno == EINTR) {
      content.resize(had);
      continue;
    }
    if (count < 0) return fail(ErrorKind::Internal, name + " could not be read: " + std::strerror(errno));
    content.resize(had + static_cast<std::size_t>(count));
    if (count == 0) {
      content.shrink_to_fit();  // it is kept for as long as the document is: without the last chunk's room
      return content;
    }
    if (content.size() > static_cast<std::size_t>(kMaxFileBytes)) break;
  }
  return fail(ErrorKind::InvalidArgument, name + " is larger than 64 MiB.", "Split the file.");
}

Result<void> check_utf8(const std::string& content, const std::string& name) {
  const auto bad = text::first_invalid_byte(content);
  if (!bad) return {};
  const auto line =
      1 + std::count(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(*bad), '\n');
  return fail(
      ErrorKind::InvalidArgument,
      name + " is not valid UTF-8: byte " + std::to_string(*bad) + ", in line " + std::to_string(line) + ".",
      "Lean reads UTF-8 only: save the file as UTF-8.");
}

Error open_error(const std::string& name) {
  if (errno == ENOENT || errno == ENOTDIR)
    return Error(ErrorKind::FileNotFound, "There is no file " + name + ".",
                 "Check the path: it is absolute, or relative to the project root.");
  // The file's own fault closes it in Lean, ours does not.
  if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
    return Error(ErrorKind::Internal, name + " cannot be opened: " + std::strerror(errno) + ".",
                 "Call again; where descriptors have run out, raise the limit (ulimit -n).");
  return Error(ErrorKind::InvalidArgument, name + " cannot be opened: " + std::strerror(errno) + ".",
               "Check the file's permissions.");
}

}  // namespace

Result<std::string> load_bytes(const std::filesystem::path& path, const std::string& name) {
  // O_NONBLOCK: a named pipe must not hold us.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return tl::unexpected(open_error(name));
  struct stat status {};
  ::fstat(file.get(), &status);
  if (S_ISDIR(status.st_mode))
    return fail(ErrorKind::InvalidArgument, name + " is a directory.", "Pass the path of a .lean file.");
  if (!S_ISREG(status.st_mode))
    return fail(ErrorKind::InvalidArgument, name + " is not a regular file.",
                "Pass the path of a .lean file.");
  auto content = read_all(file.get(), name);
  if (!content) return content;
  if (auto valid = check_utf8(*content, name); !valid) return tl::unexpected(valid.error());
  return content;
}

Result<LoadedFile> load_file(const std::filesystem::path& path, const std::string& name,
                             const std::optional<lean::FileIdentity>& known) {
  LoadedFile loaded;
  loaded.identity = lean::identify(path);
  if (known && loaded.identity == *known && loaded.identity.exists()) {
    loaded.trusted = true;
    return loaded;
  }
  auto content = load_bytes(path, name);
  if (!content) return tl::unexpected(content.error());
  // The identity from before the reading: a change since then will show.
  loaded.trusted = now_ns() - loaded.identity.modified_ns > kTooYoungNs;
  text::NormalisedText normalised = text::normalise_newlines(std::move(*content));
  loaded.crlf = normalised.had_crlf;
  loaded.text.emplace(std::move(normalised.text));
  return loaded;
}

}  // namespace leanbridge::document
