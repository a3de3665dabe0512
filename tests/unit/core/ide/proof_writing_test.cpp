// Checked writing, with a scripted Lean: what is refused, and what several edits become.

#include "core/ide/proof_writing.hpp"

#include "core/ide/ide_fixture.hpp"
#include "core/ide/project_edit.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

constexpr const char* kPair = "theorem a : 1 = 1 := by\n  skip\n  rfl\n\ntheorem b : 2 = 2 := by\n  sorry\n";

struct WritingFixture : IdeFixture {
  WritingFixture() {
    scripted.goals = {{"theorem b", {{"2 = 2"}}}};
    scripted.says = [this](const std::string& text) {
      ++elaborations;
      std::vector<ScriptedLean::Message> said = more;
      for (const char* bad : {"nonsense", "wrong"}) said.push_back({bad, std::string("unknown ") + bad});
      for (const std::string theorem : {"theorem a", "theorem b"}) {
        const std::size_t begin = std::min(text.find(theorem), text.size());
        const bool is_sorry = contains(text.substr(begin, text.find("\n\n", begin) - begin), "sorry");
        said.push_back(is_sorry ? ScriptedLean::Message{theorem, "declaration uses `sorry`", 2}
                                : ScriptedLean::proved(theorem));
      }
      return said;
    };
    write("A.lean", kPair);
  }
  std::string content() { return leanbridge::test::content_of(project / "A.lean"); }
  Result<WriteProofResult> change(std::vector<ProofEdit> edits, io::CancelScope scope = patient()) {
    how.edits = std::move(edits);
    return loop.run(write_proof(environment, operation(std::move(scope)), how));
  }
  /// Why the edits were not written.
  std::string objection(std::vector<ProofEdit> edits) {
    const std::string before = content();
    const auto refused = change(std::move(edits));
    REQUIRE(refused.has_value());
    CHECK_FALSE(refused->written);
    CHECK(content() == before);
    return refused->reason.value_or("");
  }
  Result<WrittenEdits> write_given(std::vector<GivenEdit> edits, bool each = false) {
    EditWriting writing(environment, operation(), how);
    return loop.run(each ? writing.write_each(std::move(edits)) : writing.write_all(std::move(edits)));
  }
  static GivenEdit lines(int first, int last, std::string text) {
    return {first, last, {}, std::move(text), {}};
  }
  static GivenEdit proof_of(std::string name, std::string text) {
    return {{}, {}, std::move(name), std::move(text), {}};
  }

  WriteProofParams how{"A.lean", {}};
  std::vector<ScriptedLean::Message> more;
  int elaborations = 0;
};

}  // namespace

TEST_CASE_METHOD(WritingFixture,
                 "what the guard objects to is refused before Lean is asked, and written text is told",
                 "[ide][write]") {
  struct Guard : WriteGuard {
    std::string objection(const PlannedWrite&) override { return why; }
    void written(const PlannedWrite& write) override { last = write; }
    std::string why = "b is held.";
    PlannedWrite last;
  };
  const auto guard = std::make_shared<Guard>();
  environment.guard = guard;
  CHECK(objection({{2, 3, "  rfl\n", {}}}) == "b is held.");
  CHECK(scripted.texts().size() <= 1);  // the file itself, and no text that is tried
  how.dry_run = true;
  CHECK_FALSE(change({{2, 3, "  rfl\n", {}}})->reason);
  how.dry_run = false;
  CHECK(guard->last.files.empty());
  guard->why = "";
  CHECK(change({{2, 3, "  rfl\n", {}}})->written);
  REQUIRE(guard->last.files.size() == 1);
  CHECK(guard->last.files.front().new_bytes == content());
  CHECK(guard->last.root == store->root());
}

TEST_CASE_METHOD(WritingFixture, "lines that Lean accepts are written, and the sorries left are shown",
                 "[ide][write]") {
  const auto done = change({{2, 3, "  rfl\n", {}}});
  REQUIRE(done.has_value());
  CHECK(done->written);
  CHECK_FALSE(done->reason);
  CHECK_FALSE(done->current_text);
  CHECK(content() == "theorem a : 1 = 1 := by\n  rfl\n\ntheorem b : 2 = 2 := by\n  sorry\n");
  CHECK(done->lines.start_line == 2);
  CHECK(done->lines.end_line == 2);
  CHECK(done->lines.shift == -1);
  CHECK(done->lines.sorry_count == 1);
  REQUIRE(done->lines.sorries);
  CHECK(done->lines.sorries->front().line == 5);
  CHECK_FALSE(done->lines.sorries->front().goals);  // not in what has changed
  how.all_goals = true;
  CHECK(change({{2, 2, "  exact rfl\n", {}}})->lines.sorries->front().goals ==
        std::vector{std::string("2 = 2")});
}

TEST_CASE_METHOD(WritingFixture, "line endings stay as they are", "[ide][write]") {
  write("A.lean", "theorem a : 1 = 1 := by\r\n  skip\r\n  rfl\r\n");
  CHECK(change({{2, 2, "  skip; skip\n", {}}})->written);
  CHECK(content() == "theorem a : 1 = 1 := by\r\n  skip; skip\r\n  rfl\r\n");
}

TEST_CASE_METHOD(WritingFixture, "a new error is refused, one that is there already is not", "[ide][write]") {
  const auto refused = change({{3, 3, "  exact nonsense\n", {}}});
  CHECK(refused->reason == "The file would have a new error.");
  CHECK(contains(refused->current_text.value_or(""), "  rfl"));
  REQUIRE(refused->messages.items.size() == 1);
  CHECK(refused->messages.items.front().message == "unknown nonsense");
  CHECK(refused->has_new_error);
  write("A.lean", std::string(kPair) + "\n#check wrong\n");
  CHECK(objection({{3, 3, "  exact nonsense\n", {}}}) == "The file would have a new error.");
  CHECK(change({{2, 3, "  rfl\n", {}}})->written);  // the old one moves with its line
  CHECK(objection({{7, 7, "#check (wrong)\n", {}}}) == "The file would have a new error.");
}

TEST_CASE_METHOD(WritingFixture, "a new sorry is refused, by its word or by Lean, unless it is allowed",
                 "[ide][write]") {
  CHECK(objection({{3, 3, "  sorry\n", {}}}) ==
        "The new text contains sorry; pass allow_sorry if that is intended.");
  CHECK(elaborations <= 1);  // of the file itself
  more = {{"hope", "declaration uses `sorry`", 2}};
  CHECK(objection({{3, 3, "  hope\n", {}}}) ==
        "A declaration would use sorry; pass allow_sorry if that is intended.");
  how.allow_sorry = true;
  CHECK(change({{3, 3, "  sorry\n", {}}})->written);
}

TEST_CASE_METHOD(WritingFixture, "a theorem that Lean does not announce is not written", "[ide][write]") {
  scripted.says = [](const std::string& /*text*/) { return std::vector<ScriptedLean::Message>(); };
  scripted.answers["textDocument/documentSymbol"] = [](const auto&, const auto&) {
    const json range = {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 2}, {"character", 5}}}};
    return json::array({{{"name", "a"}, {"kind", 12}, {"range", range}, {"selectionRange", range}}});
  };
  CHECK(contains(objection({{2, 2, "  trivial\n", {}}}), "Lean has not announced"));
}

TEST_CASE_METHOD(WritingFixture, "a statement that changes is refused, unless it is allowed",
                 "[ide][write]") {
  CHECK(contains(objection({{1, 1, "theorem a : 3 = 3 := by\n", {}}}), "allow_statement_change"));
  CHECK(contains(objection({{1, 4, "", {}}}), "allow_statement_change"));
  how.allow_statement_change = true;
  CHECK(change({{1, 1, "theorem a : 3 = 3 := by\n", {}}})->written);
}

TEST_CASE_METHOD(WritingFixture, "below an exit nothing is checked, so nothing is written there",
                 "[ide][write]") {
  write("A.lean", "#exit\n" + std::string(kPair));
  CHECK(contains(objection({{4, 4, "  trivial\n", {}}}), "#exit"));
}

TEST_CASE_METHOD(WritingFixture, "lines that are expected are replaced wherever they are by now",
                 "[ide][write]") {
  CHECK(objection({{2, 2, "  rfl\n", "  simp"}}) ==
        "These lines are not the expected ones: somebody may have changed them.");
  const auto moved = change({{6, 6, "  trivial\n", "  rfl"}});
  CHECK(moved->written);
  CHECK(moved->lines.start_line == 3);
  CHECK(change({{4, 3, "-- new\n", ""}}).error().kind == ErrorKind::InvalidArgument);
  CHECK(contains(content(), "  trivial\n"));
}

TEST_CASE_METHOD(WritingFixture, "edits of the same lines, and of none, are errors", "[ide][write]") {
  CHECK(change({{2, 3, "  rfl\n", {}}, {3, 3, "  rfl\n", {}}}).error().message ==
        "Two edits replace line 3 of A.lean.");
  CHECK(change({{70, 71, "  rfl\n", {}}}).error().kind == ErrorKind::InvalidArgument);
  CHECK(content() == kPair);
}

TEST_CASE_METHOD(WritingFixture, "without Lean's answer in time nothing is written", "[ide][write]") {
  scripted.unfinished = [](const std::string& text) {
    using Lines = std::vector<std::pair<int, int>>;
    return contains(text, "slow") ? Lines{{1, 2}} : Lines();
  };
  open("A.lean", kPair);  // Lean runs now
  const auto late = change({{2, 2, "  slow\n", {}}}, io::CancelScope(std::chrono::seconds(1)));
  REQUIRE(late.has_value());
  CHECK_FALSE(late->written);
  CHECK(late->reason == "Lean did not finish the file in time.");
  CHECK(late->trial.timed_out);
  CHECK(content() == kPair);
}

TEST_CASE_METHOD(WritingFixture, "what others write meanwhile is not lost", "[ide][write]") {
  const std::string other = "-- mine\n" + std::string(kPair);
  scripted.says = [&](const std::string& text) {
    if (contains(text, "trivial") && content() == kPair) write("A.lean", other);
    return std::vector<ScriptedLean::Message>();
  };
  const auto lost = change({{3, 3, "  trivial\n", {}}});
  REQUIRE_FALSE(lost.has_value());
  CHECK(contains(lost.error().hint, "These lines are now:"));
  CHECK(content() == other);
  write("A.lean", kPair);
  const auto again = change({{3, 3, "  exact trivial\n", "  rfl"}});
  CHECK(again->reason.value_or("") == "");
  CHECK(again->lines.start_line == 4);  // in its new place
  CHECK(content().starts_with("-- mine\n"));
  CHECK(contains(content(), "  skip\n  exact trivial\n"));
}

TEST_CASE_METHOD(WritingFixture, "however many write to the file, each gets its turn", "[ide][write]") {
  int others = 0;
  scripted.says = [&](const std::string& text) {
    if (contains(text, "exact trivial") && others < 12) {
      ++others;
      write("A.lean", "-- " + std::to_string(others) + "\n" + content());
    }
    return std::vector<ScriptedLean::Message>();
  };
  CHECK(change({{3, 3, "  exact trivial\n", "  rfl"}})->written);
  CHECK(others == 12);
  CHECK(contains(content(), "  skip\n  exact trivial\n"));
}

TEST_CASE_METHOD(WritingFixture, "writers of one file take turns: none is tried twice", "[ide][write]") {
  std::vector<std::string> tried;
  scripted.says = [&](const std::string& text) {
    if (contains(text, "exact trivial")) tried.push_back(text);
    return std::vector<ScriptedLean::Message>();
  };
  how.edits = {{3, 3, "  trivial\n", "  rfl"}};
  auto one = loop.start(write_proof(environment, operation(patient()), how));
  how.edits = {{6, 6, "  exact trivial\n", "  sorry"}};
  auto other = loop.start(write_proof(environment, operation(patient()), how));
  CHECK(loop.finish(one)->written);
  CHECK(loop.finish(other)->written);
  CHECK_FALSE(tried.empty());
  for (const std::string& text : tried) CHECK(contains(text, "  trivial\n"));
}

TEST_CASE_METHOD(WritingFixture, "a writer waits as long as the others get on", "[ide][write]") {
  const auto file = loop.run(open_file(environment, operation(), "A.lean"));
  REQUIRE(file.has_value());
  bool is_tried = false;
  scripted.says = [&is_tried, says = scripted.says](const std::string& text) {
    is_tried |= contains(text, "trivial");
    return says(text);
  };
  auto others = loop.run(file->share()->usage.writers.acquire(patient()));
  REQUIRE(others.has_value());
  file->share()->usage.longest_turn = std::chrono::milliseconds(50);
  how.edits = {{3, 3, "  trivial\n", "  rfl"}};
  const auto cancel = std::make_shared<io::CancelSource>();
  const auto out_of_time = patient().with_timeout(std::chrono::seconds(1));
  auto late = loop.start(write_proof(environment, operation(out_of_time), how));
  auto writer = loop.start(write_proof(environment, operation(patient()), how));
  auto cancelled = loop.start(write_proof(environment, operation(patient(cancel)), how));
  loop.run(io::sleep_for(std::chrono::milliseconds(300), patient()));
  CHECK_FALSE(is_tried);
  cancel->cancel();
  CHECK(loop.finish(cancelled).error().kind == ErrorKind::Cancelled);
  const auto told = loop.finish(late);
  REQUIRE_FALSE(told.has_value());
  CHECK(told.error().kind == ErrorKind::Timeout);
  CHECK(told.error().message == "Others were writing to A.lean all the time.");
  { const auto given_back = std::move(*others); }
  CHECK(loop.finish(writer)->written);
}

TEST_CASE_METHOD(WritingFixture, "a writer that is stuck loses its turn", "[ide][write]") {
  scripted.unfinished = [](const std::string& text) {
    using Lines = std::vector<std::pair<int, int>>;
    return contains(text, "slow") ? Lines{{1, 2}} : Lines();
  };
  const auto file = loop.run(open_file(environment, operation(), "A.lean"));
  REQUIRE(file.has_value());
  file->share()->usage.longest_turn = std::chrono::milliseconds(50);
  how.edits = {{3, 3, "  slow\n", "  rfl"}};
  const auto cancel = std::make_shared<io::CancelSource>();
  auto stuck = loop.start(write_proof(environment, operation(patient(cancel)), how));
  const auto is_slow = [](const auto& text) { return contains(text.second, "slow"); };
  REQUIRE(loop.until([&] { return std::ranges::any_of(scripted.texts(), is_slow); }));
  CHECK(change({{6, 6, "  exact trivial\n", "  sorry"}})->written);
  CHECK_FALSE(stuck.done());
  cancel->cancel();
  loop.finish(stuck);
}

TEST_CASE_METHOD(WritingFixture, "a dry run writes nothing, and names what its lines do not use",
                 "[ide][write]") {
  how.dry_run = true;
  more = {{"have x", "unused variable `x`\nNote: linter.unusedVariables", 2}};
  const auto tried = change({{2, 2, "  have x := 1\n", {}}});
  CHECK_FALSE(tried->written);
  CHECK_FALSE(tried->reason);
  CHECK(tried->unused == std::vector<std::string>{"x"});
  CHECK(content() == kPair);
}

TEST_CASE_METHOD(WritingFixture, "a cancelled call writes nothing", "[ide][write]") {
  const auto cancel = std::make_shared<io::CancelSource>();
  const auto says = scripted.says;
  scripted.says = [&](const std::string& text) {
    if (contains(text, "trivial")) cancel->cancel();
    return says(text);
  };
  CHECK(change({{3, 3, "  trivial\n", {}}}, patient(cancel)).error().kind == ErrorKind::Cancelled);
  CHECK(content() == kPair);
}

// --- edits as they are given

TEST_CASE_METHOD(WritingFixture, "of several edits all are written, or none", "[ide][write]") {
  const auto none = write_given({lines(2, 3, "  rfl\n"), lines(6, 6, "  exact nonsense\n")});
  CHECK_FALSE(none->all.written);
  CHECK_FALSE(none->edits);
  CHECK(content() == kPair);
  const auto both = write_given({lines(6, 6, "  rfl\n"), lines(2, 3, "  rfl\n")});  // in any order
  REQUIRE(both->all.written);
  REQUIRE(both->edits->size() == 2);
  CHECK(content() == "theorem a : 1 = 1 := by\n  rfl\n\ntheorem b : 2 = 2 := by\n  rfl\n");
}

TEST_CASE_METHOD(WritingFixture, "with `each` those are written that Lean accepts, with lines as they were",
                 "[ide][write]") {
  const auto some = write_given({lines(3, 3, "  exact nonsense\n"), lines(2, 2, "  skip\n  skip\n"),
                                 lines(6, 6, "  rfl\n"), lines(2, 3, "  rfl\n"), proof_of("none", "rfl")},
                                true);
  REQUIRE(some.has_value());
  CHECK(content() == "theorem a : 1 = 1 := by\n  skip\n  skip\n  rfl\n\ntheorem b : 2 = 2 := by\n  rfl\n");
  CHECK_FALSE(some->all.written);
  CHECK(some->all.reason == "2 of 5 edits are written.");
  const auto& edits = *some->edits;
  REQUIRE(edits.size() == 5);
  CHECK(edits[0].reason == "The file would have a new error.");
  CHECK(edits[0].diagnostics->front().message == "unknown nonsense");
  CHECK(edits[1].written);
  CHECK(edits[2].written);
  CHECK(edits[2].start_line == 7);
  CHECK(edits[3].reason == "An earlier edit of this call replaces line 2.");
  CHECK(contains(edits[4].reason.value_or(""), "none"));
}

TEST_CASE_METHOD(WritingFixture, "lines that stand in other columns are moved if Lean takes them there",
                 "[ide][write]") {
  more = {{"\nrfl", "unexpected identifier; expected command"}};
  const auto moved = write_given({lines(2, 3, "rfl\n")});
  CHECK(moved->all.written);
  CHECK(moved->all.reason == "Its lines were moved to the columns where Lean takes them.");
  CHECK(contains(content(), ":= by\n  rfl\n\n"));
}

TEST_CASE_METHOD(WritingFixture, "a declaration's proof is replaced, however it is written", "[ide][write]") {
  CHECK(write_given({proof_of("b", "by\n  rfl")})->all.written);
  CHECK(contains(content(), "theorem b : 2 = 2 := by\n  rfl\n"));
  CHECK(write_given({proof_of("b", ":= rfl")})->all.written);
  CHECK(contains(content(), "theorem b : 2 = 2 := rfl\n"));
  more = {{":=\n", "unknown identifier"}};
  CHECK(write_given({proof_of("b", "skip\nrfl")})->all.written);
  CHECK(contains(content(), "theorem b : 2 = 2 := by\n  skip\n  rfl\n"));
  CHECK(write_given({proof_of("c", "rfl")}).error().kind == ErrorKind::InvalidArgument);
}

}  // namespace leanbridge::ide
