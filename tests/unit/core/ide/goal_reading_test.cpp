// The goals at places, all of one text, with a scripted Lean.

#include "core/ide/goal_status.hpp"
#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

struct ReadingFixture : IdeFixture {
  ReadingFixture() {
    scripted.goals = {{"by\n", {{"⊢ p ∧ p"}}}, {"onstructor", {{"⊢ p", "⊢ p"}}}};
    scripted.messages = {{"theorem t", "declaration uses `sorry`", 2}};
  }
  GoalQuestion around_line(const OpenFile& file) {
    const std::size_t begin = file.text().str().find("constructor");
    return {.at = file.anchor(begin), .line_end = file.anchor(file.text().str().find('\n', begin))};
  }
  static std::vector<Goal> some(std::vector<std::string> goals) { return {goals.begin(), goals.end()}; }

  const std::string source = "theorem t (h : p) : p ∧ p := by\n  constructor\n  all_goals sorry\n";
};

}  // namespace

TEST_CASE_METHOD(ReadingFixture, "goals before and after a line, beside those that are known",
                 "[ide][goals]") {
  const OpenFile file = open("A.lean", source);
  GoalQuestion question = around_line(file);
  question.known = file.anchor(source.find("  constructor"));
  const auto reading = loop.run(read_goals(environment, file, question, patient())).value();
  CHECK(reading.known->goals == some({"⊢ p ∧ p"}));
  CHECK(reading.here->goals == some({"⊢ p ∧ p"}));
  CHECK(reading.line_end->goals == some({"⊢ p", "⊢ p"}));
  CHECK(reading.judged.status.status == GoalStatus::Goals);
  CHECK(reading.judged.completeness == Completeness::Complete);
}

TEST_CASE_METHOD(ReadingFixture, "an edit meanwhile: all is read again, of the new text", "[ide][goals]") {
  const OpenFile file = open("A.lean", source);
  scripted.holds = true;
  auto running = loop.start(read_goals(environment, file, around_line(file), patient()));
  REQUIRE(loop.until([&] { return scripted.held() > 0; }));
  write("A.lean", "-- a line more\n" + source);
  sync("A.lean");
  scripted.release(lean());
  const auto& reading = loop.finish(running).value();
  CHECK(reading.here->version == file.state().version());
  CHECK(reading.line_end->version == file.state().version());
  CHECK(file.text().position_at(reading.here->offset).line == 3);
}

TEST_CASE_METHOD(ReadingFixture, "if time runs out, what is known is kept, and judged as nothing",
                 "[ide][goals]") {
  const OpenFile file = open("A.lean", source);
  scripted.holds = true;
  const auto late = loop.run(read_goals(environment, file, around_line(file), expired())).value();
  CHECK_FALSE(late.here);
  CHECK(late.judged.completeness == Completeness::TimedOut);
  CHECK(late.judged.status.status == GoalStatus::StillElaborating);
}

}  // namespace leanbridge::ide
