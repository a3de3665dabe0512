// What lean_fill remembers of a project.

#include "core/ide/tactic_counts.hpp"

#include "core/base/files.hpp"
#include "core/ide/fill_candidates.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

#include <fstream>

namespace leanbridge::ide {

TEST_CASE("what has closed most is tried first, by the next run, too", "[tools]") {
  const test::TestFolder folder;
  const auto file = TacticCounts::file_for(folder.path() / "cache", "/a/project");
  CHECK(file != TacticCounts::file_for(folder.path() / "cache", "/another"));
  TacticCounts counts;
  counts.add("omega");
  for (int i = 0; i < 2; ++i) counts.add("simp_all");
  counts.add("grind");
  REQUIRE(counts.write(file));
  CHECK((std::filesystem::status(file).permissions() & std::filesystem::perms(077)) ==
        std::filesystem::perms::none);
  TacticSet tactics;
  tactics.sort(TacticCounts::read(file));
  CHECK(Candidates(tactics.cheap().begin(), tactics.cheap().begin() + 3) ==
        Candidates{"simp_all", "omega", "rfl"});
  CHECK(tactics.dear().front() == "grind");
  CHECK(tactics.all().size() == TacticSet().all().size());
}

TEST_CASE("a table that is broken or of somebody\'s making adds nothing", "[tools]") {
  const test::TestFolder folder;
  const auto file = folder.path() / "table.json";
  CHECK(TacticCounts::read(file).empty());
  for (const char* text : {"", "{", "[1]", R"({"simp": "many", "rfl": -1, "omega": 1.5})"}) {
    std::ofstream(file, std::ios::trunc) << text;
    CHECK(TacticCounts::read(file).empty());
  }
  std::ofstream(file, std::ios::trunc) << R"({"sorry": 9, "simp": 1})";
  TacticSet tactics;
  tactics.sort(TacticCounts::read(file));
  CHECK(tactics.cheap().front() == "simp");
  CHECK_FALSE(tactics.has("sorry"));
}

TEST_CASE("a table has at most 200 tactics", "[tools]") {
  const test::TestFolder folder;
  TacticCounts counts;
  for (int i = 0; i < 300; ++i) counts.add("tactic " + std::to_string(1000 + i));
  for (int i = 0; i < 2; ++i) counts.add("tactic 1000");
  Candidates all;
  for (int i = 299; i >= 0; --i) all.push_back("tactic " + std::to_string(1000 + i));
  counts.sort(all);
  CHECK(all.front() == "tactic 1000");
  CHECK(all[1] == "tactic 1199");
}

}  // namespace leanbridge::ide
