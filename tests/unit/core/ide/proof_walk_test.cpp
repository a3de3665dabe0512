// Walks through proofs of a scripted Lean.

#include "core/ide/proof_walk.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;
using Direction = ProofWalk::Direction;
using StepEnd = ProofWalk::StepEnd;

namespace {

constexpr const char* kBoth =
    "theorem both (p q : Prop) (hp : p) (hq : q) : p ∧ q := by\n  constructor\n  · exact hp\n  · exact hq\n\n"
    "theorem other : True := by\n  trivial\n-- end\n";

struct WalkFixture : IdeFixture {
  WalkFixture() {
    scripted.goals = {{"constructor", {{"⊢ p ∧ q"}}},
                      {"· exact hp", {{"⊢ p", "⊢ q"}}},
                      {"exact hp", {{"⊢ p"}}},
                      {"· exact hq", {{"⊢ q"}}},
                      {"exact hq", {{"⊢ q"}}},
                      {"\n\ntheorem other", {std::vector<std::string>()}},
                      {"theorem other", {}},
                      {"trivial", {{"⊢ True"}}},
                      {"-- end", {}}};
    scripted.messages = {ScriptedLean::proved("theorem both")};
  }
  ProofWalk walk_from(const OpenFile& file, std::string_view fragment,
                      Direction direction = Direction::Forward, io::CancelScope scope = patient()) {
    return {environment, file, file.text().str().find(fragment), direction, std::move(scope)};
  }
  StepEnd step(ProofWalk& walk) { return loop.run(walk.step()).value(); }
  /// What the text has from where the walk is to the end of the line.
  std::string rest(const ProofWalk& walk) {
    const std::string& text = walk.file().text().str();
    return text.substr(walk.at(), text.find('\n', walk.at()) - walk.at());
  }
  WalkReport take(ProofWalk& walk, int count) {
    WalkReport report;
    REQUIRE(loop.run(walk.take_steps(count, report)).has_value());
    return report;
  }
  static std::vector<Goal> some(std::vector<std::string> goals) { return {goals.begin(), goals.end()}; }
};

}  // namespace

TEST_CASE_METHOD(WalkFixture, "a walk enters a proof, visits each place, and does not leave it",
                 "[ide][steps]") {
  const OpenFile file = open("A.lean", kBoth);
  ProofWalk forward = walk_from(file, "theorem both");
  std::vector<std::string> visited;
  while (step(forward) == StepEnd::Moved) visited.push_back(rest(forward));
  CHECK(visited ==
        std::vector<std::string>{"constructor", "· exact hp", "exact hp", "· exact hq", "exact hq", ""});
  CHECK(loop.run(forward.at_end_of_proof()).value());
  CHECK(loop.run(forward.judge())->status.status == GoalStatus::ProofComplete);
  CHECK(loop.run(forward.goals())->list() == GoalList(some({})));

  ProofWalk back(environment, file, forward.at(), Direction::Backward, patient());
  std::vector<std::string> reversed;
  while (step(back) == StepEnd::Moved) reversed.push_back(rest(back));
  visited.pop_back();
  CHECK(reversed == std::vector<std::string>(visited.rbegin(), visited.rend()));
  CHECK(loop.run(back.at_end_of_proof()).value());
}

TEST_CASE_METHOD(WalkFixture, "several steps at once show the goals around the last tactic", "[ide][steps]") {
  const OpenFile file = open("A.lean", kBoth);
  ProofWalk walk = walk_from(file, "constructor");
  const WalkReport one = take(walk, 1);
  CHECK(one.goals_before == GoalList(some({"⊢ p ∧ q"})));
  CHECK(one.goals == GoalList(some({"⊢ p", "⊢ q"})));
  CHECK(one.place.status == GoalStatus::Goals);
  CHECK(one.completeness == Completeness::Complete);
  CHECK_FALSE(one.at_last);
  CHECK(walk.passed() == "constructor");
  const WalkReport rest = take(walk, 100);
  CHECK(rest.at_last);
  CHECK(rest.goals_before == GoalList(some({"⊢ p", "⊢ q"})));  // of the first of them
  CHECK(rest.goals == GoalList(some({})));
  CHECK(walk.passed() == "constructor\n  · exact hp\n  · exact hq");
}

TEST_CASE_METHOD(WalkFixture, "from within a tactic it goes to the next, or back to its begin",
                 "[ide][steps]") {
  const OpenFile file = open("A.lean", kBoth);
  ProofWalk forward = walk_from(file, "tructor");
  CHECK(step(forward) == StepEnd::Moved);
  CHECK(rest(forward) == "· exact hp");
  ProofWalk back = walk_from(file, "tructor", Direction::Backward);
  CHECK(take(back, 1).at_last);
  CHECK(rest(back) == "constructor");
  CHECK(back.passed() == "cons");
}

TEST_CASE_METHOD(WalkFixture, "before the first tactic, or behind the last, there is no step",
                 "[ide][steps]") {
  const OpenFile file = open("A.lean", kBoth);
  for (const Direction direction : {Direction::Forward, Direction::Backward}) {
    const std::size_t start = direction == Direction::Forward ? file.text().size() : 0;
    ProofWalk walk(environment, file, start, direction, patient());
    const WalkReport report = take(walk, 3);
    CHECK(report.at_last);
    CHECK(report.goals == GoalList());
    CHECK(report.goals_before == GoalList());
    CHECK(report.place.status == GoalStatus::NoGoalAtPosition);
    CHECK(walk.at() == start);
    CHECK(walk.passed().empty());
  }
}

TEST_CASE_METHOD(WalkFixture, "a place where Lean has no goals is none, nor a try that changes nothing",
                 "[ide][steps]") {
  scripted.goals = {
      {"intro", {{"⊢ p → p"}}}, {"exact h", {}}, {"try simp", {{"⊢ p"}}}, {"exact g", {{"⊢ p"}}}};
  const OpenFile file =
      open("A.lean", "theorem a : p → p := by\n  intro h\n  exact h\n  try simp\n  exact g\n");
  ProofWalk walk = walk_from(file, "intro");
  CHECK(step(walk) == StepEnd::Moved);
  CHECK(rest(walk) == "try simp");
  CHECK(step(walk) == StepEnd::Moved);
  CHECK(rest(walk) == "exact g");
}

TEST_CASE_METHOD(WalkFixture, "a tactic that fails is not passed, and its text is shown", "[ide][steps]") {
  scripted.messages = {{"exact hp", "type mismatch"}};
  const OpenFile file = open("A.lean", kBoth);
  ProofWalk walk = walk_from(file, "constructor");
  const WalkReport report = take(walk, 100);
  CHECK(rest(walk) == "exact hp");
  CHECK(walk.passed() == "constructor\n  · exact hp");
  CHECK(report.place.status == GoalStatus::Error);
  CHECK(report.place.error == ProofError{3, 5, "type mismatch"});
  CHECK_FALSE(report.at_last);
  CHECK(report.goals == GoalList(some({"⊢ p"})));
}

TEST_CASE_METHOD(WalkFixture, "a block that leaves goals is passed, with its error", "[ide][steps]") {
  scripted.messages = {{"· exact hp", "unsolved goals\n⊢ p", 1, {1}}};
  const OpenFile file = open("A.lean", kBoth);
  ProofWalk walk = walk_from(file, "constructor");
  CHECK(step(walk) == StepEnd::Moved);
  CHECK(step(walk) == StepEnd::Moved);
  CHECK(step(walk) == StepEnd::MovedUnsolved);
  CHECK(rest(walk) == "· exact hq");
  CHECK(loop.run(walk.judge())->status.error == ProofError{3, 3, "unsolved goals\n⊢ p"});
}

TEST_CASE_METHOD(WalkFixture, "where a proof is missing the walk ends with the error of the declaration",
                 "[ide][steps]") {
  scripted.goals = {{"induction", {{"⊢ n = n"}}}, {"| succ", {}}, {"theorem after", {}}};
  scripted.messages = {{"| zero =>", "unexpected token '|'"}};
  const OpenFile file =
      open("A.lean",
           "theorem none (n : Nat) : n = n := by\n  induction n with\n  | zero =>\n  | succ n "
           "ih => rfl\n\ntheorem after : True := trivial\n");
  ProofWalk walk = walk_from(file, "theorem none");
  const WalkReport report = take(walk, 100);
  CHECK(report.place.status == GoalStatus::Error);
  REQUIRE(report.place.error);
  CHECK(report.place.error->message == "unexpected token '|'");
  CHECK(contains(walk.passed(), "| zero =>"));
  CHECK_FALSE(contains(walk.passed(), "after"));
}

TEST_CASE_METHOD(WalkFixture, "an edit meanwhile moves the walk with its text", "[ide][steps]") {
  const OpenFile file = open("A.lean", kBoth);
  ProofWalk walk = walk_from(file, "constructor");
  CHECK(step(walk) == StepEnd::Moved);
  scripted.holds = true;
  auto stepping = loop.start(walk.step());
  REQUIRE(loop.until([&] { return scripted.held() > 0; }));
  write("A.lean", "-- one line more\n" + std::string(kBoth));
  sync("A.lean");
  scripted.release(lean());
  CHECK(loop.finish(stepping).value() == StepEnd::Moved);
  CHECK(rest(walk) == "exact hp");
  CHECK(walk.file().text().position_at(walk.at()).line == 4);
  CHECK(walk.passed() == "constructor\n  ·");
}

TEST_CASE_METHOD(WalkFixture, "without a goal in time nothing is said of the place", "[ide][steps]") {
  const OpenFile file = open("A.lean", kBoth);
  scripted.holds = true;
  ProofWalk walk = walk_from(file, "constructor", Direction::Forward, expired());
  WalkReport report;
  const auto taken = loop.run(walk.take_steps(1, report));
  REQUIRE_FALSE(taken.has_value());
  CHECK(taken.error().kind == ErrorKind::Timeout);
  CHECK(report.completeness == Completeness::TimedOut);
  CHECK(report.place.status == GoalStatus::StillElaborating);
  CHECK(rest(walk) == "constructor");
}

TEST_CASE_METHOD(WalkFixture, "a step gives up where Lean accepts none of a hundred places", "[ide][steps]") {
  std::string text = "theorem a : True := by\n  first_one\n";
  for (int i = 0; i < 150; ++i) text += "  quoted\n";
  scripted.goals = {{"first_one", {{"⊢ True"}}}, {"quoted", {}}};
  const OpenFile file = open("A.lean", text);
  ProofWalk walk = walk_from(file, "first_one");
  const WalkReport report = take(walk, 5);
  CHECK(report.completeness == Completeness::Partial);
  CHECK(walk.file().text().position_at(walk.at()).line == 102);
  CHECK_FALSE(report.at_last);
}

TEST_CASE("a place within a comment is the place behind it", "[ide][steps]") {
  const std::string text = "by\n  /- rw [h]\n  rw -/\n  exact h -- rw\n";
  CHECK(text.substr(behind_comment(text, text.find("[h]"))).starts_with("\n  exact h"));
  CHECK(behind_comment(text, text.find("exact")) == text.find("exact"));
  CHECK(behind_comment(text, text.find("/-")) == text.find("/-"));
}

}  // namespace leanbridge::ide
