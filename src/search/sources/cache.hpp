#pragma once
/// Keeps answers in memory as long as the process runs.

#include "core/base/json_struct.hpp"
#include "core/io/condition.hpp"

#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace leanbridge::search {

/// The kinds of entries, with the time that each is kept.
enum class CacheGroup {
  Search,  ///< results of a source: 1 h
  State,   ///< facts from Lean about one version of a document: 5 min
  Local,   ///< results of the local index in one state: 1 h
};

struct CacheCounts {
  std::size_t entries = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;  ///< for lack of room, not because of age

  static wire::Fields fields() {
    return wire::fields<&CacheCounts::entries, &CacheCounts::hits, &CacheCounts::misses,
                        &CacheCounts::evictions>();
  }
};

/// Belongs to the loop's thread. Put only successful answers into it.
class Cache {
 public:
  explicit Cache(std::size_t max_entries = 1000, std::function<io::Clock::time_point()> now = io::Clock::now)
      : max_entries_(max_entries), now_(std::move(now)) {}

  /// Null: there is no entry, or it is too old. Valid until the next put().
  template <class Value>
  const Value* find(CacheGroup group, const std::string& key) {
    return std::any_cast<Value>(find_any({group, key}));
  }
  /// Evicts the least recently used entry when full. Each group has values of one type.
  void put(CacheGroup group, const std::string& key, std::any value);

  CacheCounts counts() const;

 private:
  struct Entry {
    std::any value;
    io::Clock::time_point until;
    std::uint64_t used = 0;  ///< grows with each use
  };
  using Key = std::pair<CacheGroup, std::string>;

  const std::any* find_any(const Key& key);

  std::size_t max_entries_;
  std::function<io::Clock::time_point()> now_;
  std::map<Key, Entry> entries_;
  std::uint64_t uses_ = 0;
  CacheCounts counts_;
};

}  // namespace leanbridge::search
