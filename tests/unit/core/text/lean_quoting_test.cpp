#include "core/text/lean_quoting.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::tools {

namespace {

using namespace std::string_literals;

// "" if it is refused.
std::string name_of(const std::string& name) {
  return text::quote_name(name).value_or("");
}
std::string term_of(const std::string& expression) {
  return text::parenthesize_term(expression, 2).value_or("");
}

}  // namespace

TEST_CASE("a name is spelt as Lean reads it", "[text]") {
  CHECK(name_of("Nat.add_comm") == "Nat.add_comm");
  CHECK(name_of(" \n@Nat.add_comm\t") == "Nat.add_comm");
  CHECK(name_of("h₁'") == "h₁'");
  CHECK(name_of("α.Ω!") == "α.Ω!");
  CHECK(name_of("«two words».x") == "«two words».x");
  CHECK(name_of("«a.b».c") == "«a.b».c");
  CHECK(name_of("A.two words") == "A.«two words»");
  CHECK(name_of("A.😀") == "A.«😀»");
  CHECK(name_of("A.1") == "A.«1»");
}

TEST_CASE("a name that would be code is quoted", "[text]") {
  CHECK(name_of("end") == "«end»");
  CHECK(name_of("A.theorem.b") == "A.«theorem».b");
  CHECK(name_of("open") == "«open»");
  CHECK(name_of("init_quot") == "«init_quot»");
  CHECK(name_of("#eval 1") == "«#eval 1»");
  CHECK(name_of("a) #eval 1") == "«a) #eval 1»");
  CHECK(name_of("a -- b") == "«a -- b»");
  CHECK(name_of("/- a") == "«/- a»");
  CHECK(name_of("\"a") == "«\"a»");
  CHECK(name_of("a := by") == "«a := by»");
}

TEST_CASE("what can be no name is refused", "[text]") {
  const auto name =
      GENERATE("", " ", "@", ".", "a.", ".a", "a..b", "a\n#eval 1", "a\nend", "a\tb", "«a\nb»", "a\r", "«",
               "« #eval 1", "«a", "a.«b", "a»", "»", "«a»b", "««a»", "«a» #eval «b»", "a«b»", "«»");
  CAPTURE(name);
  CHECK(name_of(name).empty());
  CHECK(name_of("a\0b"s).empty());
  CHECK(name_of("\0"s).empty());
}

TEST_CASE("a name of invalid bytes stays between its guillemets", "[text]") {
  CHECK(name_of("\xFF") == "«\xFF»");
  CHECK(name_of("a.\xC2") == "a.«\xC2»");
}

TEST_CASE("a term stands between brackets, its further lines indented", "[text]") {
  CHECK(term_of("1 + 1") == "(1 + 1\n  )");
  CHECK(term_of("fun x =>\nx") == "(fun x =>\n  x\n  )");
  CHECK(term_of("x -- all of it") == "(x -- all of it\n  )");
}

TEST_CASE("where what is not terminated begins", "[text]") {
  const auto why = [](const char* term) { return text::parenthesize_term(term, 0).error().message; };
  CHECK_THAT(why("a + /- b"),
             Catch::Matchers::Contains("the comment that begins at column 5 is not terminated"));
  CHECK_THAT(why("α\n+ \"b"),
             Catch::Matchers::Contains("the string that begins at line 2, column 3 is not terminated"));
  CHECK_THAT(why("a.«b"), Catch::Matchers::Contains("the name that begins at column 1 is not terminated"));
}

TEST_CASE("terms with words, literals and comments of all kinds are taken", "[text]") {
  const auto term = GENERATE("h₁ «two words» x.1 a.b.c", "\"the end\"", "\"(\" ++ \"\\\"]\\n\\x41\\u03b1\"",
                             "r#\"a \" def\"#", "'a'", "('\"')", "'\\''", "'\\x41'", "['a', '\\\\', ' ']",
                             "s!\"{x} and {range.end}\"", "/- end /- ( -/ -/ x", "(/- the end -/ x)",
                             "f '' s_def", "f ⁻¹' s", "xs[i]'h_def", "xs[i]'h'", "xs[i]'(by simp)",
                             "{x // -1 < x}", "0xdef + 1e5 + 1.5", "#[1, 2]", "#v[1]", "open Nat in x",
                             "x.end", "¬h_def", "∑ i, f i", "⟨1, 'a'⟩", "🙂", "λ x => x", "by\tsimp");
  CAPTURE(term);
  CHECK_FALSE(term_of(term).empty());
}

TEST_CASE("a term that holds the first word of a command is refused", "[text]") {
  const auto term = GENERATE("1\n#eval 1", "1 #eval 1", "1\nend", "1 end", "x theorem y : True := trivial",
                             "1)\n#eval 1\n(1", "1\ndef x := 1", "@[simp] def x := 1", "private x", "#eval",
                             "1\ninclude h", "1\ninit_quot", "#", "1\r#eval 1", "1\t#eval 1", "x;end");
  CAPTURE(term);
  CHECK(term_of(term).empty());
  CHECK(term_of("1\0 #eval 1"s).empty());
  CHECK(term_of("\xFF\xC2 #eval 1").empty());
}

TEST_CASE("a term closes what it opens, and nothing else", "[text]") {
  const auto term =
      GENERATE("", " \n", "-- x", "/- x -/", "(", ")", "(]", "[1", "{x", "1)", "@[x", ") + (", "/- x", "/-",
               "/-/", "/- /- x -/", "/-- x -/ y", "/-! x -/ y", "/--/ x", "\"", "\"x", "\"x\\\"", "s!\"{",
               "r\"x", "r#\"x\"", "r##\"a\" #eval 1 \"#", "«", "« #eval 1", "x.«a", "«a\nb»");
  CAPTURE(term);
  CHECK(term_of(term).empty());
}

TEST_CASE("a command that only Lean would see is refused", "[text]") {
  const auto term =
      GENERATE("s!\"{ #eval 1 }\"", "panic! \"a { #eval 1 }\"", "m!\"{1.end}\"",    // holes in strings
               "\"\\q #eval 1\"", "\"a\\\n\n #eval 1\"", "'\\a\"b' \" #eval 1 \"",  // escapes
               "'\n'\"' \" #eval 1 --\"", "'ax theorem", "'axtheorem foo", "''' \" end \"",  // quotes
               "#[1][0]'1'\"' #eval 1 \"", "∑'\"' \" #eval 1 \"", "x //- #eval 1 -/",  // Lean's own tokens
               "a →rtheorem b", "1theorem foo : True := trivial", "x.1def", "0bend", "1_end");
  CAPTURE(term);
  CHECK(term_of(term).empty());
}

}  // namespace leanbridge::tools
