// Which hypotheses of a theorem are needed, by a scripted Lean that says where a proof breaks.

#include "core/ide/hypothesis_trials.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

constexpr const char* kTheorem =
    "theorem t {r : Prop} (p q : Prop) (hp : p) (hq : q) (hr : 1 = 1) : p := by\n  have := hq\n  exact hp\n";

struct HypothesisFixture : IdeFixture {
  HypothesisFixture() {
    scripted.says = [this](const std::string& text) {
      std::vector<ScriptedLean::Message> said = of_all;
      if (!contains(text, "(hp : p)")) said.push_back({"exact hp", "type mismatch\nhp"});
      if (!contains(text, "(hq : ")) said.push_back({"have := hq", "unknown identifier hq"});
      if (!contains(text, "(hr : ")) said.insert(said.end(), without_hr.begin(), without_hr.end());
      return said;
    };
  }
  static bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
  }
  Result<HypothesisReport> report(std::string_view text = kTheorem) {
    write("A.lean", text);
    return loop.run(try_hypotheses(environment, operation(), "A.lean", "t", std::chrono::minutes(1)));
  }

  std::vector<ScriptedLean::Message> of_all, without_hr;
};

}  // namespace

TEST_CASE_METHOD(HypothesisFixture, "needed, only named, not needed, mentioned and implicit",
                 "[ide][hypotheses]") {
  const auto found = report();
  REQUIRE(found.has_value());
  CHECK(found->skipped_implicit == 1);
  CHECK_FALSE(found->status.partial);
  REQUIRE(found->verdicts.size() == 5);
  const HypothesisItem &p = found->verdicts[0], &hp = found->verdicts[2], &hq = found->verdicts[3],
                       &hr = found->verdicts[4];
  CHECK(p.verdict.status == HypothesisStatus::LoadBearing);
  CHECK(p.verdict.detail == "Not tried: the rest of the statement mentions it, in `(hp : p)`.");
  CHECK(hp.binder == "(hp : p)");
  CHECK(hp.verdict.status == HypothesisStatus::LoadBearing);
  REQUIRE(hp.verdict.tried.size() == 2);
  CHECK(hp.verdict.tried[0] == "Without it: line 3: type mismatch");
  REQUIRE(hp.verdict.breaks.size() == 1);
  CHECK(hp.verdict.breaks[0].line == 3);
  CHECK(hq.verdict.status == HypothesisStatus::Removable);
  CHECK_THAT(hq.verdict.detail, Catch::StartsWith("The proof only names it: with `(hq : True)`"));
  CHECK(hr.verdict.status == HypothesisStatus::Removable);
  CHECK(hr.verdict.tried == std::vector<std::string>{"Without it: the proof works."});
}

TEST_CASE_METHOD(HypothesisFixture,
                 "code below that passes a hypothesis needs it, an old error there does not count",
                 "[ide][hypotheses]") {
  of_all = {{"theorem wrong", "an old error"}};
  without_hr = {{"theorem user", "too many arguments"}};
  const auto found =
      report(std::string(kTheorem) + "\ntheorem user : 1 = 1 := t\n\ntheorem wrong : 1 = 2 := rfl\n");
  REQUIRE(found.has_value());
  const HypothesisVerdict& hr = found->verdicts[4].verdict;
  CHECK(hr.status == HypothesisStatus::LoadBearing);
  CHECK(hr.detail == "The proof works without it, but code below uses it.");
  REQUIRE(hr.breaks.size() == 1);
  CHECK(hr.breaks[0].message == "too many arguments");
}

TEST_CASE_METHOD(HypothesisFixture, "an unproved theorem, and one where silence means nothing, tell nothing",
                 "[ide][hypotheses]") {
  of_all = {{"t", "declaration uses 'sorry'", 2}};
  const auto open = report();
  REQUIRE(open.has_value());
  for (const HypothesisItem& each : open->verdicts) {
    CHECK(each.verdict.status == HypothesisStatus::Error);
    CHECK(each.verdict.detail == "The theorem itself is not proved: The proof uses sorry.");
  }
  of_all = {};
  const auto silenced = report("set_option warn.sorry false\n" + std::string(kTheorem));
  REQUIRE(silenced.has_value());
  CHECK_THAT(silenced->verdicts[4].verdict.detail,
             Catch::StartsWith("A successful proof means nothing here"));
}

}  // namespace leanbridge::ide
