#include "core/text/text.hpp"

#include "core/text/utf8.hpp"
#include "random_text.hpp"
#include <catch2/catch.hpp>

#include <limits>

namespace leanbridge::text {

TEST_CASE("lines are counted as a reader counts them", "[text]") {
  struct Row {
    std::string_view content;
    int line_count;
    std::size_t addressable;
  };
  const Row rows[] = {
      {"", 0, 1},   {"a", 1, 1},    {"a\n", 1, 2},        {"a\nb", 2, 2},       {"a\nb\n", 2, 3},
      {"\n", 1, 2}, {"\n\n", 2, 3}, {"a\r\nb\r\n", 2, 3}, {"a\rb\vc\fd", 1, 1}, {"a\u2028b\u0085c", 1, 1}};
  for (const Row& row : rows) {
    CAPTURE(row.content);
    const Text text{std::string(row.content)};
    CHECK(text.line_count() == row.line_count);
    CHECK(text.addressable_lines() == row.addressable);
  }
}

TEST_CASE("the content of a line has no line ending", "[text]") {
  const Text text("one\r\ntwo\nth\rree\r\n\r\nlast\r");
  CHECK(text.line(0) == "one");
  CHECK(text.line(1) == "two");
  CHECK(text.line(2) == "th\rree");
  CHECK(text.line(3).empty());
  CHECK(text.line(4) == "last\r");  // no `\n`: the `\r` is content
  CHECK(text.line(5).empty());
  CHECK(text.line_start(1) == 5);
  CHECK(text.line_end(0) == 3);
  CHECK(text.line_start(99) == text.size());
  CHECK(text.line_end(99) == text.size());
  CHECK(text.line_end(std::numeric_limits<std::size_t>::max()) == text.size());
  CHECK(text.line_at(0) == 0);
  CHECK(text.line_at(4) == 0);  // the `\n` is in the line it ends
  CHECK(text.line_at(5) == 1);
  CHECK(text.line_at(9999) == 4);
}

TEST_CASE("an agent's position becomes an offset and an LSP position", "[text]") {
  const Text text("def a\n  𝓝 x\n");
  CHECK(text.offset_of({1, 1}, "Foo.lean") == 0U);
  CHECK(text.offset_of({1, 6}, "Foo.lean") == 5U);  // one past the end
  CHECK(text.offset_of({2, 3}, "Foo.lean") == 8U);
  CHECK(text.offset_of({2, 4}, "Foo.lean") == 12U);
  CHECK(text.offset_of({3, 1}, "Foo.lean") == text.size());  // the empty place after the last `\n`
  CHECK(text.lsp_position_at(12) == LspPosition{1, 4});
  CHECK(text.offset_of({2, 6}, "Foo.lean").map([&](std::size_t at) { return text.lsp_position_at(at); }) ==
        LspPosition{1, 6});
  CHECK(text.offset_of({1, 4}, "F") == 3U);
  CHECK(Text("").offset_of({1, 1}, "Foo.lean") == 0U);
}

TEST_CASE("a position that does not exist is refused with the sizes", "[text]") {
  std::string ten;
  for (int i = 0; i < 10; ++i) ten += "ab∀\n";
  const Text text(ten);
  const auto message = [&](Position position) {
    return text.offset_of(position, "Foo.lean").error().message;
  };
  const Error past = text.offset_of({12, 1}, "Foo.lean").error();
  CHECK(past.kind == ErrorKind::InvalidArgument);
  CHECK(past.message == "Foo.lean has no line 12; it has 10 lines.");
  CHECK(past.hint == "Pass a line from 1 to 10; read the file again if it has changed.");
  CHECK(message({10, 5}) == "Line 10 of Foo.lean has no column 5; it has 3 characters.");
  CHECK(text.offset_of({10, 5}, "Foo.lean").error().hint ==
        "Pass a column from 1 to 4; columns count Unicode characters, and the last one is the end of the "
        "line.");
  CHECK(message({0, 1}) == "0 is not a line number.");
  CHECK(message({-5, 1}) == "-5 is not a line number.");
  CHECK(message({1, 0}) == "0 is not a column number.");
  CHECK_FALSE(text.offset_of({2147483647, 2147483647}, "Foo.lean").has_value());
  CHECK_FALSE(text.offset_of({1, 2147483647}, "Foo.lean").has_value());
  CHECK(Text("x").require_line(2, "A.lean").error().message == "A.lean has no line 2; it has 1 line.");
  CHECK(Text("").require_line(2, "A.lean").error().message == "A.lean has no line 2; it has 0 lines.");
  CHECK(text.require_line(11, "Foo.lean").has_value());
  CHECK_FALSE(Text("a\r\nb").offset_of({1, 3}, "A.lean").has_value());  // between `\r` and `\n`
}

TEST_CASE("positions that come from Lean are clamped", "[text]") {
  const Text text("a𝓝b\r\nlast");
  CHECK(text.offset_at({0, 2}) == 1);  // inside the surrogate pair
  CHECK(text.offset_at({0, 3}) == 5);
  CHECK(text.offset_at({0, 99}) == 6);  // the end of the content, before `\r\n`
  CHECK(text.offset_at({1, 99}) == text.size());
  CHECK(text.offset_at({9, 0}) == text.size());
  CHECK(text.position_at(LspPosition{0, 3}) == Position{1, 3});
  CHECK(text.position_at(LspPosition{7, 7}) == Position{2, 5});
  CHECK(text.position_at(std::size_t{3}) == Position{1, 2});  // inside a code point
  CHECK(text.position_at(std::size_t{7}) == Position{1, 4});  // between `\r` and `\n`
  CHECK(text.lsp_position_at(std::size_t{7}) == LspPosition{0, 4});
  CHECK(text.position_at(std::size_t{999}) == Position{2, 5});
  CHECK(text.lsp_range(1, 5) == LspRange{{0, 1}, {0, 3}});
}

TEST_CASE("first and last column of a line", "[text]") {
  const Text text("  \t∀x\n\n   \nab");
  CHECK(text.first_non_blank_column(1) == 4);
  CHECK(text.end_column(1) == 6);
  CHECK(text.first_non_blank_column(2) == 1);
  CHECK(text.first_non_blank_column(3) == 4);
  CHECK(text.end_column(4) == 3);
  CHECK(text.first_non_blank_column(9) == 1);
  CHECK(text.end_column(0) == 1);
}

TEST_CASE("every offset survives the round trip through both kinds of position", "[text][property]") {
  test::RandomText random(20);
  for (int round = 0; round < 300; ++round) {
    const Text text(random(40));
    CAPTURE(text.str());
    for (std::size_t offset = 0; offset <= text.size(); ++offset) {
      const bool inside = code_point_start(text.str(), offset) != offset;
      const bool in_crlf =
          offset > 0 && offset < text.size() && text.str()[offset] == '\n' && text.str()[offset - 1] == '\r';
      if (inside || in_crlf) continue;
      REQUIRE(text.offset_of(text.position_at(offset), "F") == offset);
      REQUIRE(text.offset_at(text.lsp_position_at(offset)) == offset);
    }
  }
}

TEST_CASE("an applied edit gives the lines of the new text", "[text][property]") {
  test::RandomText random(21);
  for (int round = 0; round < 2000; ++round) {
    Text text(random(30));
    const std::size_t start = random.below(text.size() + 1);
    const TextEdit edit{start, start + random.below(text.size() - start + 1), random(8)};
    const Text expected(apply_edit(edit, text.str()));
    text.apply(edit);
    REQUIRE(text == expected);
    REQUIRE(text.addressable_lines() == expected.addressable_lines());
    for (std::size_t i = 0; i < expected.addressable_lines(); ++i)
      REQUIRE(text.line_start(i) == expected.line_start(i));
  }
}

TEST_CASE("a text of 100000 lines", "[text]") {
  std::string content;
  for (int i = 0; i < 100'000; ++i) content += "  simp only [foo_bar, baz] at h ⊢\n";
  const Text text(std::move(content));
  CHECK(text.line_count() == 100'000);
  CHECK(text.position_at(text.line_start(99'999)) == Position{100'000, 1});
}

}  // namespace leanbridge::text
