// Whether an edit changes what a file states, by its words and by what a scripted Lean answers.

#include "core/ide/statement_changes.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;
using olean::TypeChange;

namespace {

struct StatementFixture : IdeFixture {
  StatementFixture() {
    // What `#check` prints of a name is the line that declares it in the text, or an error.
    scripted.says = [this](const std::string& text) {
      std::vector<ScriptedLean::Message> said = of_all;
      for (const std::string& name : {"a", "b"}) {
        const std::string command = "#check @_root_." + name;
        if (!contains(text, command)) continue;
        ++asked;
        said.push_back(type_in(text, name).empty()
                           ? ScriptedLean::Message{command, "Unknown constant"}
                           : ScriptedLean::Message{command, name + " : " + type_in(text, name), 3});
      }
      return said;
    };
    scripted.answers["$/lean/rpc/call"] = [](const std::string& text, const json& params) {
      json all = json::array();
      if (params["method"] != "Lean.Widget.getInteractiveDiagnostics") return all;
      const text::Text lines(text);
      for (const char* name : {"a", "b"}) {
        const std::size_t at = text.find(std::string("#check @_root_.") + name);
        if (at == text.npos || type_in(text, name).empty()) continue;
        const auto piece = [](std::string said) { return json({{"text", std::move(said)}}); };
        all.push_back({{"severity", 3},
                       {"range", lean::to_json(lines.lsp_range(at, at))},
                       {"message", {{"append", {piece(name), piece(" : "), piece(type_in(text, name))}}}}});
      }
      return all;
    };
  }
  static std::string type_in(const std::string& text, const std::string& name) {
    const std::string head = "theorem " + name + " : ";
    const std::size_t at = text.find(head);
    return at == text.npos ? "" : text.substr(at + head.size(), text.find(" :=", at) - at - head.size());
  }
  /// The project's lake does not compile, so that Lean is asked by `#check`.
  Result<std::string> objection(std::string before, std::string after, io::CancelScope scope = patient()) {
    const OpenFile file = open("A.lean", before);
    return loop.run(statement_objection(environment, operation(scope),
                                        {store, file.document().path, std::move(before), std::move(after)},
                                        nullptr, scope));
  }

  std::vector<ScriptedLean::Message> of_all;
  int asked = 0;
};

std::string words(std::string before, std::string after) {
  return objection_of_words({nullptr, {}, std::move(before), std::move(after)});
}

constexpr const char* kBadBelow = "theorem a : 1 = 1 := by\n  rfl\n\ntheorem b : 2 = 2 := bad\n";

}  // namespace

TEST_CASE("changes are told in words, the first three of them", "[ide][statements]") {
  using Kind = TypeChange::Kind;
  CHECK(describe({{Kind::Lost, "A.b", "Nat", "", ""}}) == "lose A.b `Nat`");
  CHECK(describe({{Kind::Lost, "A.b", "", "", ""}}) == "lose A.b");
  CHECK(describe({{Kind::Changed, "a", "1 = 1", "1 = 2", ""}}) == "change a from `1 = 1` to `1 = 2`");
  CHECK(describe({{Kind::Changed, "a", "P", "P", "has another P"}}) ==
        "change what a `P` means: it has another P");
  CHECK(describe({{Kind::Demoted, "a", "theorem", "axiom", ""}}) ==
        "make the theorem a one no more, but: axiom");
  CHECK(describe({{Kind::Assumed, "a", "", "False", ""}}) == "assume the axiom a `False`");
  const std::vector<TypeChange> five(5, {Kind::Lost, "a", "", "", ""});
  CHECK(describe(five) == "lose a, lose a, lose a, and change 2 more");
  CHECK(describe({}).empty());
  const std::string long_type(1000, 'x');
  CHECK(describe({{Kind::Lost, "a", long_type, "", ""}}) == "lose a `" + std::string(400, 'x') + " […]`");
}

TEST_CASE("words alone object to what is lost, changed or assumed, and to nothing else",
          "[ide][statements]") {
  CHECK(words(kBadBelow, "theorem a : 1 = 1 := by decide\n\ntheorem b : 2 = 2 := rfl\n").empty());
  CHECK(words("", kBadBelow).empty());
  CHECK_THAT(words(kBadBelow, ""),
             Catch::StartsWith("It would delete theorem a, delete theorem b; pass allow_"));
  CHECK_THAT(words("", "axiom a : False\n"), Catch::StartsWith("It would assume the axiom a"));
  CHECK_THAT(words("namespace N\r\ntheorem a : 1 = 1 := rfl\r\nend N", "theorem a : 1 = 1 := rfl"),
             Catch::Contains("theorem N.a"));
  CHECK(words("theorem a : 1 = 1 := rfl\r\n", "theorem a :\n    1 = 1 := rfl").empty());
}

TEST_CASE_METHOD(StatementFixture, "an edit of proofs alone asks Lean nothing", "[ide][statements]") {
  CHECK(objection(kBadBelow, "theorem a : 1 = 1 := by\n  decide\n\ntheorem b : 2 = 2 := bad\n")
            .value()
            .empty());
  CHECK(objection(kBadBelow, kBadBelow).value().empty());
  CHECK(asked == 0);
}

TEST_CASE_METHOD(StatementFixture, "a text that does not compile is compared by the types that Lean prints",
                 "[ide][statements]") {
  const std::string head = "def x := 1\n", other = "def x := 2\n";
  CHECK(objection(head + kBadBelow, other + kBadBelow).value().empty());
  CHECK(asked > 0);
  const std::string changed = "theorem a : 1 = 3 := by\n  rfl\n\ntheorem b : 2 = 2 := bad\n";
  CHECK(objection(head + kBadBelow, other + changed).value() ==
        "As Lean has it, it would change a from `1 = 1` to `1 = 3`; pass allow_statement_change if that is "
        "intended.");
  CHECK_THAT(objection(head + kBadBelow, other + "theorem b : 2 = 2 := bad\n").value(),
             Catch::Contains("would lose a `1 = 1`"));
}

TEST_CASE_METHOD(StatementFixture, "a type that Lean had not before is no comparison", "[ide][statements]") {
  const std::string broken = "open Gone\ntheorem a := by\n  rfl\n",
                    mended = "open Found\ntheorem a : 1 = 1 := by\n  rfl\n";
  CHECK_THAT(objection(broken, mended).value(),
             Catch::Contains("is not known: before it, Lean had no type of a. Mend the errors first"));
}

TEST_CASE_METHOD(StatementFixture,
                 "where a program of the file may answer for Lean, its answers do not count",
                 "[ide][statements]") {
  const std::string macro = "elab \"x\" : command => pure ()\n";
  const auto why = objection(macro + kBadBelow, macro + "def y := 1\n" + kBadBelow).value();
  CHECK_THAT(why, Catch::StartsWith("Whether it changes a statement is not known: "));
  CHECK_THAT(why, Catch::Contains("which may answer in its place"));
  CHECK(asked == 0);
}

TEST_CASE_METHOD(StatementFixture, "a declaration that only Lean sees makes the comparison unknown",
                 "[ide][statements]") {
  scripted.answers["textDocument/documentSymbol"] = [](const std::string& text, const json&) {
    const json range = lean::to_json(text::Text(text).lsp_range(0, 5));
    return json::array({{{"name", "secret"}, {"kind", 6}, {"range", range}, {"selectionRange", range}}});
  };
  CHECK_THAT(objection(std::string("#made\ndef x := 1\n") + kBadBelow,
                       std::string("#made\ndef x := 2\n") + kBadBelow)
                 .value(),
             Catch::Contains("only Lean sees the declaration of secret"));
}

TEST_CASE_METHOD(StatementFixture,
                 "a cancelled comparison, and one that Lean does not answer, are no approval",
                 "[ide][statements]") {
  const io::CancelScope scope = patient();
  scope.cancel->cancel();
  const auto cancelled =
      objection(std::string("def x := 1\n") + kBadBelow, std::string("def x := 2\n") + kBadBelow, scope);
  REQUIRE_FALSE(cancelled.has_value());
  CHECK(cancelled.error().kind == ErrorKind::Cancelled);
  scripted.crashes = [](const std::string& text) { return contains(text, "#check"); };
  const auto ended =
      objection(std::string("def x := 1\n") + kBadBelow, std::string("def x := 2\n") + kBadBelow);
  REQUIRE_FALSE(ended.has_value());
  CHECK(ended.error().kind == ErrorKind::WorkerCrashed);
}

}  // namespace leanbridge::ide
