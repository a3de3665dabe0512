#include "mapped_file.hpp"

#include "leanbridge/base/files.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

namespace leanbridge::index {

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const auto file = RegularFile::open(path);
  if (!file) return tl::unexpected(file.error().to_error(path.string()));
  const auto size = static_cast<std::size_t>(file->status().st_size);
  if (size == 0) return fail(ErrorKind::FileNotFound, path.string() + " is empty.");
  void* const start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file->descriptor(), 0);
  if (start == MAP_FAILED)
    return fail(ErrorKind::FileNotFound, path.string() + " cannot be read: " + std::strerror(errno) + ".");
  return MappedFile(std::string_view(static_cast<const char*>(start), size));
}

MappedFile::~MappedFile() {
  // mmap's interface takes a pointer to what may be written.
  if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

}  // namespace leanbridge::index
