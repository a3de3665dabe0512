// What may be committed, by its words.

#include "together/statements/approvals.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::together {

namespace {

const std::string kBefore = "theorem a : 1 = 1 := by\n  rfl\n\ntheorem b : 2 = 2 := by\n  sorry\n";

CommitVerdict verdict_on(const std::string& after, const Approvals& approved = {},
                         const std::string& file = "A.lean") {
  return judge_commit(approved, approved,
                      text::source_changes({text::read_declarations("A.lean", kBefore)},
                                           {text::read_declarations(file, after)}));
}

std::string edited(std::string text, const std::string& old_part, const std::string& new_part) {
  return text.replace(text.find(old_part), old_part.size(), new_part);
}

}  // namespace

TEST_CASE("a sorry in what was proved is refused, and one in what is new or open is not", "[together]") {
  const auto sorry = verdict_on(edited(kBefore, "rfl", "sorry"));
  REQUIRE(sorry.refused.size() == 1);
  CHECK(sorry.refused.front() == "A.lean:1: a was proved, and has a sorry now.");
  CHECK(verdict_on(edited(edited(kBefore, "theorem a", "theorem c"), "rfl", "sorry")).refused.size() == 1);
  CHECK(verdict_on(edited(kBefore, "rfl", "sorry"), {}, "B.lean").refused.size() == 1);
  CHECK(verdict_on(kBefore + "\ntheorem n : 3 = 3 := sorry\n").refused.empty());
  CHECK(verdict_on(edited(kBefore, "sorry", "exact sorry")).refused.empty());
  CHECK(verdict_on(edited(kBefore, "sorry", "rfl")).refused.empty());
}

TEST_CASE("a new axiom is refused", "[together]") {
  CHECK(verdict_on(kBefore + "\naxiom cheat : False\n").refused.size() == 1);
  CHECK(verdict_on(edited(kBefore, "theorem a : 1 = 1 := by\n  rfl", "axiom a : 1 = 1")).refused.size() == 1);
}

TEST_CASE("an approved statement, and the approval itself, are kept", "[together]") {
  const Approvals approved = {{"a", "hash", {}}};
  CHECK(verdict_on(edited(kBefore, "1 = 1", "True"), approved).refused.size() == 1);
  CHECK(verdict_on(edited(kBefore, "rfl", "decide"), approved).refused.empty());
  const auto same = text::source_changes({}, {});
  CHECK(judge_commit(approved, {}, same).refused.size() == 1);
  CHECK(judge_commit(approved, {{"a", "other", {}}}, same).refused.size() == 1);
  CHECK(judge_commit(approved, {{"a", "hash", {}}, {"b", "new", {}}}, same).refused.empty());
}

TEST_CASE("what words cannot decide is not called fine", "[together]") {
  CHECK_FALSE(verdict_on("macro \"sorry_not\" : tactic => `(tactic| sorry)\n" + kBefore).undecided.empty());
  CHECK(verdict_on("open Nat\n" + kBefore).undecided.empty());
  CHECK(verdict_on("open Nat\n" + kBefore, {{"a", "hash", {}}}).undecided.size() == 1);
}

}  // namespace leanbridge::together
