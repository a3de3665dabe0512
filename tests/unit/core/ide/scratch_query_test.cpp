// The texts behind which questions run, and the answers of a scripted Lean to them.

#include "core/ide/scratch_query.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

constexpr const char* kQuerySource =
    "import Init\n\nnamespace A\n\n/-- Of b. -/\ntheorem b : 1 = 1 := by\n  skip\n  rfl\n\nmutual\n"
    "def c : Nat → Nat\n  | 0 => 0\n  | n + 1 => d n\ndef d : Nat → Nat := c\nend\n-- the end\n";

struct QueryFixture : IdeFixture {
  /// The text before the command at a place, from its last line but one.
  std::string before(const std::string& source, ContextPosition at) {
    const OpenFile file = open("A.lean", source);
    const auto context = command_context(file, at);
    return context ? context->text : context.error().message;
  }
  std::string behind(const std::string& source) {
    const OpenFile file = open("A.lean", source);
    return whole_context(file).text;
  }
  std::optional<Context> in_proof(std::string_view before) {
    const OpenFile file = open("A.lean", kQuerySource);
    const auto found = loop.run(proof_context(file, std::string_view(kQuerySource).find(before), patient()));
    REQUIRE(found.has_value());
    return *found;
  }
  Result<std::shared_ptr<CommandAnswers>> ask(std::vector<std::string> commands,
                                              io::CancelScope scope = patient()) {
    return loop.run(ask_in_scratch(store, {.text = "import Init\n"}, std::move(commands), std::move(scope)));
  }
  Result<std::shared_ptr<CommandAnswers>> ask_name(std::string name, ContextPosition at = {}) {
    const OpenFile file = open("A.lean", kQuerySource);
    return loop.run(ask_about_name(file, {"A.lean", std::move(name), at}, {"#print axioms "}, patient()));
  }
};

std::string from(const std::string& text, std::string_view part) {
  const std::size_t at = text.find(part);
  return at == text.npos ? "none" : text.substr(at);
}

}  // namespace

TEST_CASE_METHOD(QueryFixture,
                 "a command runs in front of the one at its place, without a place behind the imports",
                 "[ide][scratch]") {
  CHECK(before(kQuerySource, {}) == "import Init\n");
  CHECK(before(kQuerySource, {1, {}}) == "import Init\n");
  CHECK(from(before(kQuerySource, {6, {}}), "namespace") == "namespace A\n\n");
  CHECK(from(before(kQuerySource, {8, 3}), "namespace") == "namespace A\n\n");
  CHECK(from(before(kQuerySource, {9, {}}), "  rfl") == "  rfl\n");
  CHECK_THAT(before(kQuerySource, {99, {}}), Catch::Contains("99"));
}

TEST_CASE_METHOD(QueryFixture, "a mutual block is one command, also for a place inside it",
                 "[ide][scratch]") {
  for (const int line : {10, 11, 13, 14, 15}) {
    INFO(line);
    CHECK(before(kQuerySource, {line, {}}).ends_with("  rfl\n\n"));
  }
  CHECK(behind(kQuerySource).ends_with(":= c\nend\n"));
}

TEST_CASE_METHOD(QueryFixture, "every text that commands follow ends with its line", "[ide][scratch]") {
  CHECK(before("import Init", {}) == "import Init\n");
  CHECK(before("", {}).empty());
  CHECK(behind("").empty());
  CHECK(behind("import Init") == "import Init\n");
  CHECK(behind("theorem a : True := trivial -- why") == "theorem a : True := trivial\n");
  CHECK(behind("namespace A\r\ndef b := 1\r\nend A\r\n") == "namespace A\ndef b := 1\n");
}

TEST_CASE_METHOD(QueryFixture,
                 "where the file declares a name itself, the question runs behind its declarations",
                 "[ide][scratch]") {
  const OpenFile file = open("A.lean", kQuerySource);
  const auto is = [](const char* wanted) {
    return [wanted](const std::string& name) { return name == wanted; };
  };
  CHECK(context_for_names(file, {}, is("A.d"))->text == whole_context(file).text);
  CHECK(context_for_names(file, {}, is("A.e"))->text == "import Init\n");
  CHECK(context_for_names(file, {6, {}}, is("A.d"))->text.ends_with("namespace A\n\n"));
}

TEST_CASE_METHOD(QueryFixture, "in a proof a question stands as a tactic, before the one there or behind it",
                 "[ide][scratch]") {
  scripted.goals = {{"theorem b", {{"⊢ 1 = 1"}}}, {"-- the end", std::nullopt}};
  const auto at = in_proof("skip");
  REQUIRE(at);
  CHECK(at->in_proof);
  CHECK(at->indent == 2);
  CHECK(from(at->text, "theorem") == "theorem b : 1 = 1 := by\n  ");
  const auto behind_skip = in_proof("\n  rfl");
  REQUIRE(behind_skip);
  CHECK(from(behind_skip->text, "theorem") == "theorem b : 1 = 1 := by\n  skip\n  ");
  const auto at_by = in_proof("by\n");
  REQUIRE(at_by);
  CHECK(from(at_by->text, "theorem") == "theorem b : 1 = 1 := by\n  ");
}

TEST_CASE_METHOD(QueryFixture, "without a goal left, or a tactic in the declaration, there is no proof",
                 "[ide][scratch]") {
  CHECK_FALSE(in_proof("def d"));
  CHECK(count("$/lean/plainGoal") == 0);  // no tactic in sight: Lean need not be asked
  scripted.goals = {{"theorem b", std::vector<std::string>()}};
  CHECK_FALSE(in_proof("skip"));
}

TEST_CASE_METHOD(QueryFixture, "each command has the messages in its lines", "[ide][scratch]") {
  scripted.messages = {{"#check one", "one : Nat", 3},
                       {"#check two", "unknown", 1},
                       {"#check three", "silent", 3, {}, true},
                       {"#check three", "three : Nat", 3}};
  const auto asked = ask({"#check one", "#check two", "#check three"});
  REQUIRE(asked.has_value());
  const CommandAnswers& answers = **asked;
  CHECK(answers.commands() == 3);
  CHECK_FALSE(answers.failed(0));
  CHECK(answers.failed(1));
  CHECK(answers.messages(2).list().size() == 1);
  CHECK(answers.message(2, lean::Severity::Information) == "three : Nat");
  CHECK_FALSE(answers.message(0, lean::Severity::Error));
}

TEST_CASE_METHOD(QueryFixture, "a question does not wait for slow proofs, but for each of its commands",
                 "[ide][scratch]") {
  scripted.unfinished = [](const std::string&) { return std::vector<std::pair<int, int>>{{0, 0}}; };
  scripted.messages = {{"#check one", "one : Nat", 3}, {"#check two", "two : Nat", 3}};
  CHECK(ask({"#check one", "#check two"}).has_value());
  const auto late = ask({"#check one", "#check never"}, io::CancelScope(std::chrono::milliseconds(50)));
  REQUIRE_FALSE(late.has_value());
  CHECK(late.error().kind == ErrorKind::Timeout);
}

TEST_CASE_METHOD(QueryFixture, "a question ends with its call, and with Lean's worker", "[ide][scratch]") {
  scripted.unfinished = [](const std::string&) { return std::vector<std::pair<int, int>>{{0, 0}}; };
  const auto cancel = std::make_shared<io::CancelSource>();
  auto asking = loop.start(ask_in_scratch(store, {.text = ""}, {"#check slow"}, patient(cancel)));
  REQUIRE(loop.until([&] { return !lake.runs.empty() && lean().has(kBarrier); }));
  CHECK_FALSE(asking.done());
  cancel->cancel();
  const auto& cancelled = loop.finish(asking);
  REQUIRE_FALSE(cancelled.has_value());
  CHECK(cancelled.error().kind == ErrorKind::Cancelled);
  scripted.crashes = [](const std::string& text) { return contains(text, "#check kill"); };
  CHECK(ask({"#check kill"}).error().kind == ErrorKind::WorkerCrashed);
}

TEST_CASE_METHOD(QueryFixture, "imports that Lean cannot load are told as such, not as an answer",
                 "[ide][scratch]") {
  scripted.fails_at_header = [](const std::string&) { return true; };
  scripted.messages = {{"import", "unknown module prefix 'Gone'"}};
  const auto failed = ask({"#check one"});
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().kind == ErrorKind::LeanUnavailable);
}

TEST_CASE_METHOD(QueryFixture, "a lakefile that Lean cannot load is told as such in a text without imports",
                 "[ide][scratch]") {
  scripted.fails_at_header = [](const std::string&) { return true; };
  scripted.messages = {{"", "Failed to configure the Lake workspace"}};  // before Lean says that it gave up
  const auto failed = loop.run(ask_in_scratch(store, {.text = ""}, {"#check one"}, patient()));
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().kind == ErrorKind::LeanUnavailable);
}

TEST_CASE_METHOD(QueryFixture,
                 "a name that the header lacks is asked for again behind the file that declares it",
                 "[ide][scratch]") {
  std::vector<std::string> texts;
  scripted.says = [&](const std::string& text) {
    std::vector<ScriptedLean::Message> said;
    if (!contains(text, "#print")) return said;
    texts.push_back(text);
    const bool knows = contains(text, "def d") && contains(text, "axioms A.d");
    said.push_back({from(text, "#print").substr(0, 6), knows ? "none" : "Unknown constant", knows ? 3 : 1});
    return said;
  };
  CHECK(ask_name("A.d").has_value());
  REQUIRE(texts.size() == 2);
  CHECK_FALSE(contains(texts[0], "def d"));
  const auto unknown = ask_name("Elsewhere.e");
  REQUIRE_FALSE(unknown.has_value());
  CHECK(unknown.error().kind == ErrorKind::InvalidArgument);
  CHECK(unknown.error().message == "Unknown constant");
  CHECK(texts.size() == 3);
  CHECK_FALSE(ask_name("A.d", {3, {}}).has_value());  // the caller wants this place, and no other
  CHECK_FALSE(ask_name("not\na name").has_value());
  CHECK(texts.size() == 4);
}

}  // namespace leanbridge::ide
