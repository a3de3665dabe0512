// The messages about lines of a file, by a scripted Lean.

#include "core/ide/line_messages.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

constexpr const char* kErrorAndSorry =
    "theorem a : 1 = 1 := by\n  nonsense\n\nnamespace N\ntheorem b : 2 = 2 := by\n  sorry\nend N\n";

struct LineFixture : IdeFixture {
  LineFixture() {
    scripted.messages = {{"nonsense", "unknown tactic"}, {"theorem b", "declaration uses `sorry`", 2}};
    write("A.lean", kErrorAndSorry);
  }

  Result<LineMessages> ask(LineQuestion question, io::CancelScope scope = patient()) {
    question.file.file_path = "A.lean";
    return loop.run(messages_about(environment, operation(std::move(scope)), std::move(question)));
  }
  /// Their lines.
  std::vector<int> lines(LineQuestion question) {
    const auto found = ask(std::move(question));
    if (!found) FAIL(found.error().message);
    std::vector<int> of;
    for (const DiagnosticItem& each : found->messages.items) of.push_back(each.line);
    return of;
  }
};

}  // namespace

TEST_CASE_METHOD(LineFixture, "messages are chosen by lines, declaration and severity", "[ide][messages]") {
  CHECK(lines({}) == std::vector<int>{2, 5});
  CHECK(lines({.start_line = 3}) == std::vector<int>{5});
  CHECK(lines({.end_line = 4}) == std::vector<int>{2});
  CHECK(lines({.declaration_name = "N.b"}) == std::vector<int>{5});
  CHECK(lines({.severity = lean::Severity::Error}) == std::vector<int>{2});
  CHECK_FALSE(ask({})->success);
  CHECK(ask({.start_line = 3})->success);
}

TEST_CASE_METHOD(LineFixture, "lines and declarations that the file has not are errors", "[ide][messages]") {
  const auto kind_of = [&](LineQuestion question) { return ask(std::move(question)).error().kind; };
  CHECK(kind_of({.start_line = 70}) == ErrorKind::InvalidArgument);
  CHECK(kind_of({.end_line = 70}) == ErrorKind::InvalidArgument);
  CHECK(kind_of({.start_line = 4, .end_line = 3}) == ErrorKind::InvalidArgument);
  CHECK(kind_of({.declaration_name = "nonesuch"}) == ErrorKind::InvalidArgument);
}

TEST_CASE_METHOD(LineFixture, "an answer about some lines does not wait for those below", "[ide][messages]") {
  scripted.unfinished = [](const std::string& /*text*/) { return std::vector<std::pair<int, int>>{{4, 6}}; };
  const auto above = ask({.end_line = 3});
  REQUIRE(above.has_value());
  CHECK_FALSE(above->file.partial);
  CHECK(above->messages.items.size() == 1);
  const auto all = ask({}, patient().with_timeout(std::chrono::milliseconds(200)));
  REQUIRE(all.has_value());
  CHECK(all->file.timed_out);
  CHECK_FALSE(all->success);
}

TEST_CASE_METHOD(LineFixture, "silence about a theorem, or below #exit, is no success", "[ide][messages]") {
  write("A.lean", "theorem x : 1 = 1 := rfl\n#exit\ntheorem y : 1 = 2 := rfl\n");
  CHECK_THAT(ask({})->reason.value_or(""), Catch::Contains("#exit"));
  CHECK_FALSE(ask({})->success);
  CHECK(ask({.end_line = 1})->success);
  scripted.answers["textDocument/documentSymbol"] = [](const std::string& /*text*/, const json& /*params*/) {
    const json range = {{"start", {{"line", 0}, {"character", 0}}},
                        {"end", {{"line", 0}, {"character", 24}}}};
    return json::array({{{"name", "x"}, {"kind", 12}, {"range", range}, {"selectionRange", range}}});
  };
  write("A.lean", "theorem x : 1 = 1 := rfl\n\ndef y := 1\n");
  const auto silent = ask({});
  CHECK_FALSE(silent->success);
  CHECK_THAT(silent->reason.value_or(""), Catch::Contains("has not announced"));
  CHECK(ask({.start_line = 3})->success);
}

TEST_CASE_METHOD(LineFixture, "the files that keep the imports from being built are named",
                 "[ide][messages]") {
  scripted.fails_at_header = [](const std::string& /*text*/) { return true; };
  scripted.messages = {
      {"import", "failed:\nerror: X/B.lean:3:4: no\nerror: A.lean:1:0: bad\nerror: X/B.lean:9:9: x"}};
  write("A.lean", "import X.B\n");
  const auto found = ask({});
  REQUIRE(found.has_value());
  CHECK_FALSE(found->success);
  CHECK(found->failed_dependencies == std::vector<std::string>{"A.lean", "X/B.lean"});
}

TEST_CASE_METHOD(LineFixture, "the compiler has no tagged messages", "[ide][messages]") {
  const Error why{ErrorKind::LeanUnavailable, "no server", ""};
  LineQuestion question{.file = {"A.lean"}, .interactive = true};
  const auto found = loop.run(compiled_messages_about(environment, operation(), question, why));
  CHECK(found.error().message == "no server");
}

}  // namespace leanbridge::ide
