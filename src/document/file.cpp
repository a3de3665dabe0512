#include "leanbridge/document/file.hpp"

#include "leanbridge/base/files.hpp"
#include "leanbridge/text/newlines.hpp"
#include "leanbridge/text/utf8.hpp"

#include <algorithm>
#include <chrono>

namespace leanbridge::document {

namespace {

// A file written again within the granularity of its time stamp (milliseconds on most file systems, 2 s on
// the worst) keeps its identity. So one younger than this is read every time.
constexpr std::int64_t kTooYoungNs = 2'000'000'000;

std::int64_t now_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
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

Error error_of(const FileProblem& problem, const std::string& name) {
  using Kind = FileProblem::Kind;
  switch (problem.kind) {
    case Kind::Missing:
      return {ErrorKind::FileNotFound, "There is no file " + name + ".",
              "Check the path: it is absolute, or relative to the project root."};
    case Kind::Directory:
      return {ErrorKind::InvalidArgument, name + " is a directory.", "Pass the path of a .lean file."};
    case Kind::Special:
      return {ErrorKind::InvalidArgument, name + " is not a regular file.", "Pass the path of a .lean file."};
    case Kind::TooLarge:
      return {ErrorKind::InvalidArgument, name + " is larger than 64 MiB.", "Split the file."};
    case Kind::NoResources:  // the file's own fault closes it in Lean, ours does not
      return {ErrorKind::Internal, name + " cannot be opened: " + problem.why + ".",
              "Call again; where descriptors have run out, raise the limit (ulimit -n)."};
    case Kind::Unreadable:
      break;
  }
  return {ErrorKind::InvalidArgument, name + " cannot be opened: " + problem.why + ".",
          "Check the file's permissions."};
}

}  // namespace

Result<std::string> load_bytes(const std::filesystem::path& path, const std::string& name) {
  auto content = read_regular_file(path, lean::kMostOfSource);
  if (!content) return tl::unexpected(error_of(content.error(), name));
  if (auto valid = check_utf8(*content, name); !valid) return tl::unexpected(valid.error());
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
  auto content = load_bytes(path, name);
  if (!content) return tl::unexpected(content.error());
  // The identity from before the reading: a change since then will show.
  loaded.trusted = now_ns() - loaded.identity.modified_ns > kTooYoungNs;
  loaded.text.emplace(text::normalise_newlines(std::move(*content)).text);
  return loaded;
}

}  // namespace leanbridge::document
