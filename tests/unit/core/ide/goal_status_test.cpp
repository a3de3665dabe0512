#include "core/ide/goal_status.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace leanbridge::ide {
namespace {

constexpr auto kError = lean::Severity::Error;
constexpr auto kWarning = lean::Severity::Warning;

/// A file, and what Lean says about it.
struct Said {
  text::Text text;
  std::vector<lean::Diagnostic> diagnostics = {};

  std::size_t offset(const std::string& word, std::size_t from = 0) const {
    const std::size_t found = text.str().find(word, from);
    REQUIRE(found != std::string::npos);
    return found;
  }
  /// A message over the text from `first` to the end of `last`.
  Said& says(lean::Severity severity, std::string message, const std::string& first, const std::string& last,
             std::vector<int> tags = {}) {
    const std::size_t begin = offset(first);
    lean::Diagnostic diagnostic;
    diagnostic.range = text.lsp_range(begin, offset(last, begin) + last.size());
    diagnostic.severity = severity;
    diagnostic.message = std::move(message);
    diagnostic.silent = tags == std::vector<int>{lean::kTagGoalsAccomplished};
    diagnostic.lean_tags = std::move(tags);
    diagnostics.push_back(std::move(diagnostic));
    return *this;
  }
  Said& announces(const std::string& first, const std::string& last) {
    return says(lean::Severity::Information, "Goals accomplished!", first, last,
                {lean::kTagGoalsAccomplished});
  }
  /// The status after the line that begins with `what`.
  PlaceFacts after(const std::string& what, bool goals_left = false) const {
    const std::size_t from = offset(what);
    const auto part = text::proof_part(text.str(), from, text.str().find('\n', from));
    REQUIRE(part);
    PlaceFacts facts{*part, true, goals_left};
    facts.declaration_reported = true;
    return facts;
  }
  PlaceStatus status(const PlaceFacts& facts) const { return status_of_place(messages(), facts); }
  Messages messages() const { return Messages(text, diagnostics); }
  GoalStatus after_line(const std::string& what, bool goals_left = false) const {
    return status(after(what, goals_left)).status;
  }
};

Said both() {
  return {text::Text(R"(theorem both (hp : p) (hq : q) : p ∧ q := by
  constructor
  · exact hp
  · exact hq
)")};
}

}  // namespace

TEST_CASE("a proof is complete at its end, when Lean says so", "[tools][goal_status]") {
  Said said = both();
  said.announces("theorem", "exact hq");
  CHECK(said.after_line("constructor", true) == GoalStatus::Goals);
  CHECK(said.after_line("· exact hp") == GoalStatus::ClosedHere);
  CHECK(said.after_line("· exact hq") == GoalStatus::ProofComplete);
}

TEST_CASE("a sorry that never ran does not outweigh Lean's announcement", "[tools][goal_status]") {
  Said said{text::Text(R"(theorem one : p := by
  first | rfl | sorry
)")};
  CHECK(said.after_line("first") == GoalStatus::Sorry);
  said.announces("theorem", "| sorry");
  CHECK(said.after_line("first") == GoalStatus::ProofComplete);
  PlaceFacts silenced = said.after("first");
  silenced.silencer = "an option may hide a sorry";
  CHECK(said.status(silenced).status == GoalStatus::Sorry);
}

TEST_CASE("a proof is not complete by the absence of messages", "[tools][goal_status]") {
  const Said said = both();
  const PlaceStatus silent = said.status(said.after("· exact hq"));
  CHECK(silent.status == GoalStatus::ClosedHere);
  CHECK(silent.reason);
  PlaceFacts early = said.after("· exact hq");
  early.declaration_reported = false;
  CHECK(said.status(early).status == GoalStatus::ClosedHere);

  Said announced = both();
  announced.announces("theorem", "exact hq");
  PlaceFacts silenced = announced.after("· exact hq");
  silenced.silencer = "Both.lean:1 has set_option warn.sorry";
  const PlaceStatus unknown = announced.status(silenced);
  CHECK(unknown.status == GoalStatus::ClosedHere);
  CHECK(unknown.reason == silenced.silencer);

  const Said definition{text::Text("def three : Nat := by\n  exact 3\n")};
  CHECK(definition.after_line("exact 3") ==
        GoalStatus::ProofComplete);  // Lean does not announce correct definitions
}

TEST_CASE("no goal is left below a sorry", "[tools][goal_status]") {
  Said said{text::Text("theorem cheat : 1 = 2 := by\n  have h : 1 = 2 := by sorry\n  exact h\n")};
  said.says(kWarning, "declaration uses `sorry`", "cheat", "cheat");
  CHECK(said.after_line("have h", true) == GoalStatus::Goals);
  const PlaceStatus end = said.status(said.after("exact h"));
  CHECK(end.status == GoalStatus::Sorry);
  CHECK(end.reason == std::optional<std::string>("The declaration uses sorry, in line 2."));

  Said bullet{text::Text("theorem half : p ∧ q := by\n  constructor\n  · sorry\n  · exact hq\n")};
  CHECK(bullet.after_line("· sorry") == GoalStatus::Sorry);  // Lean warns when it has elaborated all of it
  PlaceFacts before = bullet.after("· sorry", true);
  CHECK(bullet.status(before).status == GoalStatus::Goals);
}

TEST_CASE("a tactic that fails is an error, with Lean's message", "[tools][goal_status]") {
  Said said = both();
  said.says(kError, "type mismatch", "hp\n", "hp");
  const PlaceStatus here = said.status(said.after("· exact hp"));
  CHECK(here.status == GoalStatus::Error);
  CHECK(here.error == std::optional(ProofError{3, 11, "type mismatch"}));
  CHECK(said.after_line("· exact hp", true) == GoalStatus::Error);
  CHECK(said.after_line("constructor", true) == GoalStatus::Goals);
  // At the end of the proof it counts, wherever it is.
  CHECK(said.status(said.after("· exact hq")).error == here.error);
}

TEST_CASE("goals left unsolved are an error of the proof, not of its first tactic", "[tools][goal_status]") {
  Said said{text::Text("theorem left : p ∧ q := by\n  constructor\n  · exact hp\n")};
  said.says(kError, "unsolved goals\n⊢ q", "by", "exact hp", {lean::kTagUnsolvedGoals});
  CHECK(said.after_line("constructor", true) == GoalStatus::Goals);
  const PlaceStatus end = said.status(said.after("· exact hp"));
  CHECK(end.status == GoalStatus::Error);
  REQUIRE(end.error);
  CHECK(end.error->message == "unsolved goals\n⊢ q");
}

TEST_CASE("what stands in a tactic that failed did not run", "[tools][goal_status]") {
  Said said{text::Text(R"(theorem broken (h : p ∨ q) : q ∨ p := by
  cases h with
  | inl hp => exact Or.inr hp
  | inrr hq => exact Or.inl hq
)")};
  said.says(kError, "Invalid alternative name `inrr`", "inrr", "inrr");
  CHECK(said.after_line("cases h with") == GoalStatus::Error);
  CHECK(said.after_line("cases h with", true) == GoalStatus::Goals);
  CHECK(said.after_line("| inrr") == GoalStatus::Error);
  PlaceFacts inside = said.after("| inl");
  CHECK(said.status(inside).status == GoalStatus::ClosedHere);
  inside.ran = false;
  const PlaceStatus status = said.status(inside);
  CHECK(status.status == GoalStatus::Error);
  REQUIRE(status.error);
  CHECK(status.error->line == 4);
}

TEST_CASE("a place without a tactic state is in no proof, unless its tactic does not parse",
          "[tools][goal_status]") {
  Said said = both();
  PlaceFacts nowhere = said.after("· exact hq");
  nowhere.in_proof = false;
  CHECK(said.status(nowhere).status == GoalStatus::NoGoalAtPosition);
  said.says(kError, "unexpected token", "hq\n", "hq");
  CHECK(said.status(nowhere).status == GoalStatus::Error);
}

TEST_CASE("messages about other declarations do not count", "[tools][goal_status]") {
  Said said{text::Text("theorem a : 1 = 1 := by\n  rfl\n\ntheorem b : 1 = 2 := by\n  sorry\n")};
  said.announces("theorem a", "rfl");
  said.says(kWarning, "declaration uses `sorry`", "b :", "b");
  said.says(kError, "unexpected", "sorry", "sorry");
  CHECK(said.after_line("rfl") == GoalStatus::ProofComplete);
}

TEST_CASE("a block that leaves goals unsolved is found where it ends", "[tools][goal_status]") {
  Said said = both();
  said.says(kError, "unsolved goals", "· exact hp", "hp", {lean::kTagUnsolvedGoals});
  const std::size_t first = said.offset("exact hp"), second = said.offset("· exact hq");
  CHECK(unsolved_block(said.messages(), first, second));
  CHECK_FALSE(unsolved_block(said.messages(), said.offset("constructor"), second));
  CHECK_FALSE(unsolved_block(said.messages(), second, said.text.size()));
  CHECK_FALSE(error_between(said.messages(), 0, said.text.size()));
}

}  // namespace leanbridge::ide
