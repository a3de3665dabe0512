#pragma once
/// A file's bytes without reading them all. Private to this module.

#include "leanbridge/base/error.hpp"

#include <filesystem>
#include <string_view>
#include <utility>

namespace leanbridge::index {

/// Read-only. Lean and Lake replace compiled files by renaming, so that what is mapped stays whole.
class MappedFile {
 public:
  /// FileNotFound: no regular file, empty, or not readable.
  static Result<MappedFile> open(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MappedFile();

  std::string_view bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes_;
};

}  // namespace leanbridge::index
