#include "core/text/lines.hpp"

#include <catch2/catch.hpp>

using leanbridge::ErrorKind;
using leanbridge::text::replace_lines;
using leanbridge::text::shown_lines;

static std::string replaced(std::string_view content, int start, int end, std::string_view text) {
  const auto result = replace_lines(content, start, end, text, "A.lean");
  REQUIRE(result);
  return result->content;
}

TEST_CASE("replacing lines keeps everything else", "[line_replacement]") {
  CHECK(replaced("a\nb\nc\n", 2, 2, "x\ny") == "a\nx\ny\nc\n");
  CHECK(replaced("a\nb\nc\n", 2, 2, "x\ny\n") == "a\nx\ny\nc\n");
  CHECK(replaced("a\nb\nc\n", 1, 3, "x") == "x\n");
  CHECK(replaced("a\nb\nc\n", 2, 3, "") == "a\n");
  CHECK(replaced("a\nb\nc\n", 2, 2, "\n") == "a\n\nc\n");
}

TEST_CASE("an end before the start inserts", "[line_replacement]") {
  CHECK(replaced("a\nb\n", 1, 0, "x") == "x\na\nb\n");
  CHECK(replaced("a\nb\n", 2, 1, "x") == "a\nx\nb\n");
  CHECK(replaced("a\nb\n", 3, 2, "x") == "a\nb\nx\n");
  CHECK(replaced("a\nb", 3, 2, "x\n") == "a\nb\nx");
  CHECK(replaced("", 1, 0, "x") == "x");
  CHECK(replaced("", 1, 0, "x\n") == "x\n");
}

TEST_CASE("a missing final newline stays missing", "[line_replacement]") {
  CHECK(replaced("a\nb", 2, 2, "x\ny\n") == "a\nx\ny");
  CHECK(replaced("a\nb", 1, 1, "x\n") == "x\nb");
  CHECK(replaced("a\nb", 2, 2, "") == "a");
  CHECK(replaced("a\nb", 1, 2, "") == "");
}

TEST_CASE("new lines get the file's ending, old ones keep theirs", "[line_replacement]") {
  CHECK(replaced("a\r\nb\r\nc\r\n", 2, 2, "x\ny\n") == "a\r\nx\r\ny\r\nc\r\n");
  CHECK(replaced("a\nb\n", 2, 2, "x\r\ny") == "a\nx\ny\n");
  CHECK(replaced("a\r\nb", 2, 2, "x\ny\n") == "a\r\nx\r\ny");
  CHECK(replaced("a\r\nb\r\nc\n", 1, 1, "x\n") == "x\r\nb\r\nc\n");
  CHECK(replaced("a\nb\nc\r\n", 1, 1, "x\n") == "x\nb\nc\r\n");
}

TEST_CASE("the new lines are numbered", "[line_replacement]") {
  const auto result = replace_lines("a\nb\nc\n", 2, 3, "x\n", "A.lean");
  REQUIRE(result);
  CHECK(result->first_line == 2);
  CHECK(result->new_line_count == 1);
  CHECK(result->old_line_count == 2);
}

TEST_CASE("lines that there are not", "[line_replacement]") {
  for (const auto& [start, end] : {std::pair{0, 1}, {1, 3}, {4, 3}, {2, 0}, {3, 3}, {-1, -2}}) {
    const auto result = replace_lines("a\nb\n", start, end, "x", "A.lean");
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::InvalidArgument);
    CHECK(result.error().message.find("2 lines") != std::string::npos);
  }
}

TEST_CASE("what stands in the lines", "[line_replacement]") {
  CHECK(shown_lines("a\r\nb\nc", 1, 2) == "a\nb");
  CHECK(shown_lines("a\nb\nc\n", 3, 9) == "c");
  CHECK(shown_lines("a\n", 2, 1).empty());
  CHECK(shown_lines("", 1, 1).empty());
  const std::string shown = shown_lines(std::string(9000, 'x') + "\nb\n", 1, 2);
  CHECK(shown.size() < 4100);
  CHECK(shown.ends_with(" […]"));
  const auto beyond = replace_lines("a\nb\n", 7, 8, "x", "A.lean");
  REQUIRE_FALSE(beyond);
  CHECK(beyond.error().hint.ends_with("Line 2, the last one, is: b"));
}
