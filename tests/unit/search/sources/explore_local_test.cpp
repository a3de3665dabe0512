// LeanExplore's data on disk in both layouts, created here with SQLite.

#include "backend_fixture.hpp"
#include "search/sources/services.hpp"
#include <sqlite3.h>

namespace leanbridge::search {

namespace {

void make_database(const std::filesystem::path& file, const char* sql) {
  std::filesystem::create_directories(file.parent_path());
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &database) == SQLITE_OK);
  REQUIRE(sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
}

constexpr const char* kData =
    "CREATE TABLE declarations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, module TEXT, docstring TEXT, "
    "source_text TEXT,"
    " source_link TEXT, dependencies TEXT, informalization TEXT, informalization_embedding BLOB);"
    "INSERT INTO declarations VALUES (1, 'Nat.add_comm', 'Init.Nat', NULL, 'theorem Nat.add_comm : a', "
    "'https://x#L7',"
    " '[\"Nat.add\", \"Eq\"]', '**Commutativity.** Addition commutes.', x'00');"
    "INSERT INTO declarations VALUES (2, 'Nat.add', 'Init.Prelude', 'Sum of ℕ.', 'def Nat.add : b', "
    "'https://x', NULL, NULL, NULL);"
    "INSERT INTO declarations VALUES (3, 'Other.thing', 'Other', 'Addition is commutative here.', 't', '', "
    "'broken', NULL, NULL);";

struct Data {
  Loop loop;
  io::Pool pool;
  TestFolder folder;
  Config config;
  std::unique_ptr<Explore> explore;

  void open() { explore = make_leanexplore_local(pool, config, folder.path()); }
  Outcome<Found> search(std::string text, std::vector<std::string> packages = {}, std::size_t limit = 10) {
    Question question;
    question.text = std::move(text);
    question.packages = std::move(packages);
    question.limit = limit;
    return loop.run(explore->ask(std::move(question), patient()));
  }
  Names found(std::string text, std::vector<std::string> packages = {}, std::size_t limit = 10) {
    const auto answer = search(std::move(text), std::move(packages), limit);
    INFO((answer ? "" : answer.error().message));
    REQUIRE(answer);
    Names all;
    for (const Theorem& hit : answer->hits) all.push_back(hit.name);
    return all;
  }
};

}  // namespace

TEST_CASE("LeanExplore's data of the second layout", "[search][backends]") {
  Data data;
  make_database(data.folder / ".lean_explore/cache/v9/lean_explore.db", kData);
  data.folder.write(".lean_explore/active_version", "v9\n");
  data.open();
  CHECK_FALSE(data.explore->disabled_because());
  CHECK_FALSE(data.explore->remote());
  CHECK(data.found("nat.add_comm") == Names{"Nat.add_comm", "Nat.add", "Other.thing"});
  CHECK(data.found("commutative addition").front() == "Other.thing");
  CHECK(data.found("add", {"Init.Nat"}) == Names{"Nat.add_comm"});
  CHECK(data.found("add", {"Init/Nat"}, 1) == Names{"Nat.add_comm"});
  CHECK(data.found("ℕ") == Names{"Nat.add"});
  CHECK(data.found("nothing-like-it").empty());
  CHECK(data.found("'; DROP TABLE declarations; --\"").empty());
  CHECK(data.found("").empty());
  CHECK(data.search("add")->note == "data v9");

  const auto one = data.loop.run(data.explore->get_by_id(1, patient()));
  REQUIRE(one);
  REQUIRE(one->hits.size() == 1);
  CHECK(one->hits[0].file == "Init/Nat.lean");
  CHECK(one->hits[0].line == 7);
  CHECK(one->hits[0].docstring.empty());
  const auto none = data.loop.run(data.explore->get_by_id(99, patient()));
  REQUIRE(none);
  CHECK(none->hits.empty());
  const auto dependencies = data.loop.run(data.explore->get_dependencies(1, patient()));
  REQUIRE(dependencies);
  REQUIRE(dependencies->total == 2u);
  CHECK(dependencies->hits.at(0).id == 2);
  CHECK(dependencies->hits.at(1).name == "Eq");
  CHECK_FALSE(dependencies->hits.at(1).id);
  CHECK(data.loop.run(data.explore->get_dependencies(3, patient()))->total == 0u);
  CHECK_FALSE(data.loop.run(data.explore->get_dependencies(99, patient()))->total);
}

TEST_CASE("LeanExplore's data that is not there, damaged, or something else", "[search][backends]") {
  Data data;
  data.open();
  CHECK(data.explore->disabled_because());
  CHECK(data.search("x").error().failure == Failure::Disabled);
  data.config.leanexplore_data = data.folder.write("some.db", "this is no database, whatever its name says");
  data.open();
  CHECK_FALSE(data.explore->disabled_because());
  const auto damaged = data.search("x");
  REQUIRE_FALSE(damaged);
  CHECK(damaged.error().failure == Failure::Unavailable);
  CHECK(damaged.error().message.find("some.db") != std::string::npos);
  make_database(data.folder / "other.db", "CREATE TABLE declarations (id INTEGER)");  // as before 2026
  data.config.leanexplore_data = data.folder / "other.db";
  data.open();
  CHECK(data.search("x").error().failure == Failure::Unavailable);
  // If a version is asked for, no other is used.
  make_database(data.folder / "v1/lean_explore.db", kData);
  data.config.leanexplore_data = data.folder.path();
  data.config.leanexplore_data_version = "v2";
  data.open();
  CHECK(data.explore->disabled_because());
  data.config.leanexplore_data_version = "v1";
  data.open();
  CHECK_FALSE(data.explore->disabled_because());
}

TEST_CASE("Which LeanExplore is asked: the service, or data on this disk", "[search][backends]") {
  Data data;
  const auto asked = [&] {
    Services services(data.loop.context, data.pool, data.config, data.folder.path(), {}, {});
    return std::string(services.explore().name());
  };
  CHECK(asked() == "leanexplore");
  make_database(data.folder / ".lean_explore/lean_explore.db", kData);
  CHECK(asked() == "leanexplore_local");
  data.config.leanexplore_key = Secret("key");
  CHECK(asked() == "leanexplore");
  data.config.offline = true;
  CHECK(asked() == "leanexplore_local");
  data.config.leanexplore_backend = ExploreBackend::Api;
  CHECK(asked() == "leanexplore");  // as configured
  data.config.offline = false;
  data.config.leanexplore_backend = ExploreBackend::Local;
  CHECK(asked() == "leanexplore_local");
}

}  // namespace leanbridge::search
