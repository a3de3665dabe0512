#include "core/text/goal_difference.hpp"

#include "random_text.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::text {

namespace {
const std::string kKnownGoal = "a b c : Nat\nh : a = b\nlong : ∀ x, x = x →\n    x = x\nh2 : b = c\n⊢ a = c";
}

TEST_CASE("what is known is counted, what is new or gone is named, the target stays", "[text][goals]") {
  CHECK(goal_difference("case inl\na b c : Nat\nh : a = c\nlong : ∀ x, x = x →\n    x = x\nx : Nat\n⊢ c = a",
                        {kKnownGoal}, "before line 3") ==
        "case inl\n… 2 hypotheses as before line 3\ngone: h2\nh : a = c\nx : Nat\n⊢ c = a");
  CHECK(goal_difference(kKnownGoal, {kKnownGoal}, "before line 3") ==
        "… 4 hypotheses as before line 3\n⊢ a = c");
}

TEST_CASE("the most similar goal counts", "[text][goals]") {
  CHECK(goal_difference("a b c : Nat\nthe_first_hypothesis : a = b\n⊢ True",
                        {"a b c : Nat\n⊢ True", "a b c : Nat\nthe_first_hypothesis : a = b\n⊢ False"},
                        "in line 3") == "… 2 hypotheses as in line 3\n⊢ True");
}

TEST_CASE("nothing in common, or nothing shorter: the goal as it is", "[text][goals]") {
  CHECK(goal_difference("x : Int\n⊢ x = x", {kKnownGoal}, "in line 3") == "x : Int\n⊢ x = x");
  CHECK(goal_difference("n : Nat\n⊢ n = n", {"n : Nat\n⊢ n = 0"}, "in line 3") == "n : Nat\n⊢ n = n");
  CHECK(goal_difference(kKnownGoal, {}, "in line 3") == kKnownGoal);
  CHECK(goal_difference("", {kKnownGoal}, "in line 3").empty());
  CHECK(goal_difference("⊢ True", {""}, "in line 3") == "⊢ True");
}

TEST_CASE("any text is a goal", "[text][goals]") {
  test::RandomText random(11);
  for (int round = 0; round < 500; ++round) {
    const std::string goal = random(60);
    CHECK(goal_difference(goal, {random(60), goal}, "w").size() <= goal.size());
  }
}

}  // namespace leanbridge::text
