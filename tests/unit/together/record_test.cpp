// The record of what clients did: its lines, its bound, and what it has of claims and writes.

#include "together/claims/record.hpp"

#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <sys/stat.h>

#include <thread>

namespace leanbridge::together {

namespace {

RecordLine line_of(const std::string& declaration) {
  return {"", "agent", Deed::Refused, "A.lean", {declaration}, "held"};
}

}  // namespace

TEST_CASE("a record has its lines in order, for its owner alone, and none that are damaged", "[together]") {
  const leanbridge::test::TestFolder folder;
  add_to_record(folder.path(), line_of("a"));
  folder.write("record.jsonl", leanbridge::test::content_of(folder / "record.jsonl") + "{\"at\": \n7\n");
  add_to_record(folder.path(), line_of("b\n\u202e"));
  const auto lines = read_record(folder.path());
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].at.starts_with("20"));
  CHECK(lines[0].did == Deed::Refused);
  CHECK(lines[1].declarations == std::vector<std::string>{"b\n\u202e"});
  CHECK(leanbridge::test::content_of(folder / "record.jsonl").find("\u202e") == std::string::npos);
}

TEST_CASE("of a record that is too long the older half goes", "[together]") {
  const leanbridge::test::TestFolder folder;
  constexpr std::size_t kMost = 2000;
  std::size_t longest = 0;
  for (int i = 0; i < 100; ++i) {
    add_to_record(folder.path(), line_of("t" + std::to_string(i)), kMost);
    longest = std::max(longest, leanbridge::test::content_of(folder / "record.jsonl").size());
  }
  CHECK(longest > kMost / 2);
  CHECK(longest < kMost + 200);
  const auto lines = read_record(folder.path());
  REQUIRE(lines.size() >= 5);
  for (std::size_t i = 0; i < lines.size(); ++i)
    CHECK(lines[i].declarations.front() == "t" + std::to_string(100 - lines.size() + i));
  struct stat status {};
  REQUIRE(::stat((folder / "record.jsonl").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600);
}

TEST_CASE("of many that write at the same time, no line is lost", "[together]") {
  const leanbridge::test::TestFolder folder;
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i)
    all.emplace_back([&] {
      for (int each = 0; each < 10; ++each) add_to_record(folder.path(), line_of("a"));
    });
  for (std::thread& each : all) each.join();
  CHECK(read_record(folder.path()).size() == 40);
}

}  // namespace leanbridge::together
