#pragma once
/// Caches answers in memory and, between runs, on disk. Put only successful answers into it.

#include "leanbridge/io/condition.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace leanbridge::search {

/// What is cached, and for how long.
enum class CacheGroup {
  Search,  ///< results of a source: 1 h
  State,   ///< facts from Lean about one version of a document: 5 min, in memory only
  Local,   ///< results of the local index in one state: 1 h, in memory only
};

using WallClock = std::chrono::system_clock;

struct CacheOptions {
  std::filesystem::path file;      ///< empty: in memory only
  std::size_t max_entries = 1000;  ///< in memory, and on disk
  std::function<WallClock::time_point()> now = [] { return WallClock::now(); };
};

struct CacheCounts {
  std::size_t entries = 0;  ///< in memory
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;  ///< for lack of room, not age
};

/// Belongs to the loop's thread; a thread of its own accesses the disk. Only this user can read the file. A
/// damaged or unwritable file loses cached answers but never causes an error.
class Cache {
 public:
  explicit Cache(CacheOptions options = {});
  ~Cache();
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  /// Looks in memory, then on disk.
  asio::awaitable<std::optional<nlohmann::json>> find(CacheGroup group, std::string key,
                                                      io::CancelScope scope);
  /// Evicts the least recently used entry when full.
  void put(CacheGroup group, const std::string& key, nlohmann::json value);

  CacheCounts counts() const;
  /// Why nothing is stored on disk; "" if it is, or is not meant to be.
  const std::string& problem() const { return problem_; }

  /// Clears this file and returns the number of entries it had. Error: BackendError.
  static Result<std::size_t> clear(const std::filesystem::path& file);

  static constexpr std::size_t kMaxValueBytes = 1u << 20;  ///< larger answers are not cached

 private:
  class Disk;
  struct Entry {
    nlohmann::json value;
    WallClock::time_point until;
    std::uint64_t used = 0;  ///< larger: later
  };
  using Key = std::pair<CacheGroup, std::string>;
  using Entries = std::map<Key, Entry>;

  Entries::iterator remember(const Key& key, nlohmann::json value, WallClock::time_point until);

  CacheOptions options_;
  Entries entries_;
  std::uint64_t uses_ = 0;
  CacheCounts counts_;
  std::string problem_;
  std::shared_ptr<Disk> disk_;  ///< null: in memory only
};

}  // namespace leanbridge::search
