#include "leanbridge/search/cache.hpp"

#include "leanbridge/base/json.hpp"

#include "cache_disk.hpp"

namespace leanbridge::search {

using nlohmann::json;

namespace {

std::chrono::seconds kept_for(CacheGroup group) {
  switch (group) {
    case CacheGroup::Search:
    case CacheGroup::Local:
      return std::chrono::hours(1);
    case CacheGroup::State:
      return std::chrono::minutes(5);
  }
  return {};
}

char prefix_of(CacheGroup group) {
  switch (group) {
    case CacheGroup::Search:
      return 's';
    case CacheGroup::State:
      return 'l';
    case CacheGroup::Local:
      return 'i';
  }
  return '?';
}

// The others hold for one process: its documents, and its connections to the index.
bool is_for_disk(CacheGroup group) {
  return group == CacheGroup::Search;
}

std::string full_key(CacheGroup group, const std::string& key) {
  return prefix_of(group) + (":" + key);
}

std::chrono::seconds longest_for(const std::string& full_key) {
  for (const CacheGroup group : {CacheGroup::State, CacheGroup::Local})
    if (full_key.front() == prefix_of(group)) return kept_for(group);
  return kept_for(CacheGroup::Search);
}

std::int64_t seconds(WallClock::time_point time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

}  // namespace

Cache::Cache(asio::io_context& context, CacheOptions options) : options_(std::move(options)) {
  if (!options_.file.empty()) disk_ = std::make_shared<Disk>(context, options_);
}

Cache::~Cache() = default;

asio::awaitable<std::optional<json>> Cache::find(CacheGroup group, std::string key, io::CancelScope scope) {
  key = full_key(group, key);
  if (const json* value = remembered(key)) {
    ++counts_.hits;
    co_return *value;
  }
  if (disk_ && is_for_disk(group)) {
    const auto now = options_.now();
    const auto disk = disk_;
    const auto kept = co_await disk->get(key, seconds(now), scope);
    json value = kept ? read_json(kept->value) : json();
    const WallClock::time_point until{std::chrono::seconds(kept ? kept->until : 0)};
    // As in remembered(): a clock that was wrong when it was kept, or is now, does not make it good for
    // longer.
    if (kept && !value.is_discarded() && until <= now + kept_for(group)) {
      ++counts_.hits;
      remember(key, value, until);
      co_return value;
    }
  }
  ++counts_.misses;
  co_return std::nullopt;
}

void Cache::put(CacheGroup group, const std::string& key, json value) {
  const auto now = options_.now();
  const auto until = now + kept_for(group);
  if (disk_ && is_for_disk(group)) disk_->put(full_key(group, key), value, seconds(until), seconds(now));
  remember(full_key(group, key), std::move(value), until);
}

const json* Cache::remembered(const std::string& key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  const auto now = options_.now();
  // A clock that was set back does not make it good for longer.
  if (found->second->until <= now || found->second->until > now + longest_for(key)) {
    entries_.erase(found->second);
    by_key_.erase(found);
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, found->second);
  return &found->second->value;
}

void Cache::remember(std::string key, json value, WallClock::time_point until) {
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    entries_.erase(found->second);
    by_key_.erase(found);
  }
  entries_.push_front(Entry{key, std::move(value), until});
  by_key_.emplace(std::move(key), entries_.begin());
  if (entries_.size() <= options_.max_entries) return;
  by_key_.erase(entries_.back().key);
  entries_.pop_back();
  ++counts_.evictions;
}

CacheCounts Cache::counts() const {
  CacheCounts counts = counts_;
  counts.entries = entries_.size();
  return counts;
}

std::string Cache::problem() const {
  return disk_ ? disk_->problem() : std::string();
}

Result<std::size_t> Cache::clear(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return 0;
  CacheFile kept(file, 0);
  if (const auto removed = kept.clear()) return *removed;
  return fail(ErrorKind::BackendError, "The cache cannot be cleared: " + kept.problem(),
              "Remove the file while no leanbridge is running.");
}

}  // namespace leanbridge::search
