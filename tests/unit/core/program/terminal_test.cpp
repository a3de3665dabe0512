// What is printed on a terminal: cells, wrapping, colours, the bar.

#include "core/terminal/terminal.hpp"

#include "core/terminal/cells.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::app {

using Lines = std::vector<std::string>;

TEST_CASE("one_line leaves out what a terminal would obey", "[app][terminal]") {
  CHECK(one_line("a\tb\r\nc") == "a b c");
  CHECK(one_line("\n\n a \n") == " a");
  CHECK(one_line("\x1b[31mred\x1b[0m") == "red");
  CHECK(one_line("\x1b]0;title\x07x") == "]0;title x");  // harmless without its ESC
  CHECK(one_line("\x1b[31") == "");
  CHECK(one_line("x\x7f\xc2\x9bm") == "x m");  // DEL, and CSI as one character
  CHECK(one_line("a\xe2\x80\xae"
                 "b\xe2\x81\xa6"
                 "c") == "abc");
  CHECK(one_line("\xff"
                 "x") == "\xef\xbf\xbdx");
  CHECK(one_line("λ «x₁» 😀") == "λ «x₁» 😀");
}

TEST_CASE("printable_line keeps the form of a text", "[app][terminal]") {
  CHECK(printable_line("  a\t b  ") == "  a\t b  ");
  CHECK(printable_line("a\x1b[2Jb\rc") == "abc");
}

TEST_CASE("Cells of a terminal", "[app][terminal]") {
  CHECK(cells_of("abc") == 3);
  CHECK(cells_of("∀ x₁") == 4);
  CHECK(cells_of("e\xcc\x81") == 1);  // with a combining accent
  CHECK(cells_of("名前") == 4);
  CHECK(cells_of("😀") == 2);
}

TEST_CASE("fitted fills or cuts to the cell", "[app][terminal]") {
  CHECK(fitted("ab", 4) == "ab  ");
  CHECK(fitted("abcd", 4) == "abcd");
  CHECK(fitted("abcde", 4) == "abc…");
  CHECK(fitted("名前が", 4) == "名… ");  // half of a wide character does not exist
  CHECK(fitted("abc", 1) == "…");
  CHECK(fitted("abc", 0).empty());
}

TEST_CASE("first_sentence", "[app][terminal]") {
  CHECK(first_sentence("Does this. And that.") == "Does this.");
  CHECK(first_sentence("Reads\nv1.2 files") == "Reads v1.2 files");
  CHECK(first_sentence("").empty());
}

TEST_CASE("wrapped breaks at spaces, and counts cells", "[app][terminal]") {
  CHECK(wrapped("one two three", 7) == Lines{"one two", "three"});
  CHECK(wrapped("∀ x₁ ∈ s", 4) == Lines{"∀ x₁", "∈ s"});
  CHECK(wrapped("名前 名前", 6) == Lines{"名前", "名前"});
  CHECK(wrapped("", 5) == Lines{""});
  CHECK(wrapped("a\n\nb", 5) == Lines{"a", "", "b"});
  CHECK(wrapped("  in it", 5) == Lines{"  in", "it"});
  CHECK(wrapped("one  two", 80) == Lines{"one two"});
}

TEST_CASE("wrapped breaks a long word between characters", "[app][terminal]") {
  CHECK(wrapped("abcdef", 4) == Lines{"abcd", "ef"});
  CHECK(wrapped("∀∃λ→", 3) == Lines{"∀∃λ", "→"});
  CHECK(wrapped("名前が", 3) == Lines{"名", "前", "が"});        // each takes two cells
  CHECK(wrapped("ae\xcc\x81z", 2) == Lines{"ae\xcc\x81", "z"});  // an accent stays with its letter
  CHECK(wrapped("a bcdefg", 3) == Lines{"a", "bcd", "efg"});
  for (std::size_t width = 0; width < 12; ++width)
    for (const std::string& line : wrapped("∀ (名前 : Nat), é😀 \xff λ«x₁»→∃", width)) {
      CHECK(cells_of(line) <= std::max<std::size_t>(width, 2));
      CHECK((line.find("\xef\xbf\xbd") != std::string::npos ||
             one_line(line).find("\xef\xbf\xbd") == std::string::npos));
    }
}

TEST_CASE("a block is indented, and its indent counts", "[app][terminal]") {
  CHECK(wrapped_block("one two", 6, 2) == "  one\n  two\n");
  CHECK(wrapped_block("a\n\nb", 6, 2) == "  a\n\n  b\n");
}

TEST_CASE("a bar takes the width there is", "[app][terminal]") {
  CHECK(bar_of({12, 48, "of it"}, 80) == "[######..................]  25 %  12/48  of it");
  CHECK(bar_of({12, 48, ""}, 80) == "[######..................]  25 %  12/48");
  CHECK(bar_of({48, 48, ""}, 80) == "[########################] 100 %  48/48");
  CHECK(bar_of({50, 48, ""}, 80) == "[########################] 100 %  48/48");
  CHECK(bar_of({0, 0, "reading"}, 80) == "reading");
  CHECK(bar_of({12, 48, "checking: 12 of 48", "checking"}, 80) ==
        "[######..................]  25 %  12/48  checking");
  CHECK(bar_of({0, 0, "checking: 12 lines", "checking"}, 80) == "checking: 12 lines");
  for (std::size_t width = 1; width < 60; ++width)
    CHECK(cells_of(bar_of({12, 48, "∀ 名前 and more than fits"}, width)) <= width);
  // The text goes before the bar does.
  CHECK(bar_of({12, 48, "a text that is long"}, 30) == "[##......]  25 %  12/48  a te…");
}

TEST_CASE("colours only where they are wanted", "[app][terminal]") {
  CHECK(Paint(false)(Style::Error, "no") == "no");
  CHECK(Paint(true)(Style::Error, "no") == "\x1b[1;31mno\x1b[0m");
  CHECK(Paint(true)(Style::Plain, "no") == "no");
  CHECK(Paint(true)(Style::Ok, "").empty());
}

}  // namespace leanbridge::app
