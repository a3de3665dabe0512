#pragma once
/// Hashes of files that the questions of a batch have in common.

#include "core/base/error.hpp"
#include "core/base/watched_files.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace leanbridge::certify {

/// Blocks; several threads may use it at once, also one whose result nobody waits for any more.
class KnownHashes {
 public:
  /// The SHA-256 of a file. Reuses an earlier hash if the file cannot have changed since. Errors as for
  /// reading files.
  Result<std::string> of(const std::filesystem::path& file);

 private:
  struct Known {
    WatchedFiles file;
    std::int64_t since = 0;  // in ns of the system's clock
    std::string sha256;
  };
  std::optional<Known> find(const std::filesystem::path& file);

  std::mutex mutex_;
  std::map<std::filesystem::path, Known> files_;
};

}  // namespace leanbridge::certify
