// Attempts at a proof in scratch documents, with a scripted Lean.

#include "core/ide/trials.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

constexpr const char* kOneProof =
    "def one := 1\n\ntheorem t (p : Prop) (h : p) : p := by\n  skip\n  exact h\n";

struct TrialsFixture : IdeFixture {
  TrialsFixture() {
    const ScriptedLean::Goals none = std::vector<std::string>();
    scripted.goals = {
        {"theorem t", {{"h : p\n⊢ p"}}}, {"xact h", none}, {"onstructor", {{"⊢ a", "⊢ b"}}}, {"orry", none}};
    scripted.says = [this](const std::string& text) {
      texts.push_back(text);
      if (contains(text, "nonsense"))
        return std::vector<ScriptedLean::Message>{{"nonsense", "unknown identifier"}};
      if (contains(text, "by exact"))
        return std::vector<ScriptedLean::Message>{{"by exact", "unexpected token 'by'; expected a tactic"}};
      if (contains(text, "sorry"))
        return std::vector<ScriptedLean::Message>{{"theorem t", "declaration uses `sorry`", 2}};
      return std::vector<ScriptedLean::Message>{ScriptedLean::proved("theorem t")};
    };
  }

  Result<std::vector<Attempt>> attempt(std::vector<std::string> snippets, FilePosition at = {"A.lean", 4, {}},
                                       TrialLimits limits = {}, io::CancelScope scope = patient()) {
    const OpenFile file = open("A.lean", source);
    Trials trials(environment, operation(std::move(scope)), file, std::move(at), limits);
    auto attempts = loop.run(trials.run(std::move(snippets)));
    moved = trials.moved();
    return attempts;
  }
  Attempt attempt_one(std::string snippet) { return attempt({std::move(snippet)}).value().front(); }
  /// As a text is unfinished that has a snippet: from its fourth line on.
  void never_ends(const char* snippet) {
    scripted.unfinished = [snippet](const std::string& text) {
      using Lines = std::vector<std::pair<int, int>>;
      return contains(text, snippet) ? Lines{{3, 6}} : Lines();
    };
  }
  /// How often a snippet was given to Lean, and what followed.
  std::vector<std::string> snippets_tried() const {
    std::vector<std::string> tried;
    for (const std::string& text : texts)
      tried.push_back(text.substr(std::min(text.find("by\n") + 5, text.size())));
    for (std::string& each : tried) each = each.substr(0, each.find('\n'));
    return tried;
  }

  std::string source = kOneProof;
  std::vector<std::string> texts;
  std::optional<std::string> moved;
};

}  // namespace

TEST_CASE_METHOD(TrialsFixture, "attempts that complete the proof, leave goals, and fail", "[ide][attempt]") {
  const auto tried = attempt({"exact h", "constructor", "skip", "exact nonsense"}).value();
  REQUIRE(tried.size() == 4);
  CHECK(tried[0].verdict.proof_complete);
  CHECK(tried[0].verdict.replaces_lines == std::array<int, 2>{4, 5});
  CHECK(tried[0].new_lines == "  exact h");
  CHECK(tried[0].old_lines == "  skip\n  exact h");
  CHECK(tried[1].verdict.proof_status == GoalStatus::Goals);
  CHECK(tried[1].verdict.remaining_goals == std::optional<std::size_t>(2));
  CHECK(tried[1].goals == std::vector<Goal>{std::string("⊢ a"), std::string("⊢ b")});
  CHECK(tried[1].verdict.replaces_lines == std::array<int, 2>{4, 4});
  CHECK(tried[2].verdict.progress == std::optional(false));
  CHECK(tried[3].verdict.proof_status == GoalStatus::Error);
  CHECK(tried[3].goals.empty());
  REQUIRE(tried[3].diagnostics.size() == 1);
  CHECK(tried[3].diagnostics[0].message == "unknown identifier");
  for (const Attempt& each : tried) CHECK_FALSE(each.timed_out);
  CHECK(scripted.texts().at(uri("A.lean")) == kOneProof);
  CHECK(leanbridge::test::content_of(project / "A.lean") == kOneProof);
}

TEST_CASE_METHOD(TrialsFixture, "a sorry in the snippet is no proof, and its goals are shown",
                 "[ide][attempt]") {
  const Attempt one = attempt_one("skip\nsorry");
  CHECK(one.verdict.proof_status == GoalStatus::Sorry);
  CHECK(one.verdict.uses_sorry);
  CHECK_FALSE(one.verdict.proof_complete);
  REQUIRE(one.sorries);
  CHECK(one.sorries->front().line == 2);
  CHECK(one.sorries->front().goals == std::vector<std::string>{"h : p\n⊢ p"});
}

TEST_CASE_METHOD(TrialsFixture, "a slow attempt yields to the others, and is abandoned in the end",
                 "[ide][attempt]") {
  never_ends("slow");
  const auto tried =
      attempt({"slow", "exact h"}, {"A.lean", 4, {}}, {1, std::chrono::milliseconds(800)}).value();
  CHECK(tried[0].timed_out);
  CHECK(tried[0].verdict.proof_status == GoalStatus::StillElaborating);
  CHECK_FALSE(tried[0].verdict.replaces_lines);
  CHECK(tried[1].verdict.proof_complete);
  // Behind the file itself: the text above, and each time that it is taken back from Lean.
  CHECK(snippets_tried() == std::vector<std::string>{"skip", "", "slow", "", "exact h", "slow"});
}

TEST_CASE_METHOD(TrialsFixture, "an attempt is not done before all that may speak against it is known",
                 "[ide][attempt]") {
  scripted.unfinished = [](const std::string& text) {
    using Lines = std::vector<std::pair<int, int>>;
    return contains(text, "exact h") ? Lines{{0, 0}} : Lines();  // far above the snippet
  };
  const auto tried = attempt({"exact h"}, {"A.lean", 4, {}}, {1, std::chrono::milliseconds(50)}).value();
  CHECK(tried[0].timed_out);
  CHECK_FALSE(tried[0].verdict.proof_complete);
}

TEST_CASE_METHOD(TrialsFixture, "an attempt that ends its worker harms no other", "[ide][attempt]") {
  scripted.crashes = [](const std::string& text) { return contains(text, "kill"); };
  const auto tried = attempt({"exact h", "kill", "constructor"}).value();
  CHECK(tried[0].verdict.proof_complete);
  CHECK(tried[1].verdict.proof_status == GoalStatus::Error);
  CHECK_FALSE(tried[1].timed_out);
  REQUIRE(tried[1].diagnostics.size() == 1);
  CHECK_FALSE(tried[1].diagnostics[0].message.empty());
  CHECK(tried[2].verdict.proof_status == GoalStatus::Goals);
}

TEST_CASE_METHOD(TrialsFixture, "where the text above the snippet ends the worker, no attempt is at fault",
                 "[ide][attempt]") {
  scripted.crashes = [](const std::string& text) { return contains(text, "by") && !contains(text, "exact"); };
  const auto tried = attempt({"exact h"});
  REQUIRE_FALSE(tried.has_value());
  CHECK(tried.error().kind == ErrorKind::WorkerCrashed);
}

TEST_CASE_METHOD(TrialsFixture, "an attempt whose call is cancelled is taken back from Lean",
                 "[ide][attempt]") {
  never_ends("slow");
  const OpenFile file = open("A.lean", source);
  const auto cancel = std::make_shared<io::CancelSource>();
  const auto call = operation(patient(cancel));
  Trials trials(environment, call, file, {"A.lean", 4, {}}, {});
  auto running = loop.start(trials.run({"slow"}));
  REQUIRE(loop.until([&] { return !texts.empty() && contains(texts.back(), "slow"); }));
  REQUIRE(call->progress);
  CHECK(call->progress()->message == "0 of 1 attempts done");
  cancel->cancel();
  const auto& ended = loop.finish(running);
  REQUIRE_FALSE(ended.has_value());
  CHECK(ended.error().kind == ErrorKind::Cancelled);
  CHECK(loop.until([&] { return !contains(texts.back(), "slow"); }));
}

TEST_CASE_METHOD(TrialsFixture, "a snippet that fails is read as it may be meant", "[ide][attempt]") {
  const auto tried = attempt({"by exact h", "by exact nonsense", "exact h"}).value();
  CHECK(tried[0].verdict.proof_complete);
  CHECK(tried[0].snippet == "by exact h");
  CHECK(tried[0].tried_as == "exact h");
  CHECK(tried[0].new_lines == "  exact h");
  CHECK(tried[1].has_failed());
  CHECK_FALSE(tried[1].tried_as);
  CHECK_FALSE(tried[2].tried_as);
  const Attempt apart = attempt_one("by exact\n    nonsense (h)");
  CHECK_FALSE(apart.verdict.proof_complete);
}

TEST_CASE_METHOD(TrialsFixture, "a column inside a word stands for the begin of its tactic",
                 "[ide][attempt]") {
  const auto tried = attempt({"exact h"}, {"A.lean", 5, 5}).value();
  CHECK(tried[0].verdict.proof_complete);
  CHECK(moved == "Column 5 is inside a word: tried at line 5, column 3, where its tactic begins.");
  attempt({"exact h"}, {"A.lean", 5, 3});
  CHECK_FALSE(moved);
}

TEST_CASE_METHOD(TrialsFixture, "in a comment, and where a declaration begins, there is no proof",
                 "[ide][attempt]") {
  CHECK(attempt({"rfl"}, {"A.lean", 3, {}}).value().front().outside);
  source = std::string(kOneProof) + "/- a\n  comment -/\n";
  const auto tried = attempt({"exact h"}, {"A.lean", 7, {}}).value();
  CHECK(tried[0].outside);
  CHECK(tried[0].verdict.proof_status == GoalStatus::NoGoalAtPosition);
  CHECK(attempt({"rfl"}, {"A.lean", 99, {}}).error().kind == ErrorKind::InvalidArgument);
}

TEST_CASE_METHOD(TrialsFixture, "a step that uses the theorem itself says that it is a recursion",
                 "[ide][attempt]") {
  const Attempt one = attempt_one("have := t p h\nconstructor");
  REQUIRE(one.verdict.reason);
  CHECK(contains(*one.verdict.reason, "It uses t, which is being proved."));
}

TEST_CASE_METHOD(TrialsFixture, "long lists are cut, and marked so", "[ide][attempt]") {
  scripted.goals.push_back({"plit_all", std::vector<std::string>(25, "⊢ p")});
  const Attempt one = attempt_one("split_all");
  CHECK(one.goals.size() == kMaxGoals);
  CHECK(one.truncated == std::optional(true));
  CHECK(one.verdict.remaining_goals == std::optional<std::size_t>(25));
}

TEST_CASE_METHOD(TrialsFixture, "the first attempt that completes the proof is written", "[ide][attempt]") {
  const auto none = loop.run(
      write_complete(environment, operation(), "A.lean", false, attempt({"skip", "constructor"}).value()));
  CHECK(none->not_written == "No snippet completes the proof.");
  CHECK_FALSE(none->written);
  const auto done = loop.run(write_complete(environment, operation(), "A.lean", false,
                                            attempt({"skip", "exact h", "exact h"}).value()));
  REQUIRE(done.has_value());
  REQUIRE(done->written);
  CHECK(done->written->number == 2);
  CHECK(done->written->start_line == 4);
  CHECK(done->written->end_line == 4);
  CHECK(leanbridge::test::content_of(project / "A.lean") ==
        "def one := 1\n\ntheorem t (p : Prop) (h : p) : p := by\n  exact h\n");
}

TEST_CASE("a brief answer says a goal, its hypotheses and long snippets once", "[ide][attempt]") {
  const std::string goal =
      "a b : Nat\nh1 : a + a + a + a + a = b + b + b + b + b\nh2 : b = a\nh3 : a = a\n⊢ a = b";
  const auto failed = [&](std::string message) {
    Attempt attempt{"x"};
    attempt.before.goals = {goal};
    attempt.diagnostics = {DiagnosticItem{.message = std::move(message), .lean_tags = {}}};
    return attempt;
  };
  std::vector<Attempt> attempts = {failed("assumption failed\n" + goal),
                                   failed("contradiction failed\n" + goal)};
  CHECK(shorten(attempts) == goal);
  CHECK(attempts[0].diagnostics[0].message == "assumption failed\n⟨goal⟩");
  attempts = {failed("assumption failed\n" + goal)};
  CHECK(shorten(attempts) == std::nullopt);
  attempts = {failed("no"), failed("no")};
  for (Attempt& each : attempts) each.goals = {goal.substr(0, goal.find("⊢")) + "⊢ b = a"};
  attempts[0].snippet = std::string(300, 'x');
  CHECK(shorten(attempts) == goal);
  CHECK(contains(std::get<std::string>(attempts[1].goals[0]), "hypotheses as in `goal`\n⊢ b = a"));
  CHECK(attempts[0].number == std::optional<std::size_t>(1));
  CHECK(attempts[0].snippet == std::string(200, 'x') + "…");
  CHECK_FALSE(attempts[1].number);
}

}  // namespace leanbridge::ide
