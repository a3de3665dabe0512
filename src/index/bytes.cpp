#include "bytes.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

namespace leanbridge::index {
namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{1} << 30U;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

tl::unexpected<Error> unreadable(const std::filesystem::path& path, const std::string& why) {
  return fail(ErrorKind::FileNotFound, path.string() + " cannot be read: " + why + ".");
}

}  // namespace

Result<std::string> load_bytes(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return unreadable(path, error ? error.message() : "it is not a file");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return unreadable(path, error.message());
  if (size > kMaxFileBytes) return unreadable(path, "it has " + std::to_string(size) + " bytes");
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rbe"));
  if (!file) return unreadable(path, std::strerror(errno));
  std::string bytes(size, '\0');
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
  if (std::ferror(file.get()) != 0) return unreadable(path, std::strerror(errno));
  return bytes;
}

}  // namespace leanbridge::index
