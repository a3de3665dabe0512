#include "leanbridge/search/suggestions.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::search {

using Words = std::vector<std::string>;

TEST_CASE("what exact? and rw? suggest", "[search]") {
  CHECK(read_suggestions("Try this: exact Nat.sub_add_cancel h").words == Words{"Nat.sub_add_cancel", "h"});
  const auto newer = read_suggestions("Try this:\n  [apply] exact Nat.le_trans h₁\n      (Nat.le_of_lt h₂)");
  CHECK(newer.tactics == Words{"exact Nat.le_trans h₁ (Nat.le_of_lt h₂)"});
  CHECK(newer.words == Words{"Nat.le_trans", "h₁", "Nat.le_of_lt", "h₂"});
  const auto many = read_suggestions(
      "Try these:\n  [apply] rw [Nat.add_comm]\n  -- b + a = b + a\n  [apply] rw [← Nat.add_assoc]\n  -- no "
      "goals");
  CHECK(many.tactics == Words{"rw [Nat.add_comm]", "rw [← Nat.add_assoc]"});
  CHECK(many.words == Words{"Nat.add_comm", "Nat.add_assoc"});
}

TEST_CASE("other messages suggest nothing", "[search]") {
  for (const char* text : {"", "unsolved goals\nn : Nat\n⊢ exact n", "`exact?` could not close the goal.",
                           "Try this:", "Try this:\n  [apply]"})
    CHECK(read_suggestions(text).tactics.empty());
}

TEST_CASE("the constant in a word", "[search]") {
  CHECK(possible_constants("Nat.le_iff.mp") == Words{"Nat.le_iff.mp", "Nat.le_iff", "Nat"});
  CHECK(possible_constants("h") == Words{"h"});
  CHECK(possible_constants("").empty());
}

}  // namespace leanbridge::search
