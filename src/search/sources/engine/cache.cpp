#include "search/sources/cache.hpp"

#include <algorithm>

namespace leanbridge::search {

const std::any* Cache::find_any(const Key& key) {
  auto found = entries_.find(key);
  if (found != entries_.end() && found->second.until <= now_()) {
    entries_.erase(found);
    found = entries_.end();
  }
  ++(found == entries_.end() ? counts_.misses : counts_.hits);
  if (found == entries_.end()) return nullptr;
  found->second.used = ++uses_;
  return &found->second.value;
}

void Cache::put(CacheGroup group, const std::string& key, std::any value) {
  const Key place{group, key};
  if (entries_.size() >= max_entries_ && !entries_.contains(place)) {
    entries_.erase(std::ranges::min_element(
        entries_, [](const auto& a, const auto& b) { return a.second.used < b.second.used; }));
    ++counts_.evictions;
  }
  const std::chrono::minutes kept_for(group == CacheGroup::State ? 5 : 60);
  entries_.insert_or_assign(place, Entry{std::move(value), now_() + kept_for, ++uses_});
}

CacheCounts Cache::counts() const {
  CacheCounts counts = counts_;
  counts.entries = entries_.size();
  return counts;
}

}  // namespace leanbridge::search
