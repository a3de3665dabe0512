// Whether whole files are done, by what a scripted Lean says of them.

#include "core/ide/file_checks.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;
using Strings = std::vector<std::string>;

namespace {

constexpr const char* kUnfinished =
    "theorem a : 1 = 1 := by\n  sorry\ntheorem b : 2 = 2 := by\n  sorry\ntheorem c : 3 = 3 := by\n  sorry\n"
    "theorem d : 4 = 4 := by\n  sorry\ntheorem e : 5 = 5 := by\n  nonsense\n";
constexpr const char* kFine = "theorem fine : 1 = 1 := rfl\n";

struct CheckFixture : IdeFixture {
  CheckFixture() {
    scripted.messages = {{"nonsense", "unknown tactic"}, {"unused", "unused variable", 2}};
    for (const char* each : {"a", "b", "c", "d"})
      scripted.messages.push_back({std::string("theorem ") + each, "declaration uses `sorry`", 2});
    scripted.goals = {{"theorem a", {{"⊢ 1 = 1"}}}, {"theorem e", {{"⊢ 5 = 5"}}}};
    write("Open.lean", kUnfinished);
    write("Fine.lean", kFine);
  }

  Result<FilesCheck> check(NamedFiles named, CheckExtent extent = {}, io::CancelScope scope = patient()) {
    return loop.run(
        check_files(environment, operation(std::move(scope)), std::move(named), std::move(extent)));
  }
  FileVerdict check_one(const std::string& name, CheckExtent extent = {}, io::CancelScope scope = patient()) {
    auto checked = check({.paths = {name}}, std::move(extent), std::move(scope));
    if (!checked) FAIL(checked.error().message);
    CHECK_FALSE(checked->files);
    return checked->all;
  }
  FileVerdict check_text(const std::string& text) {
    write("A.lean", text);
    return check_one("A.lean");
  }
  FilesCheck check_several(Strings paths) {
    auto checked = check({.paths = std::move(paths), .several = true});
    if (!checked) FAIL(checked.error().message);
    REQUIRE(checked->files);
    return *checked;
  }
  static Strings told(const FileVerdict& verdict) {
    Strings items;
    for (const UnfinishedItem& each : verdict.unfinished)
      items.push_back(std::to_string(each.line) + " " + (each.declaration ? *each.declaration : "?") + " " +
                      std::string(wire::name_of(each.reason)));
    return items;
  }
};

}  // namespace

TEST_CASE_METHOD(CheckFixture, "of an unfinished file: the worst state, counts, and each place",
                 "[ide][check]") {
  const FileVerdict verdict = check_one("Open.lean");
  CHECK_FALSE(verdict.success);
  CHECK(verdict.state == ProofState::Error);
  CHECK(verdict.error_count == 1);
  CHECK(verdict.warning_count == 4);
  CHECK(verdict.sorry_count == 4);
  CHECK(told(verdict) == Strings{"2 a sorry", "4 b sorry", "6 c sorry", "8 d sorry", "9 e error"});
  CHECK(verdict.messages.items.size() == 5);
  CHECK(verdict.file.version);
}

TEST_CASE_METHOD(CheckFixture, "the first three places have their goals, or all on request", "[ide][check]") {
  const auto with_goals = [](const FileVerdict& verdict) {
    std::string lines;
    for (const UnfinishedItem& each : verdict.unfinished)
      lines += each.goals ? each.goals->front() + ";" : "-;";
    return lines;
  };
  CHECK(with_goals(check_one("Open.lean")) == "⊢ 1 = 1;⊢ 1 = 1;⊢ 1 = 1;-;-;");
  CHECK(with_goals(check_one("Open.lean", {.all_goals = true})) ==
        "⊢ 1 = 1;⊢ 1 = 1;⊢ 1 = 1;⊢ 1 = 1;⊢ 5 = 5;");
  scripted.messages.front().text = "unsolved goals\n⊢ 5 = 5";
  write("Open.lean", std::string(kUnfinished) + "-- another text\n");
  CHECK(with_goals(check_one("Open.lean", {.all_goals = true})) == "⊢ 1 = 1;⊢ 1 = 1;⊢ 1 = 1;⊢ 1 = 1;-;");
}

TEST_CASE_METHOD(CheckFixture, "a proved file is a success; a severity chooses the messages that are listed",
                 "[ide][check]") {
  const FileVerdict verdict = check_one("Fine.lean");
  CHECK(verdict.success);
  CHECK(verdict.state == ProofState::Proved);
  CHECK(verdict.unfinished.empty());
  CHECK_FALSE(verdict.messages.listed);
  CHECK(check_one("Open.lean", {.severity = lean::Severity::Error}).messages.items.size() == 1);
}

TEST_CASE_METHOD(CheckFixture, "sorries count where they are, even beside an error, and unused ones do not",
                 "[ide][check]") {
  const FileVerdict mixed = check_text("theorem a : 1 = 1 := by\n  constructor\n  · sorry\n  · nonsense\n");
  CHECK(mixed.sorry_count == 1);
  CHECK(told(mixed) == Strings{"1 a error", "3 a sorry"});
  CHECK(check_text("theorem fine : 1 = 1 := by\n  first | rfl | sorry\n").state == ProofState::Proved);
}

TEST_CASE_METHOD(CheckFixture, "silence about a theorem, or below #exit, is no proof", "[ide][check]") {
  const FileVerdict exit = check_text("theorem x : 1 = 1 := rfl\n#exit\ntheorem y : 1 = 2 := rfl\n");
  CHECK(exit.state == ProofState::Unknown);
  CHECK_FALSE(exit.success);
  CHECK_THAT(exit.reason.value_or(""), Catch::Contains("#exit"));
  scripted.answers["textDocument/documentSymbol"] = [](const std::string& /*text*/, const json& /*params*/) {
    const json range = {{"start", {{"line", 0}, {"character", 0}}},
                        {"end", {{"line", 0}, {"character", 24}}}};
    return json::array({{{"name", "x"}, {"kind", 12}, {"range", range}, {"selectionRange", range}}});
  };
  const FileVerdict silent = check_text("theorem x : 1 = 1 := rfl\n");
  CHECK(silent.state == ProofState::Unknown);
  CHECK(silent.reason == kUnannounced);
  CHECK(told(silent) == Strings{"1 x unknown"});
  scripted.messages.push_back(ScriptedLean::proved("theorem x"));
  CHECK(check_text("theorem x : 1 = 1 := rfl\n\n").success);
}

TEST_CASE_METHOD(CheckFixture, "of several files the worst is said first, with the sums", "[ide][check]") {
  const FilesCheck checked = check_several({"Fine.lean", "Open.lean"});
  CHECK_FALSE(checked.all.success);
  CHECK(checked.all.state == ProofState::Error);
  CHECK(checked.all.sorry_count == 4);
  CHECK(checked.all.error_count == 1);
  REQUIRE(checked.files->size() == 2);
  CHECK((*checked.files)[0].file_path == "Fine.lean");
  CHECK((*checked.files)[0].verdict.success);
  CHECK((*checked.files)[1].verdict.unfinished.size() == 5);
  CHECK(check_several({"Fine.lean"}).all.success);
}

TEST_CASE_METHOD(CheckFixture, "a file that cannot be opened is not proved, and does not hide the others",
                 "[ide][check]") {
  const FilesCheck checked = check_several({"No.lean", "Fine.lean"});
  CHECK_FALSE(checked.all.success);
  CHECK(checked.all.state == ProofState::Unknown);
  CHECK((*checked.files)[0].verdict.state == ProofState::Unknown);
  CHECK_THAT((*checked.files)[0].verdict.reason.value_or(""), Catch::StartsWith("File not found: No.lean"));
  CHECK((*checked.files)[1].verdict.success);
  CHECK(check({.paths = {"No.lean"}}).error().kind == ErrorKind::FileNotFound);
}

TEST_CASE_METHOD(CheckFixture,
                 "a file whose import does not compile is not reached, and the reason said once",
                 "[ide][check]") {
  constexpr const char* kFault =
      "`lake setup-file A.lean -` failed:\n\nstderr:\n✖ [1/2] Building Broken (1s)\n"
      "error: Broken.lean:3:2: unsolved goals\nerror: build failed\n";
  scripted.fails_at_header = [](const std::string& text) { return contains(text, "import Broken"); };
  scripted.messages.push_back({"import Broken", kFault});
  for (const char* name : {"A.lean", "B.lean"}) write(name, "import Broken\ntheorem x : 1 = 1 := sorry\n");
  const FilesCheck checked = check_several({"A.lean", "B.lean", "Fine.lean"});
  CHECK(checked.all.state == ProofState::NotReached);
  CHECK(checked.all.not_reached_count == 2);
  CHECK(checked.all.error_count == 0);
  const FileVerdict& first = checked.files->front().verdict;
  CHECK(first.state == ProofState::NotReached);
  CHECK(first.unfinished.empty());
  CHECK_THAT(first.reason.value_or(""), Catch::StartsWith("`Broken`, which this file imports,"));
  CHECK((*checked.files)[1].verdict.reason == "As A.lean.");
  CHECK((*checked.files)[2].verdict.success);
  CHECK(check_several({"A.lean", "Open.lean"}).all.state == ProofState::Error);
}

TEST_CASE_METHOD(CheckFixture, "an import that Lean does not know is an error of the file", "[ide][check]") {
  scripted.fails_at_header = [](const std::string& text) { return contains(text, "import No"); };
  scripted.messages.push_back({"import No", "unknown module prefix 'No'"});
  CHECK(check_text("import No\ntheorem x : 1 = 1 := rfl\n").state == ProofState::Error);
}

TEST_CASE_METHOD(CheckFixture, "a folder with more files, or with a link, is no success", "[ide][check]") {
  const auto more = check({.paths = {"Fine.lean"}, .several = true, .truncated = true});
  CHECK_FALSE(more->all.success);
  CHECK(more->truncated);
  CHECK(more->all.reason == "The folder has more files than were checked.");
  const auto link =
      check({.paths = {"Fine.lean"}, .left_out = {{"Link.lean", "It is a link."}}, .several = true});
  CHECK_FALSE(link->all.success);
  CHECK(link->all.state == ProofState::Unknown);
  CHECK(link->files->back().verdict.reason == "It is a link.");
}

TEST_CASE_METHOD(CheckFixture, "files are checked after those that they import", "[ide][check]") {
  write("sub/B.lean", "import sub.Z\n");
  write("sub/Z.lean", kFine);
  auto named = loop.run(named_files(environment, {.file_path = "sub", .files = {}}, patient()));
  REQUIRE(named.has_value());
  const auto checked = check(*named);
  REQUIRE(checked->files->size() == 2);
  CHECK(checked->files->front().file_path == "sub/Z.lean");
  CHECK(checked->all.success);
}

TEST_CASE_METHOD(CheckFixture, "what Lean has not finished is elaborating, and a late file is said to be so",
                 "[ide][check]") {
  scripted.unfinished = [](const std::string& text) {
    std::vector<std::pair<int, int>> lines;
    if (contains(text, "slow")) lines.emplace_back(1, 2);
    return lines;
  };
  write("Slow.lean", "theorem x : 1 = 1 := rfl\ntheorem slow : 1 = 1 := by\n  rfl\n");
  CHECK(check_one("Fine.lean").success);  // Lean runs now
  const FileVerdict late = check_one("Slow.lean", {}, patient().with_timeout(std::chrono::milliseconds(200)));
  CHECK(late.state == ProofState::Elaborating);
  CHECK_FALSE(late.success);
  CHECK(late.file.timed_out);
  CHECK(late.file.partial);
  CHECK(told(late) == Strings{"2 slow still_elaborating"});
}

TEST_CASE_METHOD(CheckFixture, "a cancelled check is an error", "[ide][check]") {
  io::CancelScope cancelled = patient();
  cancelled.cancel->cancel();
  CHECK(check({.paths = {"Open.lean"}}, {}, cancelled).error().kind == ErrorKind::Cancelled);
  CHECK(check({.paths = {"Fine.lean", "Open.lean"}, .several = true}, {}, cancelled).error().kind ==
        ErrorKind::Cancelled);
}

}  // namespace leanbridge::ide
