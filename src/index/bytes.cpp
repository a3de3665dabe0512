#include "bytes.hpp"

#include "leanbridge/base/files.hpp"

namespace leanbridge::index {

Result<std::string> load_bytes(const std::filesystem::path& path, std::size_t most) {
  auto bytes = read_regular_file(path, most);
  if (bytes) return std::move(*bytes);
  return fail(ErrorKind::FileNotFound, path.string() + " cannot be read: " + bytes.error().why + ".");
}

}  // namespace leanbridge::index
