#include "search/sources/cache.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::search {

using namespace std::chrono_literals;

namespace {

/// A cache with a clock that a test sets.
struct TimedCache {
  std::shared_ptr<io::Clock::time_point> time = std::make_shared<io::Clock::time_point>();
  Cache cache;

  explicit TimedCache(std::size_t entries = 1000) : cache(entries, [time = time] { return *time; }) {}
  std::optional<int> find(const std::string& key, CacheGroup group = CacheGroup::Search) {
    const int* const found = cache.find<int>(group, key);
    return found ? std::optional(*found) : std::nullopt;
  }
};

}  // namespace

TEST_CASE("what is kept is found, as long as its group is kept", "[search][cache]") {
  TimedCache kept;
  CHECK_FALSE(kept.find("a"));
  kept.cache.put(CacheGroup::Search, "a", 1);
  kept.cache.put(CacheGroup::Local, "a", 2);
  kept.cache.put(CacheGroup::State, "a", 3);
  CHECK(kept.find("a") == 1);
  CHECK(kept.find("a", CacheGroup::Local) == 2);
  CHECK(kept.find("a", CacheGroup::State) == 3);
  *kept.time += 5min;
  CHECK_FALSE(kept.find("a", CacheGroup::State));
  *kept.time += 55min;
  CHECK_FALSE(kept.find("a"));
  CHECK_FALSE(kept.find("a", CacheGroup::Local));
  CHECK(kept.cache.counts().hits == 3);
  CHECK(kept.cache.counts().misses == 4);
  CHECK(kept.cache.counts().entries == 0);
}

TEST_CASE("the least recently used goes first", "[search][cache]") {
  TimedCache kept(3);
  for (const char* key : {"a", "b", "c"}) kept.cache.put(CacheGroup::Search, key, 1);
  CHECK(kept.find("a"));
  kept.cache.put(CacheGroup::Search, "d", 1);
  CHECK_FALSE(kept.find("b"));
  CHECK(kept.find("a"));
  CHECK(kept.find("c"));
  CHECK(kept.find("d"));
  CHECK(kept.cache.counts().evictions == 1);
  CHECK(kept.cache.counts().entries == 3);
}

}  // namespace leanbridge::search
