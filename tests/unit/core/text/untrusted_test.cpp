#include "core/text/untrusted.hpp"

#include <catch2/catch.hpp>

using namespace leanbridge::text;
using nlohmann::json;

namespace {

// ESC, DEL, a C1 control, an override, a tag, a variation selector of plane 14, a zero-width space.
const std::vector<std::string> kHidden = {
    "\x1b", "\x7f", "\xc2\x85", "\xe2\x80\xae", "\xf3\xa0\x81\x81", "\xf3\xa0\x84\x80", "\xe2\x80\x8b"};

}  // namespace

TEST_CASE("What a terminal obeys or nobody sees is taken away", "[untrusted]") {
  for (const std::string& hidden : kHidden) {
    INFO(escaped(hidden));
    CHECK(cleaned("a" + hidden + "b") == "ab");
    CHECK(cleaned_line("a" + hidden + "b") == "ab");
    CHECK_FALSE(is_clean("a" + hidden + "b"));
    CHECK(is_clean(escaped("a" + hidden + "b")));
    CHECK(escaped(hidden).starts_with("\\u{"));
  }
  CHECK(cleaned("\x1b[31mred\x1b[0m") == "red");
  CHECK(cleaned("\xc2\x9b"
                "31mred") == "red");
  CHECK(cleaned(std::string("nul\0!", 5)) == "nul!");
}

TEST_CASE("What looks like nothing, or like a space, is made visible", "[untrusted]") {
  for (const char* const nothing :
       {"\u200d", "\u200c", "\u00ad", "\u034f", "\u2800", "\u3164", "\u00a0", "\u2003", "\ufe0f", "\uffa0"})
    CHECK_THAT(escaped(std::string("a") + nothing + "b"), Catch::Matchers::StartsWith("a\\u{"));
  CHECK(escaped("a\u200db") == "a\\u{200d}b");
  CHECK(escaped("λ «x₁» ‖x‖ — n\u0303") == "λ «x₁» ‖x‖ — n\u0303");
}

TEST_CASE("Everything else stays as it is", "[untrusted]") {
  for (const char* text : {"", "plain", "λ «x₁» 😀 👩\u200d🚀 ‖x‖ — n\u0303", "a\tb\nc"}) {
    CHECK(cleaned(text) == text);
    CHECK(cleaned(cleaned(text)) == text);
  }
  CHECK(is_clean("λ «x₁» 😀"));
  CHECK_FALSE(is_clean("a\nb"));
  CHECK(cleaned_line("a\tb\nc  ") == "a b c");
  CHECK(cleaned("\xff"
                "a") == "\uFFFDa");
  CHECK(cleaned("a\u2028b") == "a\nb");
  CHECK_FALSE(is_clean("\xff"));
  CHECK(escaped("a\x1b[2J\n\xe2\x80\xae") == "a\\u{1b}[2J\\u{a}\\u{202e}");
}

TEST_CASE("JSON is cleaned as far down as it goes, names of members too", "[untrusted]") {
  for (const std::string& hidden : kHidden) {
    const json dirty = {
        {"d" + hidden, "x" + hidden}, {"list", {{{"enum", {"a" + hidden, 1, nullptr}}}}}, {"n", 1.5}};
    const json clean = {{"d", "x"}, {"list", {{{"enum", {"a", 1, nullptr}}}}}, {"n", 1.5}};
    CHECK(cleaned_json(dirty) == clean);
  }
  CHECK(cleaned_json({{"a", 1}, {"a\x7f", 2}}) == json({{"a", 1}}));
}

TEST_CASE("A word of a command line is one word", "[untrusted]") {
  CHECK(shell_word("my-server_2.x") == "my-server_2.x");
  CHECK(shell_word("my server") == "'my server'");
  CHECK(shell_word("$(x)") == "'$(x)'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("").size() == 2);
}
