#include "core/terminal/table.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::app {

TEST_CASE("A table is aligned for people, and tabbed for programs", "[app][terminal]") {
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

TEST_CASE("A narrow terminal cuts the columns that may be cut", "[app][terminal]") {
  Table table({{"", 40}, {"", 0, true}, {""}});
  table.add({std::string(50, 'n'), std::string(50, 't'), "0.50"});
  CHECK(table.aligned(30) == std::string(11, 'n') + "…  " + std::string(11, 't') + "…  0.50\n");
  CHECK(table.tabbed() == std::string(50, 'n') + "\t" + std::string(50, 't') + "\t0.50\n");
}

TEST_CASE("A table in colours has the same cells", "[app][terminal]") {
  Table table({{"NAME", 0, false, Style::Name}, {"N"}});
  table.add({"ab", "1"});
  CHECK(table.aligned(60, Paint(true)) == "\x1b[1mNAME\x1b[0m  \x1b[1mN\x1b[0m\n\x1b[36mab\x1b[0m    1\n");
}

}  // namespace leanbridge::app
