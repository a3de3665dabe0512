#include "leanbridge/search/cache.hpp"

#include "support/loop.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <sys/stat.h>

#include <fstream>

namespace leanbridge::search {

using leanbridge::test::Loop;
using leanbridge::test::patient;
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

struct Clockwork {
  WallClock::time_point time = WallClock::time_point(std::chrono::hours(24 * 20000));
};

struct Kept {
  Loop loop;
  std::shared_ptr<Clockwork> clock = std::make_shared<Clockwork>();
  std::optional<Cache> cache;

  explicit Kept(std::filesystem::path file = {}, std::size_t entries = 1000) {
    open(std::move(file), entries);
  }
  void open(std::filesystem::path file, std::size_t entries = 1000) {
    cache.reset();
    CacheOptions options;
    options.file = std::move(file);
    options.max_entries = entries;
    options.now = [clock = clock] { return clock->time; };
    cache.emplace(options);
  }
  std::optional<json> find(const std::string& key, CacheGroup group = CacheGroup::Search) {
    return loop.run(cache->find(group, key, patient()));
  }
  void put(const std::string& key, json value, CacheGroup group = CacheGroup::Search) {
    cache->put(group, key, std::move(value));
  }
};

}  // namespace

TEST_CASE("what is kept is found, as long as its group is kept", "[search][cache]") {
  Kept kept;
  CHECK_FALSE(kept.find("a"));
  kept.put("a", 1);
  kept.put("a", 2, CacheGroup::Local);
  kept.put("a", 3, CacheGroup::State);
  CHECK(kept.find("a") == json(1));
  CHECK(kept.find("a", CacheGroup::Local) == json(2));
  kept.clock->time += 5min;
  CHECK_FALSE(kept.find("a", CacheGroup::State));
  kept.clock->time += 55min;
  CHECK_FALSE(kept.find("a"));
  CHECK_FALSE(kept.find("a", CacheGroup::Local));
  CHECK(kept.cache->counts().hits == 2);
  CHECK(kept.cache->counts().misses == 4);
  CHECK(kept.cache->counts().entries == 0);
}

TEST_CASE("the least recently used goes first", "[search][cache]") {
  Kept kept({}, 3);
  for (const char* key : {"a", "b", "c"}) kept.put(key, key);
  CHECK(kept.find("a"));
  kept.put("d", "d");
  CHECK_FALSE(kept.find("b"));
  CHECK(kept.find("a"));
  CHECK(kept.find("c"));
  CHECK(kept.find("d"));
  CHECK(kept.cache->counts().evictions == 1);
  CHECK(kept.cache->counts().entries == 3);
}

TEST_CASE("the next run finds it, and nobody else can read it", "[search][cache]") {
  leanbridge::test::TestFolder folder;
  const auto file = folder.path() / "new" / "search.db";
  Kept kept(file);
  kept.put("key", {{"x", "λ∀"}});
  for (const auto group : {CacheGroup::State, CacheGroup::Local}) kept.put("of this process", 1, group);
  kept.open(file);
  CHECK(kept.find("key") == json({{"x", "λ∀"}}));
  for (const auto group : {CacheGroup::State, CacheGroup::Local})
    CHECK_FALSE(kept.find("of this process", group));
  struct stat info {};
  REQUIRE(::stat(file.c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
  REQUIRE(::stat(file.parent_path().c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0700);
  kept.clock->time += 2h;
  kept.open(file);
  CHECK_FALSE(kept.find("key"));
}

TEST_CASE("a clock that is set back or forward makes nothing good for longer", "[search][cache]") {
  leanbridge::test::TestFolder folder;
  const auto file = folder.path() / "search.db";
  Kept kept(file);
  SECTION("set back, in memory") {
    kept.put("key", 1, CacheGroup::State);
    CHECK(kept.find("key", CacheGroup::State) == json(1));
    kept.clock->time -= 24h;
    CHECK_FALSE(kept.find("key", CacheGroup::State));
  }
  SECTION("set back, on disk") {
    kept.put("key", 1);
    kept.open(file);
    CHECK(kept.find("key") == json(1));
    kept.clock->time -= 24h;
    kept.open(file);
    CHECK_FALSE(kept.find("key"));
  }
  SECTION("set forward: it is asked for again") {
    kept.put("key", 1);
    kept.clock->time += 24h;
    CHECK_FALSE(kept.find("key"));
  }
}

TEST_CASE("no more on disk than in memory", "[search][cache]") {
  leanbridge::test::TestFolder folder;
  const auto file = folder.path() / "search.db";
  Kept kept(file, 10);
  for (int i = 0; i < 101; ++i) {
    kept.clock->time += 1s;
    kept.put("k" + std::to_string(i), i);
  }
  kept.open(file, 10);
  CHECK(kept.find("k100") == json(100));
  CHECK_FALSE(kept.find("k50"));
}

TEST_CASE("a damaged file costs what was kept, and no more", "[search][cache]") {
  leanbridge::test::TestFolder folder;
  const auto file = folder.path() / "search.db";
  { std::ofstream(file) << std::string(5000, 'x'); }
  Kept kept(file);
  CHECK_FALSE(kept.find("a"));
  kept.put("a", 1);
  kept.open(file);
  CHECK(kept.find("a") == json(1));
}

TEST_CASE("a place that cannot be written costs the disk, and no more", "[search][cache]") {
  leanbridge::test::TestFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  Kept kept(folder.path() / "file" / "search.db");
  CHECK_FALSE(kept.find("a"));
  kept.put("a", 1);
  CHECK(kept.find("a") == json(1));
  CHECK_FALSE(kept.cache->problem().empty());
}

TEST_CASE("clear", "[search][cache]") {
  leanbridge::test::TestFolder folder;
  const auto file = folder.path() / "search.db";
  CHECK(Cache::clear(file) == 0u);
  Kept kept(file);
  for (int i = 0; i < 3; ++i) kept.put(std::to_string(i), i);
  kept.cache.reset();
  CHECK(Cache::clear(file) == 3u);
  kept.open(file);
  CHECK_FALSE(kept.find("1"));
  std::ofstream(folder.path() / "damaged") << std::string(5000, 'x');
  CHECK(Cache::clear(folder.path() / "damaged") == 0u);
}

TEST_CASE("two processes have it open", "[search][cache]") {
  leanbridge::test::TestFolder folder;
  const auto file = folder.path() / "search.db";
  Kept one(file), two(file);
  one.put("a", 1);
  one.cache.reset();
  CHECK(two.find("a") == json(1));
}

}  // namespace leanbridge::search
