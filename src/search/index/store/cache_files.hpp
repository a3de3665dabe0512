#pragma once
/// The files of the cache folder. A database is never replaced under the same name: SQLite finds a database's
/// log by its path, so a process with the old one open would use the new one's log. Therefore each database
/// has a name of its own, STEM.TIME.db, and the newest is valid.

#include <filesystem>
#include <optional>
#include <string>

namespace leanbridge::index {

/// A hash of `identity` for file names.
std::string file_key_of(const std::string& identity);

/// The valid database; nullopt: there is none.
std::optional<std::filesystem::path> newest_database(const std::filesystem::path& folder,
                                                     const std::string& stem);

/// Creates the empty file of a new database, which is valid from now on. Empty path: it failed.
std::filesystem::path new_database(const std::filesystem::path& folder, const std::string& stem);

/// Removes all databases of the stem except `keep`. Hold the lock.
void remove_other_databases(const std::filesystem::path& folder, const std::string& stem,
                            const std::filesystem::path& keep);

/// Creates the folder, for this user only. False if it cannot be created or written.
bool make_folder(const std::filesystem::path& folder);

/// The size of a database and its log, in bytes.
std::uintmax_t bytes_of(const std::filesystem::path& database);

/// The right to build: a lock on STEM.lock, which is released however the process ends.
class BuildLock {
 public:
  BuildLock(const std::filesystem::path& folder, const std::string& stem);
  ~BuildLock();
  BuildLock(const BuildLock&) = delete;
  BuildLock& operator=(const BuildLock&) = delete;

  bool held() const { return held_; }
  int owner() const { return owner_; }  ///< the other process that holds it; 0: unknown

 private:
  int file_ = -1;
  bool held_ = false;
  int owner_ = 0;
};

}  // namespace leanbridge::index
