#include "core/document/document_state.hpp"
#include "core/tools/common/suggestions.hpp"
#include <catch2/catch.hpp>

#include <string>

namespace leanbridge::tools {
namespace {

const text::Text& two_proofs() {
  static const text::Text text(R"(import Init

/-- The first. -/
theorem one (p : Prop)
    (hp : p) : p := by
  exact hp

-- Between them.

def number : Nat := 3

example : number = 3 := by rfl
-- The end.
)");
  return text;
}

std::optional<std::string> hint_in(const text::Text& text, std::size_t offset) {
  document::DocumentState state;
  state.opened(text);
  return where_proof_begins(state, offset);
}

std::string hint_at(int line, int column = 1) {
  const auto offset = two_proofs().offset_of({line, column}, "Two.lean");
  REQUIRE(offset);
  return hint_in(two_proofs(), *offset).value_or("nothing");
}

}  // namespace

TEST_CASE("the proof of a declaration begins where its first tactic does", "[tools][suggestions]") {
  const std::string expected = "The proof of one begins at line 6, column 3.";
  CHECK(hint_at(3) == expected);  // the doc comment
  CHECK(hint_at(4) == expected);  // the statement
  CHECK(hint_at(5, 8) == expected);
  CHECK(hint_at(6, 11) == expected);  // the end of its last token
  CHECK(hint_at(12) == "The proof of the example begins at line 12, column 28.");
  CHECK(hint_at(10) == "There are no tactics in number: lean_term_goal shows what a term must be.");
}

TEST_CASE("between declarations, the proofs above and below may be meant", "[tools][suggestions]") {
  const std::string both =
      "The proof of one begins at line 6, column 3, that of the example at line 12, column 28.";
  CHECK(hint_at(7) == both);
  CHECK(hint_at(8, 5) == both);
  CHECK(hint_at(11) == both);  // what has no tactics is not meant
  CHECK(hint_at(1) == "The proof of one begins at line 6, column 3.");
  CHECK(hint_at(13, 4) == "The proof of the example begins at line 12, column 28.");
}

TEST_CASE("below an #exit there is no proof for Lean", "[tools][suggestions]") {
  const text::Text text("theorem a : True := by\n  trivial\n#exit\ntheorem b : True := by\n  trivial\n");
  CHECK(hint_in(text, text.str().rfind("trivial")) ==
        "Lean stops at #exit in line 3: nothing below it is checked.");
  CHECK(hint_in(text, 3) == "The proof of a begins at line 2, column 3.");
}

TEST_CASE("the hint is about the text as it is after an edit", "[tools][suggestions]") {
  document::DocumentState state;
  state.opened(two_proofs());
  const std::size_t end = two_proofs().size();
  REQUIRE(where_proof_begins(state, 0) == "The proof of one begins at line 6, column 3.");
  state.changed({.byte_start = 0, .byte_end = 0, .replacement = "theorem zero : True := by\n  trivial\n"});
  CHECK(where_proof_begins(state, 0) == "The proof of zero begins at line 2, column 3.");
  CHECK(where_proof_begins(state, end) == "The proof of the example begins at line 14, column 28.");
}

TEST_CASE("tactics of a command that declares nothing are no proof", "[tools][suggestions]") {
  const std::string check = "#check (by trivial : True)\n\n";
  const text::Text text("theorem a : True := by\n  trivial\n\n" + check + "-- x\n\n" + check +
                        "theorem b : True := by\n  trivial\n");
  CHECK(hint_in(text, text.str().find("-- x")) ==
        "The proof of a begins at line 2, column 3, that of b at line 11, column 3.");
}

TEST_CASE("a file without proofs has no hint", "[tools][suggestions]") {
  CHECK_FALSE(hint_in(text::Text("import Init\n"), 3));
  CHECK_FALSE(hint_in(text::Text("def a : Nat := 1\n\n-- x\n"), 20));
  CHECK_FALSE(hint_in(text::Text(""), 0));
}

}  // namespace leanbridge::tools
