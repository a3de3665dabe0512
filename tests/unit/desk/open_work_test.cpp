// The page's section of open work: how much is told, when the project is read again, and that no Lean is
// started.

#include "desk/view/open_work.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::app {

using namespace ide::test;

namespace {

using together::Claim;
using together::RecordLine;

const char* const kTwoOpen =
    "theorem a : True := by\n  sorry\n\ntheorem b : True := by\n  have := a\n  sorry\n";

Claim claim_of(std::string declaration) {
  Claim claim{std::move(declaration), "A.lean", "by hand", together::own_process(), 0, 0};
  claim.holder.name = "prover";
  claim.holder.connection = "7";
  return claim;
}

}  // namespace

TEST_CASE("a page gets 40 open places and 50 lines of the record, and how many there are", "[desk]") {
  together::Todo todo;
  for (int i = 0; i < 60; ++i) todo.items.push_back({"t" + std::to_string(i), "A.lean:" + std::to_string(i)});
  todo.open = 60;
  todo.items[1].needs = {"a", "b", "c", "d", "e"};
  Claim claim = claim_of("t1"), elsewhere = claim_of("t0");
  claim.since = 1234;
  elsewhere.file = "B.lean";
  std::vector<RecordLine> record(70,
                                 {"2026-11-30T12:00:00Z", "prover", together::Deed::Wrote, "A.lean", {}, ""});
  record.back().declarations = {"a", "b", "c", "d"};
  record.back().verdict = std::string(5000, 'x');
  const json shown = shown_work(todo, {claim, elsewhere}, record);
  CHECK(shown["open"] == 60);
  REQUIRE(shown["items"].size() == 40);
  CHECK(shown["items"][1]["holder"] == claim.holder.shown());
  CHECK(shown["items"][1]["since"] == 1234);
  CHECK(shown["items"][1]["why"] == "by hand");
  CHECK(shown["items"][1]["needs"] == json({"a", "b", "and 3 more"}));
  CHECK_FALSE(shown["items"][0].contains("holder"));
  CHECK(shown["record"]["all"] == 70);
  REQUIRE(shown["record"]["lines"].size() == 50);
  const json& newest = shown["record"]["lines"][0];
  CHECK(newest["declarations"] == json({"a", "b", "and 2 more"}));
  CHECK(newest["did"] == "wrote");
  CHECK(shown.dump().size() < 30'000);
}

TEST_CASE("a page gets nothing if nothing is open and nothing was recorded", "[desk]") {
  CHECK(shown_work({}, {claim_of("a")}, {}).empty());
  CHECK(shown_work({}, {}, {RecordLine()})["open"] == 0);
  together::Todo changed;
  changed.changed_statements = {"The statement of a is not the approved one."};
  CHECK_FALSE(shown_work(changed, {}, {}).empty());
}

TEST_CASE("a project is surveyed again if a source or a compiled module has changed, not for a claim",
          "[desk]") {
  const leanbridge::test::TestFolder project, cache;
  project.write("lakefile.toml", "name = \"p\"\n");
  project.write("A.lean", kTwoOpen);
  WorkOnDisk seen;
  const auto is_surveyed = [&] {
    seen.survey_after = {};
    seen = look_at_disk(project.path(), cache.path(), std::move(seen));
    return seen.survey != nullptr;
  };
  REQUIRE(is_surveyed());
  CHECK(together::todo_of(*seen.survey, {}).open == 2);
  CHECK_FALSE(is_surveyed());
  const std::uint64_t deeds = seen.deeds;
  REQUIRE(together::Claims(cache.path()).take(claim_of("a")));
  CHECK_FALSE(is_surveyed());
  CHECK(seen.deeds != deeds);
  CHECK(seen.claims.size() == 1);
  project.write("B.lean", "theorem c : True := by\n  sorry\n");
  CHECK(is_surveyed());
  project.write(".lake/build/lib/lean/A.olean", "no module");
  CHECK(is_surveyed());
  project.write(together::kApprovalsName, "{}");
  CHECK(is_surveyed());
  CHECK_FALSE(is_surveyed());
  // What changes too soon after a survey is not forgotten.
  project.write("B.lean", "theorem c : True := trivial\n");
  seen.survey_after = std::chrono::steady_clock::now() + std::chrono::hours(1);
  seen = look_at_disk(project.path(), cache.path(), std::move(seen));
  CHECK_FALSE(seen.survey);
  CHECK(is_surveyed());
  CHECK(together::todo_of(*seen.survey, {}).open == 2);
}

TEST_CASE_METHOD(IdeFixture, "claims and writes are shown soon, to all pages, and no Lean is started",
                 "[desk]") {
  const leanbridge::test::TestFolder cache;
  write("A.lean", kTwoOpen);
  const auto open = std::make_shared<OpenWork>(environment, store, cache.path());
  CHECK(open->shown().empty());
  auto one = loop.start(open->refresh(patient())), other = loop.start(open->refresh(patient()));
  loop.finish(other);
  CHECK(open->shown()["open"] == 2);
  loop.finish(one);
  const auto until = [&](const auto& is_shown) {
    while (!is_shown(open->shown())) loop.run(open->refresh(patient()));
  };
  together::Claims claims(cache.path());
  REQUIRE(claims.take(claim_of("a")));
  together::add_to_record(cache.path(), {"", "prover", together::Deed::Claimed, "A.lean", {"a"}, ""});
  until([](const json& shown) { return shown["record"]["all"] == 1; });
  CHECK(open->shown()["items"][0]["why"] == "by hand");
  REQUIRE(claims.end([](const together::Claim& each) { return each.declaration == "a"; }));
  until([](const json& shown) { return !shown["items"][0].contains("holder"); });
  write("A.lean", "theorem a : True := trivial\n");
  until([](const json& shown) { return shown["open"] == 0; });
  CHECK(open->shown()["not_looked_at"][0] == "A.lean: not compiled as it is; only its words were read");
  CHECK(lake.runs.empty());
}

}  // namespace leanbridge::app
