// Which hypotheses of a theorem are needed, by a scripted Lean that says where a proof breaks.

#include "core/ide/hypothesis_trials.hpp"

#include "core/ide/ide_fixture.hpp"
#include "core/ide/symbols.hpp"

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
  Result<HypothesisReport> report(std::string_view text = kTheorem,
                                  io::Clock::duration each = std::chrono::minutes(1),
                                  io::CancelScope scope = patient()) {
    write("A.lean", text);
    return loop.run(try_hypotheses(environment, operation(std::move(scope)), "A.lean", "t", each));
  }
  /// The verdict on the hypothesis with this name.
  HypothesisVerdict verdict_on(const std::string& name, std::string_view text = kTheorem,
                               io::Clock::duration each = std::chrono::minutes(1)) {
    const auto found = report(text, each);
    if (!found) FAIL(found.error().message);
    partial = found->status.partial;
    for (const HypothesisItem& item : found->verdicts)
      if (item.hypothesis == name) return item.verdict;
    FAIL("no hypothesis " + name);
    return {};
  }

  std::vector<ScriptedLean::Message> of_all, without_hr;
  bool partial = false;
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

TEST_CASE_METHOD(HypothesisFixture,
                 "a file without the theorem, and a file that is not there, are errors at once",
                 "[ide][hypotheses]") {
  const auto missing = report("theorem other : 1 = 1 := rfl\n");
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().kind == ErrorKind::InvalidArgument);
  CHECK_THAT(missing.error().message, Catch::StartsWith("Declaration 't' not found in A.lean."));
  const auto gone =
      loop.run(try_hypotheses(environment, operation(), "Gone.lean", "t", std::chrono::minutes(1)));
  CHECK(gone.error().kind == ErrorKind::FileNotFound);
}

TEST_CASE_METHOD(HypothesisFixture, "a Lean that never starts keeps the call only until its deadline",
                 "[ide][hypotheses]") {
  lake.on_message = [](FakeServer&, const json&) {};
  const auto late =
      report(kTheorem, std::chrono::minutes(1), io::CancelScope(std::chrono::milliseconds(500)));
  REQUIRE_FALSE(late.has_value());
  CHECK(late.error().kind == ErrorKind::LeanUnavailable);
  const io::CancelScope scope = patient();
  scope.cancel->cancel();
  CHECK(report(kTheorem, std::chrono::minutes(1), scope).error().kind == ErrorKind::Cancelled);
}

TEST_CASE_METHOD(HypothesisFixture,
                 "a trial that takes too long, or ends its worker, says nothing of its hypothesis",
                 "[ide][hypotheses]") {
  scripted.unfinished = [](const std::string& text) {
    using Lines = std::vector<std::pair<int, int>>;
    return contains(text, "(hr : ") ? Lines() : Lines{{0, 2}};
  };
  const HypothesisVerdict slow = verdict_on("hr", kTheorem, std::chrono::milliseconds(50));
  CHECK(slow.status == HypothesisStatus::Error);
  CHECK(slow.detail == "Lean did not finish it in time.");
  CHECK(partial);
  scripted.unfinished = [](const std::string&) { return std::vector<std::pair<int, int>>(); };
  scripted.crashes = [](const std::string& text) { return !contains(text, "(hr : "); };
  const auto crashed = report();
  REQUIRE(crashed.has_value());
  CHECK(crashed->verdicts[4].verdict.status == HypothesisStatus::Error);
  CHECK(crashed->verdicts[2].verdict.status == HypothesisStatus::LoadBearing);
}

TEST_CASE_METHOD(HypothesisFixture, "whether the content is needed stays unknown if that trial does not end",
                 "[ide][hypotheses]") {
  scripted.crashes = [](const std::string& text) { return contains(text, "(hq : True)"); };
  const HypothesisVerdict hq = verdict_on("hq");
  CHECK(hq.status == HypothesisStatus::Error);
  CHECK_THAT(hq.detail, Catch::StartsWith("The proof names it; whether it needs it is unknown:"));
  CHECK(hq.breaks.size() == 1);
  CHECK(partial);
}

TEST_CASE_METHOD(HypothesisFixture, "whether the code below needs it stays unknown if that is not finished",
                 "[ide][hypotheses]") {
  scripted.unfinished = [](const std::string& text) {
    using Lines = std::vector<std::pair<int, int>>;
    return contains(text, "theorem user") ? Lines{{4, 4}} : Lines();
  };
  const HypothesisVerdict hr = verdict_on("hr", std::string(kTheorem) + "\ntheorem user : 1 = 1 := t\n",
                                          std::chrono::milliseconds(500));
  CHECK(hr.status == HypothesisStatus::Error);
  CHECK(hr.detail ==
        "The proof works without it; whether the rest of the file does is unknown: Lean did not finish the "
        "file in time.");
  CHECK(partial);
}

TEST_CASE_METHOD(HypothesisFixture, "a proof that works only because a macro stands in its place is none",
                 "[ide][hypotheses]") {
  scripted.answers["textDocument/documentSymbol"] = [](const std::string& text, const json&) {
    const json range = lean::to_json(text::Text(text).lsp_range(0, text.size()));
    return json::array({{{"name", "t"}, {"kind", 6}, {"range", range}, {"selectionRange", range}}});
  };
  of_all = {ScriptedLean::proved("theorem t")};
  CHECK(verdict_on("hr").status == HypothesisStatus::Removable);
  of_all = {};
  const HypothesisVerdict silent = verdict_on("hr", std::string(kTheorem) + "\n");
  CHECK(silent.status == HypothesisStatus::Error);
  CHECK_THAT(silent.detail, Catch::Contains(kUnannounced));
}

TEST_CASE_METHOD(HypothesisFixture, "imports that do not load are why nothing is known, not the hypotheses",
                 "[ide][hypotheses]") {
  scripted.fails_at_header = [](const std::string&) { return true; };
  of_all = {{"import", "unknown module prefix 'Gone'"}};
  const HypothesisVerdict hr = verdict_on("hr", std::string("import Gone\n") + kTheorem);
  CHECK(hr.status == HypothesisStatus::Error);
  CHECK_THAT(hr.detail, Catch::StartsWith("The theorem itself is not proved: Lean could not load"));
}

TEST_CASE_METHOD(HypothesisFixture,
                 "in a mutual block and a namespace the block is tried whole, with CRLF, too",
                 "[ide][hypotheses]") {
  std::vector<std::string> tried;
  const auto says = scripted.says;
  scripted.says = [&](const std::string& text) {
    if (!contains(text, "(hr : ")) tried.push_back(text);
    return says(text);
  };
  const HypothesisVerdict hr = verdict_on(
      "hr",
      "namespace N\r\nmutual\r\ntheorem t (hp : p) (hq : q) (hr : 1 = 1) : p := by\r\n  exact hp\r\n"
      "theorem u : 1 = 1 := rfl\r\nend\r\nend N");
  CHECK(hr.status == HypothesisStatus::Removable);
  REQUIRE_FALSE(tried.empty());
  CHECK(contains(tried.front(), "theorem t (hp : p) (hq : q) : p := by\n  exact hp\n"));
  CHECK(contains(tried.front(), "theorem u : 1 = 1 := rfl\nend"));
}

}  // namespace leanbridge::ide
