#include "core/lean/try_this.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::search {

using Words = std::vector<std::string>;

TEST_CASE("what exact? and rw? suggest", "[search]") {
  CHECK(lean::read_suggestions("Try this: exact Nat.sub_add_cancel h").words ==
        Words{"Nat.sub_add_cancel", "h"});
  const auto newer =
      lean::read_suggestions("Try this:\n  [apply] exact Nat.le_trans h₁\n      (Nat.le_of_lt h₂)");
  CHECK(newer.tactics == Words{"exact Nat.le_trans h₁ (Nat.le_of_lt h₂)"});
  CHECK(newer.words == Words{"Nat.le_trans", "h₁", "Nat.le_of_lt", "h₂"});
  const auto many = lean::read_suggestions(
      "Try these:\n  [apply] rw [Nat.add_comm]\n  -- b + a = b + a\n  [apply] rw [← Nat.add_assoc]\n  -- no "
      "goals");
  CHECK(many.tactics == Words{"rw [Nat.add_comm]", "rw [← Nat.add_assoc]"});
  CHECK(many.words == Words{"Nat.add_comm", "Nat.add_assoc"});
}

TEST_CASE("a suggestion is known by the form of the message", "[search]") {
  // The names that `exact?` must first expose.
  const auto exposing =
      lean::read_suggestions("Try this:\n  [apply] (expose_names; exact List.Perm.length_eq h)");
  CHECK(exposing.tactics == Words{"(expose_names; exact List.Perm.length_eq h)"});
  CHECK(exposing.words == Words{"List.Perm.length_eq", "h"});
  CHECK(lean::read_suggestions("Try this: (expose_names; exact a)").tactics ==
        Words{"(expose_names; exact a)"});
  // Lean 4.22 to 4.24.
  CHECK(
      lean::read_suggestions("Try these:\n• exact a\n• rw [b,\n    c]\n  -- no goals\n• 🎉 omega").tactics ==
      Words{"exact a", "rw [b, c]", "omega"});
  // What `try?` and `hint` find.
  CHECK(lean::read_suggestions(
            "Try these:\n  [apply] grind\n  [apply] simp_all\n  [apply] rfl\n  [apply] 🎉 omega")
            .tactics == Words{"grind", "simp_all", "rfl", "omega"});
  CHECK(lean::read_suggestions("Try this:\n  grind only").tactics == Words{"grind only"});
}

TEST_CASE("what is said about a suggestion is no part of it", "[search]") {
  const char* const partial =
      "Try this:\n  [apply] refine Nat.a ?_\n  -- Remaining subgoals:\n  -- ⊢ (0 = 4 ∧ True) ∨\n    ∃ n, b\n"
      "Try this:\n  [apply] refine c ?_\nRemaining subgoals:\n⊢ Nat\nfound a partial proof, but the "
      "corresponding "
      "tactic failed:\n  (expose_names; refine d)\nTry this: simp only [e,\n  f]\nanother message\n  exact g";
  CHECK(lean::read_suggestions(partial).tactics ==
        Words{"refine Nat.a ?_", "refine c ?_", "simp only [e, f]"});
}

TEST_CASE("other messages suggest nothing", "[search]") {
  for (const char* text : {"", "unsolved goals\nn : Nat\n⊢ exact n", "`exact?` could not close the goal.",
                           "Try this:", "Try this:\n  [apply]"})
    CHECK(lean::read_suggestions(text).tactics.empty());
}

TEST_CASE("the constant in a word", "[search]") {
  CHECK(lean::possible_constants("Nat.le_iff.mp") == Words{"Nat.le_iff.mp", "Nat.le_iff", "Nat"});
  CHECK(lean::possible_constants("h") == Words{"h"});
  CHECK(lean::possible_constants("").empty());
}

}  // namespace leanbridge::search
