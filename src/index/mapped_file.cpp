#include "mapped_file.hpp"

#include "leanbridge/base/files.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace leanbridge::index {

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const auto unreadable = [&](const char* why) {
    return fail(ErrorKind::FileNotFound, path.string() + " cannot be read: " + why + ".");
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return unreadable(std::strerror(errno));
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) return unreadable(std::strerror(errno));
  if (!S_ISREG(status.st_mode) || status.st_size == 0) return unreadable("it is empty, or no file");
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (start == MAP_FAILED) return unreadable(std::strerror(errno));
  return MappedFile(std::string_view(static_cast<const char*>(start), size));
}

MappedFile::~MappedFile() {
  // mmap's interface takes a pointer to what may be written.
  if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

}  // namespace leanbridge::index
