#include "core/text/attempt_text.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace leanbridge::text {

TEST_CASE("an attempt is followed by a blank line where Lean is asked for the goals left",
          "[text][attempt]") {
  const std::string source = "theorem t : p ∧ q := by\n  constructor\n  · exact hp\n  · exact hq\n";
  const AttemptText attempt = attempt_text(source, source.find("· exact hp"), "· skip\n  exact hp");
  CHECK(attempt.text == "theorem t : p ∧ q := by\n  constructor\n  · skip\n    exact hp\n  \n");
  CHECK(attempt.text.substr(attempt.snippet_start) == "· skip\n    exact hp\n  \n");
  CHECK(attempt.text.substr(attempt.snippet_end) == "\n  \n");
  CHECK(attempt.text.substr(attempt.proof_goals) == "  \n");  // in the first column
  CHECK(attempt.text.substr(attempt.block_goals) == "\n");    // in the column of the snippet
}

TEST_CASE("brackets that the declaration opened are closed below the blank line", "[text][attempt]") {
  const std::string source = "theorem t : p ∧ q :=\n  ⟨by simp, (by simp)⟩\n";
  const AttemptText attempt = attempt_text(source, source.rfind("simp"), "exact hq");
  CHECK(attempt.text == "theorem t : p ∧ q :=\n  ⟨by simp, (by exact hq\n" + std::string(16, ' ') + "\n)⟩");
  CHECK(attempt.block_goals - attempt.proof_goals == 16);
}

TEST_CASE("what closes the declaration is no part of the snippet", "[text][attempt]") {
  const std::string source = "theorem t : p ∧ q := ⟨by ";
  const AttemptText attempt = attempt_text(source, source.size(), "skip", ", hq⟩", "\nend");
  CHECK(attempt.text.substr(attempt.snippet_start) == "skip\n" + std::string(25, ' ') + "\n, hq⟩\nend");
  CHECK(attempt.text.substr(attempt.own_end) == ", hq⟩\nend");
  CHECK(attempt.text.substr(attempt.declaration_end) == "\nend");
  const AttemptText tactic = attempt_text(source, source.size(), "skip", {}, "\nend");
  CHECK(tactic.own_end == tactic.declaration_end);
  CHECK(tactic.text.substr(tactic.own_end) == "\nend");
}

}  // namespace leanbridge::text
