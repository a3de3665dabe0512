// The lemma that lean_extract_lemma makes of a goal.

#include "core/ide/lemma_extraction.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::ide {

namespace {

StructuredGoal goal_of(std::vector<Hypothesis> context, std::string goal) {
  StructuredGoal made;
  made.goal = std::move(goal);
  made.context = std::move(context);
  for (const Hypothesis& each : made.context) made.pretty += each.name + " : " + each.type + "\n";
  made.pretty += "⊢ " + made.goal;
  return made;
}

Hypothesis hypothesis(std::string name, std::string type) {
  return {std::move(name), std::move(type), std::nullopt, std::nullopt, std::nullopt, std::nullopt};
}

Hypothesis instance(std::string name, std::string type) {
  Hypothesis made = hypothesis(std::move(name), std::move(type));
  made.is_instance = true;
  return made;
}

}  // namespace

TEST_CASE("a lemma has what its goal mentions, and what is said of that", "[tools]") {
  const auto statement =
      lemma_statement(goal_of({hypothesis("n", "Nat"), hypothesis("m", "Nat"), hypothesis("far", "Nat"),
                               hypothesis("q", "Prop"), hypothesis("h", "n < m"), hypothesis("g", "far = 2"),
                               hypothesis("hq", "q")},
                              "n.succ ≤ m"),
                      "");
  CHECK(lemma_header("foo", statement) == "theorem foo (n m : Nat) (h : n < m) :\n    n.succ ≤ m");
  CHECK(lemma_use("foo", statement) == "foo n m h");
}

TEST_CASE("types are implicit, instances found, universes named once", "[tools]") {
  const auto statement = lemma_statement(
      goal_of({hypothesis("α", "Type u_1"), hypothesis("β", "Type v"), instance("inst✝", "DecidableEq α"),
               hypothesis("x", "α"), hypothesis("y", "β")},
              "(x, y) = (x, y)"),
      "universe v w\n");
  CHECK(
      lemma_header("foo", statement) ==
      "theorem foo.{u_1} {α : Type u_1} {β : Type v} [DecidableEq α] (x : α) (y : β) :\n    (x, y) = (x, y)");
  CHECK(lemma_use("foo", statement) == "foo x y");
  CHECK(lemma_statement(goal_of({}, "∀ (α : Sort (max u v)), foo.{w, v} α"), "").levels ==
        std::vector<std::string>{"u", "v", "w"});
}

TEST_CASE("names that cannot be written get others", "[tools]") {
  const auto statement = lemma_statement(goal_of({hypothesis("x✝¹", "Nat"), hypothesis("x✝", "Nat"),
                                                  hypothesis("x", "Nat"), hypothesis("h✝", "x✝ < x✝¹")},
                                                 "x < x✝¹"),
                                         "");
  CHECK(lemma_header("foo", statement) == "theorem foo (x_1 x_2 x : Nat) (h_1 : x_2 < x_1) :\n    x < x_1");
  CHECK(lemma_use("foo", statement) == "foo _ _ x (by assumption)");
}

TEST_CASE("the value of a let becomes an equation", "[tools]") {
  Hypothesis let = hypothesis("x", "Nat");
  let.value = "2 + 2";
  const auto statement = lemma_statement(goal_of({let}, "x = 4"), "");
  CHECK(lemma_header("foo", statement) == "theorem foo (x : Nat) (x_eq : x = 2 + 2) :\n    x = 4");
  CHECK(lemma_use("foo", statement) == "foo x rfl");
}

TEST_CASE("a block keeps its shape where it is moved", "[tools]") {
  CHECK(moved_block("intro x\n      · simp\n        rfl\n\n      exact h", 6) ==
        "  intro x\n  · simp\n    rfl\n\n  exact h");
  CHECK(mentions("x.succ < y", "x"));
  CHECK_FALSE(mentions("max < y'", "y"));
}

}  // namespace leanbridge::ide
