// The declarations of a file, by Lean's outline and by the text, and how far each is proved.

#include "core/ide/symbols.hpp"

#include "core/ide/ide_fixture.hpp"

#include <set>

namespace leanbridge::ide {

using namespace ide::test;

namespace {

constexpr int kNamespaceKind = 3, kDeclarationKind = 6;

/// As Lean has it in its outline: from where `from` first stands in the text to the end of `to`.
json entry(const std::string& source, const std::string& name, std::string_view from, std::string_view to,
           int kind = kDeclarationKind, json children = json::array()) {
  const text::Text text(source);
  const std::size_t begin = source.find(from);
  const json range = lean::to_json(text.lsp_range(begin, source.find(to, begin) + to.size()));
  return {{"name", name},
          {"kind", kind},
          {"range", range},
          {"selectionRange", range},
          {"children", std::move(children)}};
}

std::vector<std::string> names(const std::vector<Symbol>& symbols) {
  std::vector<std::string> all;
  for (const Symbol& each : symbols) all.push_back(each.keyword + " " + each.name);
  return all;
}

struct StateFixture : IdeFixture {
  /// The state of the first declaration, or of the one with this name.
  ProofState state(const std::string& source, const json& outline = json::array(), const char* name = nullptr,
                   const HiddenSorries& hidden = {}) {
    const OpenFile file = open("A.lean", source);
    arrived();
    for (const Symbol& each : symbols_of(file.text(), outline))
      if (!name || each.name == name) return proof_state(file.state(), each, hidden);
    FAIL("no such declaration");
    return ProofState::Unknown;
  }
};

constexpr const char* kOneTheorem = "theorem a : 1 = 1 := by\n  rfl\n";

}  // namespace

TEST_CASE("names have their namespaces, but not their sections, and no root", "[ide][symbols]") {
  const std::string source =
      "namespace A.B\nsection S\ntheorem c : True := trivial\nend S\n"
      "theorem _root_.d : True := trivial\ninstance : Inhabited Nat := ⟨1⟩\nend A.B\n";
  const json inner = json::array({entry(source, "S", "section", "end S", kNamespaceKind,
                                        json::array({entry(source, "c", "theorem c", "trivial")})),
                                  entry(source, "_root_.d", "theorem _root_", "trivial"),
                                  entry(source, "instance : Inhabited Nat \n", "instance", "⟩")});
  const json outline = json::array({entry(source, "A.B", "namespace", "end A.B", kNamespaceKind, inner)});
  const auto found = symbols_of(text::Text(source), outline);
  CHECK(names(found) == std::vector<std::string>{"namespace A.B", "theorem A.B.c", "theorem d",
                                                 "instance instance : Inhabited Nat"});
  for (const Symbol& each : found) CHECK(each.from_lean);
}

TEST_CASE("what the outline lacks comes from the text, in its place", "[ide][symbols]") {
  const std::string source =
      "namespace A\nlemma b : True := trivial\n\n/- x -/\nend A\ntheorem c : True := trivial";
  const json outline = json::array(
      {entry(source, "A", "namespace", "end A", kNamespaceKind), entry(source, "c", "theorem c", "trivial")});
  const auto found = symbols_of(text::Text(source), outline);
  CHECK(names(found) == std::vector<std::string>{"namespace A", "lemma A.b", "theorem c"});
  CHECK_FALSE(found[1].from_lean);
  CHECK(source.substr(found[1].start, found[1].end - found[1].start) == "lemma b : True := trivial");
  CHECK(source.substr(found[1].name_at, 1) == "b");
  CHECK(names(symbols_of(text::Text(source), json())) == std::vector<std::string>{"lemma A.b", "theorem c"});
  CHECK(symbols_of(text::Text(""), json::array({1, {{"name", "x"}}})).empty());
}

TEST_CASE("an outline in UTF-16 places meets the text's own declarations", "[ide][symbols]") {
  const std::string source = "/- 𝔸𝔸𝔸𝔸 -/ theorem 𝔸a : True := trivial\ntheorem b : True := trivial\n";
  const auto found = symbols_of(
      text::Text(source),
      json::array({entry(source, "𝔸a", "theorem", "trivial"), entry(source, "b", "theorem b", "trivial")}));
  CHECK(names(found) == std::vector<std::string>{"theorem 𝔸a", "theorem b"});
}

TEST_CASE("declarations of a mutual block know their block, those around it know none", "[ide][symbols]") {
  const std::string source =
      "def x := 1\nmutual\ndef a : Nat → Nat\n  | 0 => 0\n  | n + 1 => b n\ndef b : Nat → Nat := a\nend\ndef "
      "y := 2\n";
  const auto found = symbols_in(text::Text(source));
  REQUIRE(names(found) == std::vector<std::string>{"def x", "def a", "def b", "def y"});
  CHECK_FALSE(found[0].block);
  REQUIRE(found[1].block);
  CHECK(found[1].block == found[2].block);
  CHECK(source.substr(found[1].block->first, 6) == "mutual");
  CHECK_FALSE(found[3].block);
}

TEST_CASE_METHOD(StateFixture, "only an announcement proves a theorem, an error or a sorry counts more",
                 "[ide][symbols]") {
  const json outline = json::array({entry(kOneTheorem, "a", "theorem", "rfl")});
  CHECK(state(kOneTheorem, outline) == ProofState::Unknown);
  scripted.messages = {ScriptedLean::proved("theorem a")};
  CHECK(state(std::string(kOneTheorem) + "\n", outline) == ProofState::Proved);
  scripted.messages.push_back({"theorem a", "declaration uses `sorry`", 2});
  CHECK(state(std::string(kOneTheorem) + "\n\n", outline) == ProofState::Sorry);
  scripted.messages.push_back({"rfl", "it is not"});
  CHECK(state(std::string(kOneTheorem) + "\n\n\n", outline) == ProofState::Error);
}

TEST_CASE_METHOD(StateFixture,
                 "a definition that Lean has is accepted, one that only the text shows is not known",
                 "[ide][symbols]") {
  const std::string source = "def a := 1\n";
  CHECK(state(source, json::array({entry(source, "a", "def", "1")})) == ProofState::Proved);
  CHECK(state(source) == ProofState::Unknown);
}

TEST_CASE_METHOD(StateFixture, "the declarations of a mutual block are accepted or refused together",
                 "[ide][symbols]") {
  const std::string source = "mutual\ndef a : Nat := 1\ndef b : Nat := bad\nend\n";
  CHECK(state(source, json::array(), "a") == ProofState::Proved);
  scripted.messages = {{"bad", "unknown identifier"}};
  CHECK(state(source + "\n", json::array(), "a") == ProofState::Error);
}

TEST_CASE_METHOD(StateFixture, "what Lean has not finished or not begun has no verdict", "[ide][symbols]") {
  scripted.unfinished = [](const std::string&) { return std::vector<std::pair<int, int>>{{0, 1}}; };
  CHECK(state(kOneTheorem) == ProofState::Elaborating);
  scripted.fails_at_header = [](const std::string&) { return true; };
  scripted.messages = {{"import", "unknown module prefix 'Gone'"}};
  const std::string importing = std::string("import Gone\n") + kOneTheorem;
  CHECK(state(importing) == ProofState::Error);
  scripted.messages = {
      {"import", "`/lake setup-file A.lean` failed:\n\nstderr:\nerror: ././B.lean:1:1: bad"}};
  const ProofState blamed = state(importing + "\n");
  CHECK(blamed == ProofState::NotReached);
}

TEST_CASE_METHOD(StateFixture,
                 "a sorry that Lean's messages hide is found in the compiled file, by its lines",
                 "[ide][symbols]") {
  scripted.messages = {ScriptedLean::proved("theorem a")};
  HiddenSorries hidden;
  hidden.messages_suffice = false;
  CHECK(state(kOneTheorem, json::array(), "a", hidden) == ProofState::Proved);
  olean::CompiledConstant constant;
  constant.name = "a";
  constant.line = 3;
  hidden.constants = {constant};
  CHECK(state(std::string(kOneTheorem) + "\n", json::array(), "a", hidden) == ProofState::Proved);
  hidden.constants.front().line = 2;
  CHECK(state(std::string(kOneTheorem) + "\n\n", json::array(), "a", hidden) == ProofState::Sorry);
  hidden.unknown = "it does not compile.";
  CHECK(state(std::string(kOneTheorem) + "\n\n\n", json::array(), "a", hidden) == ProofState::Unknown);
}

TEST_CASE_METHOD(StateFixture, "an example leaves nothing to inspect, so a hidden sorry of it stays unknown",
                 "[ide][symbols]") {
  scripted.messages = {ScriptedLean::proved("example")};
  HiddenSorries hidden;
  hidden.messages_suffice = false;
  hidden.because = "A.lean:1 has set_option warn.sorry";
  CHECK(state("example : 1 = 1 := rfl\n", json::array(), "", hidden) == ProofState::Unknown);
  CHECK(hidden.why_unknown() ==
        "Lean may not report sorry here (A.lean:1 has set_option warn.sorry), and an example leaves nothing "
        "in the "
        "compiled file to inspect.");
  hidden.unknown = "time ran out.";
  CHECK_THAT(hidden.why_unknown(), Catch::EndsWith("could not be inspected: time ran out."));
}

TEST_CASE_METHOD(StateFixture, "theorems that Lean does not announce are named, by its own outline",
                 "[ide][symbols]") {
  scripted.messages = {ScriptedLean::proved("theorem b")};
  const std::string source = std::string(kOneTheorem) + "theorem b : 1 = 1 := rfl\nlemma c : 1 = 1 := rfl\n";
  scripted.answers["textDocument/documentSymbol"] = [](const std::string& text, const json&) {
    return json::array({entry(text, "a", "theorem a", "rfl"), entry(text, "b", "theorem b", "rfl")});
  };
  const OpenFile file = open("A.lean", source);
  arrived();
  const auto found = loop.run(unannounced_theorems(file.handle(), patient()));
  REQUIRE(found.has_value());
  CHECK(names(*found) == std::vector<std::string>{"theorem a"});
  CHECK_THAT(unannounced_reason(found->front()), Catch::StartsWith("a: Lean has not announced"));
  scripted.messages.push_back(ScriptedLean::proved("theorem a"));
  scripted.messages.push_back(ScriptedLean::proved("lemma c"));
  const OpenFile all = open("B.lean", source);
  arrived();
  const std::size_t asked = count("textDocument/documentSymbol");
  CHECK(loop.run(unannounced_theorems(all.handle(), patient()))->empty());
  CHECK(count("textDocument/documentSymbol") == asked);
}

TEST_CASE_METHOD(StateFixture, "an outline is not asked for before the file is done", "[ide][symbols]") {
  scripted.unfinished = [](const std::string& text) {
    using Lines = std::vector<std::pair<int, int>>;
    return contains(text, "slow") ? Lines{{0, 0}} : Lines();
  };
  const OpenFile slow = open("A.lean", "-- slow\n");
  const auto late = loop.run(outline_of(slow, expired()));
  REQUIRE(late.has_value());
  CHECK(late->timed_out);
  CHECK(late->symbols.is_null());
  CHECK(count("textDocument/documentSymbol") == 0);
}

TEST_CASE_METHOD(IdeFixture, "types of declarations come from the hovers on their names", "[ide][symbols]") {
  const OpenFile file = open("A.lean", "theorem a : 1 = 1 := rfl\nexample : 2 = 2 := rfl\ndef b := 3\n");
  std::set<int> lines;
  scripted.answers["textDocument/hover"] = [&](const auto&, const json& params) -> json {
    const int line = params["position"]["line"].get<int>();
    lines.insert(line);
    if (line != 0) return nullptr;
    return {{"contents", {{"kind", "markdown"}, {"value", "```lean\na : 1 = 1\n```"}}}};
  };
  CHECK(loop.run(types_of(file.handle(), symbols_in(file.text()), patient())) ==
        std::vector<std::string>{"1 = 1", "", ""});
  CHECK(lines == std::set<int>{0, 2});  // an example has no name
  CHECK(loop.run(types_of(file.handle(), {}, patient())).empty());
}

}  // namespace leanbridge::ide
