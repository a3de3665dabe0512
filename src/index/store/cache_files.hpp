#pragma once
/// The files of the cache folder. A database is never replaced under its own name: SQLite finds the log of a
/// database by its path, and a process that still has the old one open would take the new one's. So each gets
/// a name of its own, STEM.TIME.db, and the newest one counts.

#include <filesystem>
#include <optional>
#include <string>

namespace leanbridge::index {

/// A short text that stands for `identity` in file names.
std::string key_of(const std::string& identity);

/// The database that counts; nullopt where there is none.
std::optional<std::filesystem::path> newest_database(const std::filesystem::path& folder,
                                                     const std::string& stem);

/// Makes an empty file for a new database, which counts from now on. An empty path where that is impossible.
std::filesystem::path new_database(const std::filesystem::path& folder, const std::string& stem);

/// Removes all databases of the stem but `keep`. Under the lock.
void remove_other_databases(const std::filesystem::path& folder, const std::string& stem,
                            const std::filesystem::path& keep);

/// Makes the folder, for this user alone. False where it is not there and cannot be made, or cannot be
/// written.
bool make_folder(const std::filesystem::path& folder);

/// Bytes of a database with its log.
std::uintmax_t bytes_of(const std::filesystem::path& database);

/// The right to build: a lock on STEM.lock, which ends with the process, in whatever way that ends.
class BuildLock {
 public:
  BuildLock(const std::filesystem::path& folder, const std::string& stem);
  ~BuildLock();
  BuildLock(const BuildLock&) = delete;
  BuildLock& operator=(const BuildLock&) = delete;

  bool held() const { return held_; }
  int owner() const { return owner_; }  ///< the process that has it, where it is not we; 0: not known

 private:
  int file_ = -1;
  bool held_ = false;
  int owner_ = 0;
};

}  // namespace leanbridge::index
