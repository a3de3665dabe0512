#include "core/text/lean_lexer.hpp"

#include "random_text.hpp"
#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace leanbridge::text {
namespace {

using Kind = LeanTokenKind;
using Tokens = std::vector<std::pair<Kind, std::string>>;

Tokens tokens(std::string_view source) {
  Tokens result;
  LeanLexer lexer(source);
  while (const auto token = lexer.next()) {
    result.emplace_back(token->kind, std::string(source.substr(token->begin, token->end - token->begin)));
  }
  return result;
}

std::vector<std::string> words(std::string_view source) {
  std::vector<std::string> result;
  for (auto& [kind, text] : tokens(source)) result.push_back(text);
  return result;
}

}  // namespace

TEST_CASE("comments nest and end", "[text]") {
  CHECK(tokens("a -- b\nc") == Tokens{{Kind::Word, "a"}, {Kind::LineComment, "-- b"}, {Kind::Word, "c"}});
  CHECK(tokens("/- a /- b -/ c -/ d") ==
        Tokens{{Kind::BlockComment, "/- a /- b -/ c -/"}, {Kind::Word, "d"}});
  CHECK(tokens("/-- doc -/ x") == Tokens{{Kind::DocComment, "/-- doc -/"}, {Kind::Word, "x"}});
  CHECK(tokens("/-! mod -/ x") == Tokens{{Kind::DocComment, "/-! mod -/"}, {Kind::Word, "x"}});
  CHECK(tokens("/--/ x") == Tokens{{Kind::BlockComment, "/--/"}, {Kind::Word, "x"}});
  CHECK(tokens("/- \"-/ x") == Tokens{{Kind::BlockComment, "/- \"-/"}, {Kind::Word, "x"}});
  CHECK(tokens("-- /- not open\nx") == Tokens{{Kind::LineComment, "-- /- not open"}, {Kind::Word, "x"}});
  CHECK(tokens("/- open /- twice -/") == Tokens{{Kind::BlockComment, "/- open /- twice -/"}});
}

TEST_CASE("strings of all kinds", "[text]") {
  CHECK(words(R"("a\"b" c)") == std::vector<std::string>{R"("a\"b")", "c"});
  CHECK(words(R"("a -- b /- c" d)") == std::vector<std::string>{R"("a -- b /- c")", "d"});
  CHECK(words(R"x(r"\" a)x") == std::vector<std::string>{R"(r"\")", "a"});
  CHECK(words(R"x(r##"a"# b"## c)x") == std::vector<std::string>{R"x(r##"a"# b"##)x", "c"});
  CHECK(words("r a") == std::vector<std::string>{"r", "a"});
  CHECK(words(R"(s!"a {f "}" {x}} b" c)") == std::vector<std::string>{"s!", R"("a {f "}" {x}} b")", "c"});
  CHECK(words(R"(m!"\{ {h.1} /- {'}'} " c)") ==
        std::vector<std::string>{"m!", R"("\{ {h.1} /- {'}'} ")", "c"});
  CHECK(words(R"("a { b" c)") == std::vector<std::string>{R"("a { b")", "c"});
  CHECK(words("\"open") == std::vector<std::string>{"\"open"});
  CHECK(words("\"open\\") == std::vector<std::string>{"\"open\\"});
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "s!\"{";
  CHECK_FALSE(tokens(deep).empty());  // recursion is bounded
}

TEST_CASE("primes in words are not character literals", "[text]") {
  CHECK(tokens("h' 'a' f'' '\\n' '\\'' '\\u03b1' '∀'") == Tokens{{Kind::Word, "h'"},
                                                                 {Kind::Char, "'a'"},
                                                                 {Kind::Word, "f''"},
                                                                 {Kind::Char, "'\\n'"},
                                                                 {Kind::Char, "'\\''"},
                                                                 {Kind::Char, "'\\u03b1'"},
                                                                 {Kind::Char, "'∀'"}});
  CHECK(words("'ab'") == std::vector<std::string>{"'", "ab'"});
  CHECK(words("'\"' x") == std::vector<std::string>{"'\"'", "x"});
}

TEST_CASE("words are Lean's identifiers", "[text]") {
  CHECK(words("Nat.add_comm x₁ α β' 𝓝 ℕ Café.x «a b».c _ h? simp!") ==
        std::vector<std::string>{"Nat.add_comm", "x₁", "α", "β'", "𝓝", "ℕ", "Café.x", "«a b».c", "_", "h?",
                                 "simp!"});
  CHECK(words("h.1 x.{u} λx Σn end.") ==
        std::vector<std::string>{"h", ".", "1", "x", ".", "{", "u", "}", "λ", "x", "Σ", "n", "end", "."});
  CHECK(words("#check #[1] Foo.«x") == std::vector<std::string>{"#check", "#", "[", "1", "]", "Foo.«x"});
}

TEST_CASE("numbers and symbols", "[text]") {
  CHECK(words("1.5e3 0xFF [1..5] 1_000") ==
        std::vector<std::string>{"1.5e3", "0xFF", "[", "1", "..", "5", "]", "1_000"});
  CHECK(words("a<;>b:=c=>d|>.e@[simp]∀x,¬y") == std::vector<std::string>{"a", "<;>", "b", ":=", "c", "=>",
                                                                         "d", "|>", ".", "e", "@[", "simp",
                                                                         "]", "∀", "x", ",", "¬", "y"});
}

TEST_CASE("a number ends with its digits", "[text]") {
  using W = std::vector<std::string>;
  CHECK(words("1axiom 0b1instance 0b12 0x1g 1sorry") ==
        W{"1", "axiom", "0b1", "instance", "0b1", "2", "0x1", "g", "1", "sorry"});
  CHECK(words("1. 1.) [1..2] x.1.2 x.1axiom 1e5 2.5E-3 (1, 2).2elab") ==
        W{"1.", "1.", ")",     "[",   "1",      "..", "2", "]", "x", ".", "1", ".", "2",   "x",
          ".",  "1",  "axiom", "1e5", "2.5E-3", "(",  "1", ",", "2", ")", ".", "2", "elab"});
  CHECK(words("⟨1, 2⟩elab xs[0]'h xs[0]'a' 5#w 0#8") == W{"⟨", "1",  ",", "2", "⟩",  "elab", "xs", "[",
                                                          "0", "]",  "'", "h", "xs", "[",    "0",  "]",
                                                          "'", "a'", "5", "#", "w",  "0",    "#",  "8"});
}

TEST_CASE("a command with # ends where its word does", "[text]") {
  CHECK(words("#evalx #exit.x #eval!\"a\" #check_failure #my_own") ==
        std::vector<std::string>{"#eval", "x", "#exit", ".", "x", "#eval!", "\"a\"", "#check_failure",
                                 "#my_own"});
}

TEST_CASE("where Lean may read other tokens, the lexer is in doubt", "[text]") {
  // What the parsers of libraries decide: interpolated strings, and tokens that are longer than ours.
  const std::string_view doubtful[] = {
      "dbg_trace \"{\"/-\"}\"", "throwError \"{\"a\"}\"", "#eval!\"{\"", "xs!\"{\"", "println! \"{\"a\"}\"",
      "\"\\{\"", "a <--b", "{x //-a-/ p}", "→raxiom", "∑'a'", "→r\"a\"", "#evalx", "/--/",

      // What is an error to Lean, behind which it goes on in the middle of a token.
      "\"\\q\"", "\"a", "/- a", "r#\"a\"", "«a", "'/- a -/", "'ab", "1_axiom", "0xg", "1eaxiom", "1.axiom",
      "a\tb", "a\rb", "a \xFF",
      // What the text itself makes a token.
      "notation \"x--\" => 1\n", "macro \"«\" : term => `(1)",
      "macro \"s!\" x:str : term => `(1)\ndef y := s!\"{\"", "infix:50 \"+/-\" => f"};
  for (const std::string_view text : doubtful) {
    CAPTURE(text);
    CHECK(find_doubt(text).has_value());
  }
  const std::string_view sure[] = {"s!\"{\"/-\"}\"",
                                   "m!\"{x}{\"}\"}\"",
                                   "f!\"{'}'}\"",
                                   "dbg_trace \"{x}\"",
                                   "throwError \"{x} is {y}\"",
                                   "\"a b {x.1}\"",
                                   "r\"{\\\"",
                                   "\"\\n\\\\ \\x41 \\u03b1 a\\\n  b\"",
                                   "f '' s",
                                   "∑' n, f n",
                                   "f ⁻¹' s",
                                   "xs[i]'h",
                                   "'a' '\\'' '\\x41'",
                                   "1axiom",
                                   "0b1instance",
                                   "⟨1, 2⟩elab",
                                   "x--a",
                                   "(/- a -/)",
                                   "x.1.2",
                                   "(x).foo_end",
                                   "#find",
                                   "5#w",
                                   "1. + .5",
                                   "``Lean.Parser.Command.end",
                                   "notation \"∑ \" => 1\ndef x := \"a-b https://c\"",
                                   "a\r\nb",
                                   "'\n'"};
  for (const std::string_view text : sure) {
    CAPTURE(text);
    const auto doubt = find_doubt(text);
    CHECK_FALSE(doubt.has_value());
  }
  const auto doubt = find_doubt("def a := 1\ndef b := 1_x\n");
  REQUIRE(doubt);
  CHECK(doubt->offset == 22);
  CHECK(doubt->why == "a number may be an error to Lean");
}

TEST_CASE("a digit that is written too long begins no number", "[text]") {
  const std::string_view source = "\xC0\xB5 x";
  LeanLexer lexer(source);
  const auto first = lexer.next();
  REQUIRE(first);
  CHECK(*first == LeanToken{Kind::Symbol, 0, 1});
}

TEST_CASE("any text is split into tokens and white space", "[text][property]") {
  test::RandomText random(9);
  for (int round = 0; round < 1000; ++round) {
    std::string source = random(30);
    for (std::size_t n = random.below(6); n > 0; --n) {
      static constexpr std::string_view kNasty[] = {"\"", "'",    "/-",   "-/", "--",   "\\",      "{",
                                                    "}",  "s!\"", "r#\"", "«",  "\xFF", "\xE2\x88"};
      source.insert(random.below(source.size() + 1), kNasty[random.below(std::size(kNasty))]);
    }
    LeanLexer lexer(source);
    std::size_t at = 0;
    while (const auto token = lexer.next()) {
      REQUIRE(token->begin < token->end);
      REQUIRE(token->end <= source.size());
      REQUIRE(source.substr(at, token->begin - at).find_first_not_of(" \t\r\n") == std::string::npos);
      at = token->end;
    }
    REQUIRE(source.find_first_not_of(" \t\r\n", at) == std::string::npos);
  }
}

TEST_CASE("places inside comments and literals are known", "[text]") {
  const std::string_view source = "a -- b\n\"c\" d";
  const std::vector<bool> expected{false, false, false, true,  true,  true, true,
                                   false, true,  true,  false, false, false};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(in_comment_or_literal(source, i) == expected[i]);
  }
}

}  // namespace leanbridge::text
