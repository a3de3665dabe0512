#include "core/text/source_changes.hpp"

#include <catch2/catch.hpp>

#include <utility>

using namespace leanbridge::text;

namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

SourceChanges made_of(const Files& before, const Files& after) {
  const auto read = [](const Files& files) {
    std::vector<SourceReading> readings;
    for (const auto& [name, text] : files) readings.push_back(read_declarations(name, text));
    return readings;
  };
  return source_changes(read(before), read(after));
}

SourceChanges made_of(const std::string& before, const std::string& after) {
  return made_of(Files{{"A.lean", before}}, Files{{"A.lean", after}});
}

/// "restated Foo.bar (Foo.old, Old.lean)", one for each.
std::vector<std::string> told(const SourceChanges& changes) {
  std::vector<std::string> lines;
  for (const DeclarationChange& each : changes.declarations) {
    lines.push_back(std::string(leanbridge::wire::name_of(each.change)) + " " + each.name);
    if (each.renamed_from) lines.back() += " was " + *each.renamed_from;
    if (each.moved_from) lines.back() += " from " + *each.moved_from;
  }
  return lines;
}

std::vector<std::string> commands_of(const SourceChanges& changes) {
  std::vector<std::string> lines;
  for (const CommandChange& each : changes.commands) lines.push_back((each.added ? "+ " : "- ") + each.text);
  return lines;
}

using ToldWords = std::vector<std::string>;

const std::string kDeclared =
    "namespace A\n\n/-- Doc. -/\n@[simp] theorem one (n : Nat) : n = n := by\n  rfl\n\n"
    "def two : Nat := 2\n\nstructure Three where\n  x : Nat\n\nexample : 1 = 1 := rfl\n\nend A\n";

std::string with_text(const std::string& from, const std::string& to) {
  std::string text = kDeclared;
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("white space, comments and line ends change nothing", "[source_changes]") {
  std::string crlf;
  for (const char c : kDeclared) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  for (const std::string& same :
       {kDeclared, crlf, with_text("/-- Doc. -/", "/-- sorry -/"),
        with_text("(n : Nat)", "(n:Nat) -- sorry\n "),
        with_text("def two", "/- axiom a : False -/\n\ndef  two"), with_text("  rfl", "    rfl  -- done")}) {
    const SourceChanges changes = made_of(kDeclared, same);
    CHECK(told(changes).empty());
    CHECK(changes.commands.empty());
    CHECK(changes.new_sorries.empty());
    CHECK(changes.sorries_after == 0);
  }
}

TEST_CASE("what becomes of a declaration", "[source_changes]") {
  const auto words_of = [](const std::string& from, const std::string& to) {
    return told(made_of(kDeclared, with_text(from, to)));
  };
  CHECK(words_of("  rfl", "  exact rfl") == ToldWords{"reproved A.one"});
  CHECK(words_of("n = n", "n + 0 = n") == ToldWords{"restated A.one"});
  CHECK(words_of("theorem one", "lemma one").empty());
  CHECK(words_of("theorem one", "axiom one") == ToldWords{"restated A.one"});
  CHECK(words_of("@[simp] ", "") == ToldWords{"attributed A.one"});
  CHECK(words_of("def two", "private def two") == ToldWords{"attributed A.two"});
  CHECK(words_of("Nat := 2", "Nat := 3") == ToldWords{"revalued A.two"});
  CHECK(words_of("def two : Nat", "def two : Int") == ToldWords{"restated A.two"});
  CHECK(words_of("x : Nat", "x : Int") == ToldWords{"restated A.Three"});
  CHECK(words_of("theorem one", "theorem uno") == ToldWords{"renamed A.uno was A.one"});
  CHECK(words_of("def two : Nat := 2\n", "") == ToldWords{"removed A.two"});
  CHECK(words_of("def two", "theorem new : 2 = 2 := rfl\n\ndef two") == ToldWords{"added A.new"});
  CHECK(words_of("1 = 1 := rfl", "1 = 1 := by rfl") == ToldWords{"reproved example : 1 = 1"});
  // Another definition of the same type is not the same one under another name.
  CHECK(words_of("def two : Nat := 2", "def drei : Nat := 3") == ToldWords{"removed A.two", "added A.drei"});
  CHECK(told(made_of(kDeclared, with_text("  rfl", "  exact rfl"))) == ToldWords{"reproved A.one"});
}

TEST_CASE("what is restated says both statements", "[source_changes]") {
  const SourceChanges changes = made_of(kDeclared, with_text("n = n", "n + 0 = n"));
  REQUIRE(changes.declarations.size() == 1);
  CHECK(changes.declarations[0].statement_before == "(n : Nat) : n = n");
  CHECK(changes.declarations[0].statement_after == "(n : Nat) : n + 0 = n");
  CHECK(changes.declarations[0].line == 4);
}

TEST_CASE("what moves to another file, and what else happens to it there", "[source_changes]") {
  const std::string one = "theorem one : 1 = 1 := rfl\n", two = "theorem two : 2 = 2 := rfl\n";
  CHECK(told(made_of({{"A.lean", one + two}, {"B.lean", ""}}, {{"A.lean", two}, {"B.lean", one}})) ==
        ToldWords{"moved one from A.lean"});
  CHECK(told(made_of({{"A.lean", one}}, {{"B.lean", "theorem one : 1 = 1 := sorry\n"}})) ==
        ToldWords{"reproved one from A.lean"});
  CHECK(told(made_of({{"A.lean", one}}, {{"B.lean", "theorem uno : 1 = 1 := rfl\n"}})) ==
        ToldWords{"renamed uno was one from A.lean"});
  // A private name means another thing in each file.
  CHECK(told(made_of({{"A.lean", "private theorem a : 1 = 1 := rfl\n"}},
                     {{"B.lean", "private theorem a : 2 = 2 := rfl\n"}})) ==
        ToldWords{"removed a", "added a"});
}

TEST_CASE("sorries are counted where they are, and new ones are told", "[source_changes]") {
  const SourceChanges in = made_of(kDeclared, with_text("  rfl", "  sorry"));
  CHECK(in.sorries_before == 0);
  CHECK(in.sorries_after == 1);
  REQUIRE(in.new_sorries.size() == 1);
  CHECK(in.new_sorries[0].name == "A.one");
  const SourceChanges out = made_of(with_text("  rfl", "  admit"), kDeclared);
  CHECK(out.sorries_before == 1);
  CHECK(out.new_sorries.empty());
  // One more in the same place, and one for another.
  CHECK(made_of("theorem a : p ∧ q := ⟨sorry, h⟩\n", "theorem a : p ∧ q := ⟨sorry, sorry⟩\n")
            .new_sorries.size() == 1);
  CHECK(
      made_of("theorem a : p := sorry\ntheorem b : q := h\n", "theorem a : p := h\ntheorem b : q := sorry\n")
          .new_sorries.size() == 1);
  CHECK(made_of("theorem a : p := sorry\n", "theorem b : p := sorry\n").new_sorries.empty());
  CHECK(made_of("", "example : 1 = 2 := sorry\n").new_sorries.size() == 1);
  CHECK(made_of("", "theorem a : p := Lean.sorryAx _ true\n").new_sorries.size() == 1);
  CHECK(made_of("", "def a := s!\"{(sorry : Nat)}\"\n").new_sorries.size() == 1);
  CHECK(made_of("", "def a := \"sorry\" -- sorry\ndef b := sorry'\n").new_sorries.empty());
}

TEST_CASE("a sorry outside of declarations is told, too", "[source_changes]") {
  const SourceChanges changes = made_of("", "macro \"done!\" : tactic => `(tactic| sorry)\n");
  REQUIRE(changes.new_sorries.size() == 1);
  CHECK(changes.new_sorries[0].name.empty());
  CHECK(commands_of(changes) == ToldWords{"+ macro \"done!\" : tactic => ` ( tactic | sorry )"});
}

TEST_CASE("new axioms, and axioms that state something else", "[source_changes]") {
  const std::string axiom = "axiom a : 1 = 1\n";
  CHECK(made_of("", axiom).new_axioms.size() == 1);
  CHECK(commands_of(made_of("", axiom)) == ToldWords{"+ axiom a : 1 = 1"});
  CHECK(made_of(axiom, "axiom a : 1 = 2\n").new_axioms.size() == 1);
  CHECK(made_of("theorem a : 1 = 1 := rfl\n", axiom).new_axioms.size() == 1);
  CHECK(made_of(axiom, "").new_axioms.empty());
  CHECK(made_of(axiom, "").axioms_before == 1);
  CHECK(made_of({{"A.lean", axiom}}, {{"B.lean", axiom}}).new_axioms.empty());
  // Where no declaration seems to begin.
  CHECK(made_of("", "theorem b : 1 = 1 := rfl axiom c : False\n").new_axioms.size() == 1);
  CHECK(made_of("", "macro \"m\" : command => `(axiom c : False)\n").new_axioms.size() == 1);
}

TEST_CASE("commands that can change what statements mean are told, wherever they are", "[source_changes]") {
  const auto words_of = [](const std::string& from, const std::string& to) {
    return commands_of(made_of(kDeclared, with_text(from, to)));
  };
  CHECK(words_of("def two", "open Nat\n\ndef two") == ToldWords{"+ open Nat"});
  CHECK(words_of("namespace A", "import B\nnamespace A") == ToldWords{"+ import B"});
  CHECK(words_of("  rfl\n", "  rfl\n  notation \"x\" => 1\n") == ToldWords{"+ notation \"x\" => 1"});
  CHECK(words_of("  rfl\n", "  rfl\n  set_option autoImplicit true\n") ==
        ToldWords{"+ set_option autoImplicit true"});
  CHECK(words_of("  rfl", "  native_decide") == ToldWords{"+ native_decide"});
  CHECK(words_of("def two", "@[implemented_by x] def two") == ToldWords{"+ implemented_by"});
  CHECK(words_of("def two", "my_own_command x\n\ndef two") == ToldWords{"+ my_own_command x"});
  CHECK(words_of("  x : Nat\n", "  x : Nat\nderiving instance Repr for B\n") ==
        ToldWords{"+ deriving instance Repr for B"});
  CHECK(words_of("def two", "section\nend\nnoncomputable section\nend\ndef two").empty());
  CHECK(commands_of(made_of("variable (n : Nat)\n", "variable (n : Int)\n")).size() == 2);
}

TEST_CASE("any text is read", "[source_changes]") {
  for (const std::string text : {"", "\xff\xfe theorem", "theorem", "def", "/-", "\"", "@[", "instance :=",
                                 "example", "theorem a", "alias ⟨a, b⟩ := c", "class inductive X"})
    CHECK(told(made_of(text, text)).empty());
}
