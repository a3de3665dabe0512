#include "core/ide/trials.hpp"
#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace leanbridge::ide {
namespace {

Goals goals_of(const std::vector<std::string>& goals) {
  Goals all;
  all.in_proof = true;
  for (const std::string& goal : goals) all.goals.emplace_back(goal);
  return all;
}

/// An attempt without messages.
AttemptFacts attempt_from(const std::vector<std::string>& before, const std::vector<std::string>& after,
                          const std::vector<std::string>& proof_after = {}) {
  AttemptFacts facts;
  facts.before = goals_of(before);
  facts.after = goals_of(after);
  facts.proof_after = goals_of(proof_after);
  return facts;
}

}  // namespace

TEST_CASE("an attempt that completes the proof", "[tools][attempt]") {
  const AttemptVerdict verdict = verdict_of(attempt_from({"⊢ p"}, {}));
  CHECK(verdict.proof_status == GoalStatus::ProofComplete);
  CHECK(verdict.proof_complete);
  CHECK(verdict.closes_goal);
  CHECK(verdict.progress == std::optional(true));
  CHECK_FALSE(verdict.uses_sorry);
  CHECK(verdict.remaining_goals == std::optional<std::size_t>(0));
}

TEST_CASE("an attempt that closes its goal and leaves others", "[tools][attempt]") {
  const AttemptVerdict one_of_two = verdict_of(attempt_from({"⊢ p", "⊢ q"}, {"⊢ q"}));
  CHECK(one_of_two.closes_goal);
  CHECK(one_of_two.proof_status == GoalStatus::Goals);
  CHECK(one_of_two.remaining_goals == std::optional<std::size_t>(1));

  // In a block of its own, while the proof continues outside.
  AttemptFacts inner = attempt_from({"⊢ p"}, {}, {"⊢ q", "⊢ r"});
  inner.declaration_open = true;
  const AttemptVerdict verdict = verdict_of(inner);
  CHECK(verdict.closes_goal);
  CHECK_FALSE(verdict.proof_complete);
  CHECK(verdict.proof_status == GoalStatus::ClosedHere);
  CHECK(verdict.remaining_goals == std::optional<std::size_t>(2));
  CHECK(goals_left(inner).goals == goals_of({"⊢ q", "⊢ r"}).goals);
}

TEST_CASE("an attempt that changes the goals, or nothing", "[tools][attempt]") {
  const AttemptVerdict more = verdict_of(attempt_from({"⊢ p ∧ q"}, {"⊢ p", "⊢ q"}));
  CHECK(more.progress == std::optional(true));
  CHECK_FALSE(more.closes_goal);
  CHECK(more.proof_status == GoalStatus::Goals);
  const AttemptVerdict same = verdict_of(attempt_from({"⊢ p"}, {"⊢ p"}));
  CHECK(same.progress == std::optional(false));
  CHECK(same.proof_status == GoalStatus::Goals);
}

TEST_CASE("a sorry closes no goal and completes no proof", "[tools][attempt]") {
  AttemptFacts facts = attempt_from({"⊢ p"}, {});
  facts.declaration_open = facts.uses_sorry = true;
  const AttemptVerdict verdict = verdict_of(facts);
  CHECK(verdict.proof_status == GoalStatus::Sorry);
  CHECK(verdict.uses_sorry);
  CHECK_FALSE(verdict.closes_goal);
  CHECK_FALSE(verdict.proof_complete);
  facts.declaration_open = false;  // Lean may be silent about it
  CHECK_FALSE(verdict_of(facts).proof_complete);
}

TEST_CASE("a proof that Lean finds no fault with and does not announce is not complete", "[tools][attempt]") {
  AttemptFacts facts = attempt_from({"⊢ p"}, {});
  CHECK(verdict_of(facts).proof_complete);
  facts.rejected = "wrong: Lean has not announced that it is proved.";
  const AttemptVerdict verdict = verdict_of(facts);
  CHECK_FALSE(verdict.proof_complete);
  CHECK_FALSE(verdict.closes_goal);
  CHECK(verdict.proof_status == GoalStatus::ClosedHere);
  CHECK(verdict.reason == facts.rejected);
}

TEST_CASE("a failed attempt leaves no goals to speak of, whatever Lean shows", "[tools][attempt]") {
  for (const auto& after : {std::vector<std::string>{}, std::vector<std::string>{"⊢ p"}}) {
    AttemptFacts facts = attempt_from({"⊢ p"}, after);
    facts.error_in_snippet = facts.declaration_open = true;
    const AttemptVerdict verdict = verdict_of(facts);
    CHECK(verdict.proof_status == GoalStatus::Error);
    CHECK_FALSE(verdict.progress);
    CHECK_FALSE(verdict.closes_goal);
    CHECK_FALSE(verdict.remaining_goals);
    CHECK_FALSE(goals_left(facts).in_proof);
  }
}

TEST_CASE("an attempt outside of a proof", "[tools][attempt]") {
  CHECK(verdict_of(AttemptFacts()).proof_status == GoalStatus::NoGoalAtPosition);
}

}  // namespace leanbridge::ide
