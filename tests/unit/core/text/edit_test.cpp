#include "core/text/edit.hpp"

#include "core/text/lines.hpp"
#include "core/text/utf8.hpp"
#include "random_text.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::text {

TEST_CASE("smallest_edit keeps the common prefix and suffix", "[text]") {
  struct Row {
    std::string_view before;
    std::string_view after;
    TextEdit edit;
  };
  const Row rows[] = {
      {"", "a", {0, 0, "a"}},
      {"a", "", {0, 1, ""}},
      {"one two three", "one 2 three", {4, 7, "2"}},
      {"aaa", "aaaa", {3, 3, "a"}},  // overlapping prefix and suffix
      {"abab", "ab", {2, 4, ""}},
      {"é", "è", {0, 2, "è"}},  // same first byte
      {"x∀", "xé∀", {1, 1, "é"}},
      {"\U0001F600", "\U0001F601", {0, 4, "\U0001F601"}},
      {"\u00A9", "\u0169", {0, 2, "\u0169"}},  // same last byte
      {"a\r\nb", "a\rb", {1, 3, "\r"}},        // never between `\r` and `\n`
      {"a\rb", "a\r\nb", {1, 2, "\r\n"}},
      {"a\nb", "a\r\nb", {1, 2, "\r\n"}},
      {"\r", "\r\n", {0, 1, "\r\n"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.before, row.after);
    CHECK(smallest_edit(row.before, row.after) == row.edit);
    CHECK(apply_edit(row.edit, row.before) == row.after);
  }
  CHECK(smallest_edit("same", "same") == std::nullopt);
  CHECK(smallest_edit("", "") == std::nullopt);
}

TEST_CASE("smallest_edit of long texts finds one changed character", "[text]") {
  std::string before;
  for (int i = 0; i < 50'000; ++i) before += "line of text\n";
  for (const std::size_t place :
       {std::size_t{0}, std::size_t{4095}, std::size_t{4096}, before.size() / 2, before.size() - 1}) {
    std::string after = before;
    after[place] = '#';
    CHECK(smallest_edit(before, after) == TextEdit{place, place + 1, "#"});
  }
}

TEST_CASE("smallest_edit turns any text into any other, at clean boundaries", "[text][property]") {
  test::RandomText random(7);
  const auto clean = [](std::string_view text, std::size_t offset) {
    if (offset == 0 || offset == text.size()) return true;
    return !is_continuation_byte(text[offset]) && !(text[offset] == '\n' && text[offset - 1] == '\r');
  };
  for (int round = 0; round < 5000; ++round) {
    const std::string head = random(10);
    const std::string tail = random(10);
    const std::string before = head + random(4) + tail;
    const std::string after = head + random(4) + tail;
    CAPTURE(before, after);
    const auto edit = smallest_edit(before, after);
    REQUIRE(edit.has_value() == (before != after));
    if (!edit) continue;
    REQUIRE(apply_edit(*edit, before) == after);
    REQUIRE(clean(before, edit->byte_start));
    REQUIRE(clean(before, edit->byte_end));
    REQUIRE(clean(after, edit->byte_start));
    REQUIRE(clean(after, edit->byte_start + edit->replacement.size()));
    REQUIRE_FALSE(first_invalid_byte(edit->replacement).has_value());
  }
}

TEST_CASE("split_by_lines keeps the lines that are in both texts", "[text]") {
  const auto kept = [](std::string_view before, std::string_view after) {
    std::string kept;
    std::size_t from = 0;
    const auto edit = smallest_edit(before, after);
    if (!edit) return std::string(before);
    for (const EditShape& shape : split_by_lines(*edit, before)) {
      kept += std::string(before.substr(from, shape.byte_start - from)) + '|';
      from = shape.byte_end;
    }
    return kept + std::string(before.substr(from));
  };
  CHECK(kept("a\nb\nc\n", "a\nB\nc\n") == "a\n|\nc\n");
  CHECK(kept("a1\nb\nc1\n", "a2\nb\nc2\n") == "a|\nb\nc|\n");
  CHECK(kept("a1\nb\nc1\n", "a2\n\nb\nc2") == "a|\nb\nc|");
  CHECK(kept("1\nb\nc\n2\n", "3\nc\nb\n4\n") == "|\nc\n|\n");              // one of two that changed places
  CHECK(kept("1\nx\nx\n2\n", "3\nx\n4\n") == "|\n");                       // which x it is, nobody knows
  CHECK(kept("1\nx\nb\nx\n2\n", "3\nx\nb\nx\n4\n") == "|\nx\nb\nx\n|\n");  // beside one that is known
  CHECK(kept("a\nb", "") == "|");
}

TEST_CASE("split_by_lines says the same change in parts", "[text][property]") {
  test::RandomText random(11);
  for (int round = 0; round < 2000; ++round) {
    const auto lines = [&] {
      std::string text;
      for (int i = 0; i < 6; ++i) text += random(1) + '\n';
      return text + random(2);
    };
    const std::string before = lines(), after = lines();
    CAPTURE(before, after);
    const auto edit = smallest_edit(before, after);
    if (!edit) continue;
    // What lies between the edits is the same in both texts.
    std::size_t old_from = 0, new_from = 0;
    for (const EditShape& shape : split_by_lines(*edit, before)) {
      REQUIRE(old_from <= shape.byte_start);
      REQUIRE(shape.byte_start <= shape.byte_end);
      REQUIRE(before.substr(old_from, shape.byte_start - old_from) ==
              after.substr(new_from, shape.byte_start - old_from));
      new_from += shape.byte_start - old_from + shape.new_size;
      old_from = shape.byte_end;
    }
    REQUIRE(before.substr(old_from) == after.substr(new_from));
  }
}

TEST_CASE("map_offset carries a place through an edit", "[text]") {
  const TextEdit edit{4, 7, "12345"};
  CHECK(map_offset(edit, 0) == 0);
  CHECK(map_offset(edit, 4) == 4);  // the start stays
  CHECK(map_offset(edit, 5) == 4);  // a place inside moves to the start
  CHECK(map_offset(edit, 7) == 9);  // the end moves
  CHECK(map_offset(edit, 10) == 12);
  const TextEdit insertion{4, 4, "ab"};
  CHECK(map_offset(insertion, 4) == 4);  // a place at an insertion stays before it
  CHECK(map_offset(insertion, 5) == 7);
}

TEST_CASE("a place outside the edit keeps the text around it", "[text][property]") {
  test::RandomText random(8);
  for (int round = 0; round < 500; ++round) {
    const std::string before = random(20);
    const std::size_t start = random.below(before.size() + 1);
    const TextEdit edit{start, start + random.below(before.size() - start + 1), random(5)};
    const std::string after = apply_edit(edit, before);
    for (std::size_t offset = 0; offset <= before.size(); ++offset) {
      const std::size_t mapped = map_offset(edit, offset);
      REQUIRE(mapped <= after.size());
      if (offset <= edit.byte_start) REQUIRE(after.substr(0, mapped) == before.substr(0, offset));
      if (offset >= edit.byte_end && offset > edit.byte_start)
        REQUIRE(after.substr(mapped) == before.substr(offset));
    }
  }
}

TEST_CASE("normalise_newlines turns CRLF into LF and remembers", "[text]") {
  const auto lf = normalise_newlines("a\nb\n");
  CHECK(lf.text == "a\nb\n");
  CHECK_FALSE(lf.had_crlf);
  CHECK(lf.had_lone_lf);
  const auto crlf = normalise_newlines("a\r\n\r\nb\r\n");
  CHECK(crlf.text == "a\n\nb\n");
  CHECK(crlf.had_crlf);
  CHECK_FALSE(crlf.had_lone_lf);
  const auto mixed = normalise_newlines("a\r\nb\nc\rd\r");
  CHECK(mixed.text == "a\nb\nc\rd\r");
  CHECK(mixed.had_crlf);
  CHECK(mixed.had_lone_lf);
  CHECK(normalise_newlines("a\r\r\nb").text == "a\r\nb");
}

TEST_CASE("a new version of a text has the line endings of the old one, even mixed ones") {
  CHECK(with_line_endings_of("x\r\n\r\ny", "x\n\ny") == "x\r\n\r\ny");
  CHECK(with_line_endings_of("a\nb\n", "a\nc\n") == "a\nc\n");
  CHECK(with_line_endings_of("a\r\nb\r\nc\n", "a\nx\ny\nc\n") == "a\r\nx\r\ny\r\nc\n");
  CHECK(with_line_endings_of("a\nb\r\nc\r\nd\n", "a\nc\nd\n") == "a\nc\r\nd\n");
  CHECK(with_line_endings_of("a\r\n\nb\r\n\nc\r\n", "x\n\ny\n\nc\n") == "x\r\n\ny\r\n\nc\r\n");
  CHECK(with_line_endings_of("a\n\r\nb\r\n\nc\n", "a\n\nnew\nb\nnew\n\nc\n") ==
        "a\n\r\nnew\nb\r\nnew\n\nc\n");
  CHECK(with_line_endings_of("a\n\r\nb\r\nc\r\n\nd\n", "a\n\nx\ny\nc\n\nd\n") == "a\n\r\nx\r\ny\nc\r\n\nd\n");
  CHECK(with_line_endings_of("a\r\r\nb\n", "a\r\nb\n") == "a\r\r\nb\n");
}

}  // namespace leanbridge::text
