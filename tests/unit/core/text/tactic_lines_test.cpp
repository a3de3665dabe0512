// Indentation of tactics that were written without seeing where they go.

#include "core/text/tactic_lines.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::text {

TEST_CASE("lines of tactics move together", "[tactic_lines]") {
  CHECK(moved_to("simp", 4) == "simp");
  CHECK(moved_to("\n  simp\n  rfl\n", 4) == "simp\n    rfl");
  CHECK(moved_to("cases n with\n| zero => rfl\n| succ n =>\n  simp", 2) ==
        "cases n with\n  | zero => rfl\n  | succ n =>\n    simp");
  CHECK(moved_to("simp\n\n\nrfl", 2) == "simp\n\n\n  rfl");
  CHECK(moved_to("    simp\n  rfl", 2) == "simp\n  rfl");
}

TEST_CASE("a first line that stands left of the rest", "[tactic_lines]") {
  CHECK(first_line_aligned("intro h\n    simp\n    exact h") == "intro h\nsimp\nexact h");
  CHECK(first_line_aligned("  intro h\n    simp\n\n      exact h") == "  intro h\n  simp\n\n    exact h");
  CHECK_FALSE(first_line_aligned("intro h\nsimp\n  exact h"));
  CHECK_FALSE(first_line_aligned("    intro h\n  simp"));
  CHECK_FALSE(first_line_aligned("intro h"));
  CHECK_FALSE(first_line_aligned("intro h\n\n"));
}

TEST_CASE("what stands behind `by`", "[tactic_lines]") {
  CHECK(behind_by("by simp") == "   simp");
  CHECK(behind_by(" by\n  simp\n  rfl") == "   \n  simp\n  rfl");
  CHECK(moved_to(*behind_by("by intro h\n   simp"), 0) == "intro h\nsimp");
  CHECK_FALSE(behind_by("by_cases h : p"));
  CHECK_FALSE(behind_by("by"));
  CHECK_FALSE(behind_by("simp"));
}

}  // namespace leanbridge::text
