#include "core/text/statements.hpp"

#include <catch2/catch.hpp>

using namespace leanbridge::text;
using Changes = std::vector<StatementChange>;
using ChangeKind = StatementChange::Kind;

static const std::string kStated =
    "namespace A\n\ntheorem one (n : Nat) : n = n := by\n  sorry\n\nlemma two : 2 = 2 := rfl\n\n"
    "def three : Nat := 3\n\nend A\n";

static std::vector<std::string> described(const std::string& before, const std::string& after) {
  std::vector<std::string> all;
  for (const StatementChange& change : statement_changes(before, after)) all.push_back(describe(change));
  return all;
}

static std::string with(const std::string& from, const std::string& to) {
  std::string text = kStated;
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST_CASE("proofs, bodies, spaces, comments and new declarations change no statement", "[statements]") {
  CHECK(statement_changes(kStated, kStated).empty());
  CHECK(statement_changes(kStated, with("by\n  sorry", "rfl")).empty());
  CHECK(statement_changes(kStated, with("Nat := 3", "Nat := 4")).empty());
  CHECK(statement_changes(kStated, with("(n : Nat) : n = n", "(n:Nat) -- any\n    : n  =  n")).empty());
  CHECK(statement_changes(kStated, with("lemma two", "/-- Doc. -/ @[simp] theorem two")).empty());
  CHECK(statement_changes(kStated, with("def three", "theorem new : 1 = 1 := rfl\n\ndef three")).empty());
  CHECK(statement_changes("", kStated).empty());
  CHECK(statement_changes("example : 1 = 1 := rfl\n", "").empty());
}

TEST_CASE("what is lost or renamed", "[statements]") {
  CHECK(statement_changes(kStated, with("lemma two : 2 = 2 := rfl\n", "")) ==
        Changes{{ChangeKind::Lost, "A.two", "lemma", ""}});
  CHECK(statement_changes(kStated, with("def three : Nat := 3\n", "-- def three : Nat := 3\n")) ==
        Changes{{ChangeKind::Lost, "A.three", "def", ""}});
  CHECK(statement_changes(kStated, with("theorem one", "theorem uno")) ==
        Changes{{ChangeKind::Renamed, "A.one", "theorem", "A.uno"}});
  CHECK(statement_changes(kStated, with("namespace A", "namespace B")).size() == 3);
  CHECK(statement_changes("theorem a : p := x\ntheorem b : q := y\n",
                          "theorem b : q := y\ntheorem a : p := x\n")
            .empty());
}

TEST_CASE("another statement, and a theorem that is none", "[statements]") {
  CHECK(statement_changes(kStated, with("2 = 2", "2 = 1 + 1")) ==
        Changes{{ChangeKind::Changed, "A.two", ": 2 = 2", ": 2 = 1 + 1"}});
  CHECK(statement_changes(kStated, with("(n : Nat)", "{n : Nat}"))[0].kind == ChangeKind::Changed);
  CHECK(statement_changes(kStated, with("lemma two : 2 = 2 := rfl", "axiom two : 2 = 2")) ==
        Changes{{ChangeKind::Demoted, "A.two", "lemma", "axiom"}});
  const auto changed = statement_changes(kStated, with("(n : Nat) : n = n", "(n : Nat) -- any\n    : n=n+0"));
  REQUIRE(changed.size() == 1);
  CHECK(changed[0].before == "(n : Nat) : n = n");
  CHECK(changed[0].after == "(n : Nat) : n=n+0");
  CHECK(statement_changes("axiom a : p\n", "axiom a : q\n")[0].kind == ChangeKind::Changed);
  CHECK(statement_changes("axiom a : p\n", "theorem a : p := x\n").empty());
}

TEST_CASE("an axiom that is new, and a theorem that becomes private", "[statements]") {
  CHECK(statement_changes(kStated, with("def three", "axiom four : 1 = 2\n\ndef three")) ==
        Changes{{ChangeKind::Assumed, "A.four", "axiom", ""}});
  CHECK(statement_changes(kStated, with("lemma two", "@[simp] private lemma two")) ==
        Changes{{ChangeKind::Hidden, "A.two", "lemma", ""}});
  CHECK(statement_changes("private theorem a : p := x\n", "private theorem a : p := y\n").empty());
  CHECK(statement_changes(kStated, with("def three", "private def three")).empty());
}

TEST_CASE("a change in words", "[statements]") {
  CHECK(describe({ChangeKind::Assumed, "a", "axiom", ""}) == "assume the axiom a");
  CHECK(describe({ChangeKind::Hidden, "a", "lemma", ""}) == "make lemma a private");
  CHECK(describe({ChangeKind::Lost, "A.two", "lemma", ""}) == "delete lemma A.two");
  CHECK(describe({ChangeKind::Renamed, "A.one", "theorem", "A.uno"}) == "rename theorem A.one to A.uno");
  CHECK(describe({ChangeKind::Changed, "a", ": p", ": q"}) ==
        "change the statement of a from `: p` to `: q`");
  CHECK(describe({ChangeKind::Demoted, "a", "theorem", "axiom"}) == "make theorem a an axiom");
  const std::string large = "theorem a : " + std::string(1000, 'p') + " := x\n";
  CHECK(statement_changes(large, "theorem a : q := x\n")[0].before.size() < 500);
}

TEST_CASE("an axiom behind other code, and words that are other ones to Lean", "[statements]") {
  using Texts = std::vector<std::string>;
  const std::string goal = "theorem goal : P := q\n";
  for (const char* const number : {"1", "0b1", "0o7", "1.5", "⟨1, 2⟩"})
    CHECK(described(goal, "def z : Nat := " + std::string(number) + "axiom cheat : ∀ p : Prop, p\n" + goal) ==
          Texts{"assume the axiom behind other code"});
  CHECK(described(goal, "def z := dbg_trace \"{\"/-\"}\"; 1\naxiom cheat : p -- -/\n" + goal) ==
        Texts{"make it unclear where Lean's words begin and end, since what is in the braces of a string may "
              "be code"});
  CHECK(described("def z := 1_x\n" + goal, "def z := 1_x\n\n" + goal).empty());
}

TEST_CASE("a namespace begins wherever the word is", "[statements]") {
  const std::string goal = "theorem goal : P := q\n";
  for (const char* const opened :
       {"namespace A\n", "  namespace A\n", "theorem a : R := b namespace A\n", "\n /- -/ namespace A\n"})
    CHECK(described(goal, opened + goal) == std::vector<std::string>{"rename theorem goal to A.goal"});
  CHECK(described(goal, "macro \"x\" : command => `(command| namespace A)\n" + goal).empty());
}
