#pragma once
/// Answers that are kept: in memory, and on disk between runs. Only good answers are given to it.

#include "leanbridge/io/condition.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace leanbridge::search {

/// What is kept together, and how long.
enum class CacheGroup {
  Search,  ///< what a source has found: 1 h
  State,   ///< what Lean has said of a version of a document: 5 min, in memory only
  Local,   ///< what our own index has found in one state of it: 1 h, in memory only
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
  std::uint64_t evictions = 0;  ///< for want of room; not those that were too old
};

/// Belongs to the loop's thread; the disk is a thread's of its own. The file is for this user alone. A file
/// that is damaged or cannot be written costs what was kept, never an answer.
class Cache {
 public:
  Cache(asio::io_context& context, CacheOptions options);
  ~Cache();
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  /// From memory, else from disk. The least recently used goes first where there is no room.
  asio::awaitable<std::optional<nlohmann::json>> find(CacheGroup group, std::string key,
                                                      io::CancelScope scope);
  void put(CacheGroup group, const std::string& key, nlohmann::json value);

  CacheCounts counts() const;
  /// Why nothing is kept on disk; "" where it is, or shall not be.
  std::string problem() const;

  /// Removes all that is kept in this file. The number of entries that it had; BackendError where that fails.
  static Result<std::size_t> clear(const std::filesystem::path& file);

  static constexpr std::size_t kMaxValueBytes = 1u << 20;  ///< larger answers are not kept

 private:
  struct Entry {
    std::string key;
    nlohmann::json value;
    WallClock::time_point until;
  };
  class Disk;

  const nlohmann::json* remembered(const std::string& key);
  void remember(std::string key, nlohmann::json value, WallClock::time_point until);

  CacheOptions options_;
  std::list<Entry> entries_;  ///< most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> by_key_;
  CacheCounts counts_;
  std::shared_ptr<Disk> disk_;  ///< null: in memory only
};

}  // namespace leanbridge::search
