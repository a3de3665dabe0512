#pragma once
/// Hashes of files that the questions of a batch share. Blocking; a value.

#include "core/base/error.hpp"
#include "core/base/watched_files.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace leanbridge::certify {

class KnownHashes {
 public:
  /// The SHA-256 of a file. Reuses an earlier hash if the file cannot have changed since. Errors as for
  /// reading files.
  Result<std::string> of(const std::filesystem::path& file);
  /// Takes over the hashes of another object.
  void merge(KnownHashes others) { files_.merge(others.files_); }

 private:
  struct Known {
    WatchedFiles file;
    std::int64_t since = 0;  // in ns of the system's clock
    std::string sha256;
  };
  std::map<std::filesystem::path, Known> files_;
};

}  // namespace leanbridge::certify
