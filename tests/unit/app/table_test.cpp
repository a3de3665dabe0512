#include "app/commands/output.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::app {

TEST_CASE("one_line leaves out what a terminal would obey", "[app][table]") {
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

TEST_CASE("printable_line keeps the form of a text", "[app][table]") {
  CHECK(printable_line("  a\t b  ") == "  a\t b  ");
  CHECK(printable_line("a\x1b[2Jb\rc") == "abc");
}

TEST_CASE("Cells of a terminal", "[app][table]") {
  CHECK(cells_of("abc") == 3);
  CHECK(cells_of("∀ x₁") == 4);
  CHECK(cells_of("e\xcc\x81") == 1);  // with a combining accent
  CHECK(cells_of("名前") == 4);
  CHECK(cells_of("😀") == 2);
}

TEST_CASE("fitted fills or cuts to the cell", "[app][table]") {
  CHECK(fitted("ab", 4) == "ab  ");
  CHECK(fitted("abcd", 4) == "abcd");
  CHECK(fitted("abcde", 4) == "abc…");
  CHECK(fitted("名前が", 4) == "名… ");  // half of a wide character does not exist
  CHECK(fitted("abc", 1) == "…");
  CHECK(fitted("abc", 0).empty());
}

TEST_CASE("first_sentence", "[app][table]") {
  CHECK(first_sentence("Does this. And that.") == "Does this.");
  CHECK(first_sentence("Reads\nv1.2 files") == "Reads v1.2 files");
  CHECK(first_sentence("").empty());
}

TEST_CASE("A table is aligned for people, and tabbed for programs", "[app][table]") {
  Table table({{"NAME", 30}, {"WHAT", 0, true}, {"N"}});
  CHECK(table.empty());
  table.add({"😀", "a\tb", "1"});
  table.add({"long", "the rest of it", "22"}, "below\nit");
  CHECK(table.aligned(60) ==
        "NAME  WHAT            N\n"
        "😀    a b             1\n"
        "long  the rest of it  22\n"
        "    below it\n");
  CHECK(table.tabbed() == "😀\ta b\t1\nlong\tthe rest of it\t22\n");
}

TEST_CASE("A narrow terminal cuts the columns that may be cut", "[app][table]") {
  Table table({{"", 40}, {"", 0, true}, {""}});
  table.add({std::string(50, 'n'), std::string(50, 't'), "0.50"});
  CHECK(table.aligned(30) == std::string(11, 'n') + "…  " + std::string(11, 't') + "…  0.50\n");
  CHECK(table.tabbed() == std::string(50, 'n') + "\t" + std::string(50, 't') + "\t0.50\n");
}

}  // namespace leanbridge::app
