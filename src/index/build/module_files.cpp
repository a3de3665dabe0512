#include "module_files.hpp"

#include "leanbridge/base/files.hpp"
#include "leanbridge/index/readers.hpp"

#include <system_error>

namespace leanbridge::index {

Result<std::string> load_bytes(const std::filesystem::path& path, std::size_t most) {
  auto bytes = read_regular_file(path, most);
  if (bytes) return std::move(*bytes);
  return fail(ErrorKind::FileNotFound, path.string() + " cannot be read: " + bytes.error().why + ".");
}

namespace {

/// The file and its `.server` part, which holds docstrings and places. `.private` holds proofs and private
/// names, and is most of a library's bytes: nothing that is searched.
struct Parts {
  std::vector<std::string> bytes;
  std::vector<std::string_view> views;
};

Result<Parts> load_parts(const std::filesystem::path& path) {
  Parts parts;
  auto exported = load_bytes(path, kMostOfOlean);
  if (!exported) return tl::unexpected(exported.error());
  parts.bytes.push_back(std::move(*exported));
  std::error_code error;
  const std::filesystem::path server = path.string() + ".server";
  if (std::filesystem::exists(server, error)) {
    if (auto bytes = load_bytes(server, kMostOfOlean)) parts.bytes.push_back(std::move(*bytes));
  }
  for (const std::string& bytes : parts.bytes) parts.views.emplace_back(bytes);
  return parts;
}

Error about(const std::filesystem::path& path, Error error) {
  error.message = path.string() + ": " + error.message;
  return error;
}

}  // namespace

Result<std::vector<Declaration>> load_source(const std::filesystem::path& path, std::string module) {
  const auto bytes = load_bytes(path, kMostOfIndexedSource);
  if (!bytes) return tl::unexpected(bytes.error());
  return read_source(*bytes, std::move(module), path.string());
}

Result<std::vector<Declaration>> load_ilean(const std::filesystem::path& path) {
  const auto bytes = load_bytes(path, kMostOfIlean);
  if (!bytes) return tl::unexpected(bytes.error());
  auto read = read_ilean(*bytes);
  if (!read) return tl::unexpected(about(path, read.error()));
  return read;
}

Result<OleanModule> load_olean(const std::filesystem::path& path, std::string module,
                               const BinderTable& binders) {
  const auto parts = load_parts(path);
  if (!parts) return tl::unexpected(parts.error());
  auto read = read_olean(parts->views, std::move(module), binders);
  if (!read) return tl::unexpected(about(path, read.error()));
  return read;
}

Result<void> load_binders(const std::filesystem::path& path, BinderTable& binders) {
  const auto parts = load_parts(path);
  if (!parts) return tl::unexpected(parts.error());
  auto read = read_binders(parts->views, binders);
  if (!read) return tl::unexpected(about(path, read.error()));
  return read;
}

}  // namespace leanbridge::index
