// Reading items: every form, and every way to be invalid.

#include "check/batch/item.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <vector>

namespace leanbridge::batch {

namespace {

std::string why_bad(std::string_view line) {
  const auto item = read_item(line, "a.jsonl:3");
  return item ? "" : item.error().why;
}

std::vector<std::string> lines_in(LineReader& reader, std::string_view bytes, std::size_t step) {
  std::vector<std::string> found;
  const auto drain = [&] {
    while (const auto line = reader.next())
      found.push_back(std::to_string(line->number) + (line->too_long ? " too long" : ":" + line->text));
  };
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    reader.feed(bytes.substr(at, step));
    drain();
  }
  reader.end();
  drain();
  return found;
}

}  // namespace

TEST_CASE("an item has code, or a header and a body", "[batch]") {
  const auto code = read_item(R"({"id": "a", "code": "theorem a : True := trivial"})", "f:1");
  REQUIRE(code);
  CHECK(code->id == "a");
  CHECK(code->text == "theorem a : True := trivial");
  CHECK(code->theorem.empty());
  CHECK_FALSE(code->timeout_s);
  const auto parts =
      read_item(R"({"id": 7, "header": "import Std", "body": "example := 1", "timeout_s": 2.5})", "f:1");
  REQUIRE(parts);
  CHECK(parts->id == "7");
  CHECK(parts->text == "import Std\nexample := 1");
  CHECK(parts->timeout_s == 2.5);
  CHECK(joined_text("import Std\n", "x") == "import Std\nx");
  CHECK(joined_text("", "x") == "x");
}

TEST_CASE("Kimina's names mean the same, null is absent, and other members are ignored", "[batch]") {
  const auto item = read_item(R"({"custom_id": "k", "proof": "x", "timeout_s": null, "extra": [1]})", "f:1");
  REQUIRE(item);
  CHECK(item->id == "k");
  CHECK(item->text == "x");
}

TEST_CASE("an item without an id is called by its place", "[batch]") {
  const auto item = read_item(R"({"code": "x"})", "proofs.jsonl:12");
  REQUIRE(item);
  CHECK(item->id == "proofs.jsonl:12");
}

TEST_CASE("a theorem and its statement", "[batch]") {
  const auto item = read_item(R"({"id": "a", "code": "x", "theorem": "A.b", "statement": "1 = 1"})", "f:1");
  REQUIRE(item);
  CHECK(item->theorem == "A.b");
  CHECK(item->statement == "1 = 1");
}

TEST_CASE("a line that is no item says why, and which it is as far as that is known", "[batch]") {
  CHECK(why_bad("nonsense") == "a.jsonl:3: the line is not JSON");
  CHECK(why_bad("[1]") == "a.jsonl:3: the line is not a JSON object");
  CHECK(why_bad(R"({"id": "a"})") == "a.jsonl:3: it has neither `code` nor `body`");
  CHECK(why_bad(R"({"id": "a", "code": "x", "body": "y"})") ==
        "a.jsonl:3: it has both `code` and `body`; pass one of them");
  CHECK(why_bad(R"({"id": "a", "code": 3})") == "a.jsonl:3: its Lean text is not a string");
  CHECK(why_bad(R"({"id": [], "code": "x"})") == "a.jsonl:3: its id is neither a string nor an integer");
  CHECK(why_bad(R"({"id": "a", "code": "x", "timeout_s": 0})") ==
        "a.jsonl:3: `timeout_s` is not a number of seconds above 0");
  CHECK(why_bad(R"({"id": "a", "code": "x", "timeout_s": "60"})") ==
        "a.jsonl:3: `timeout_s` is not a number of seconds above 0");
  CHECK(why_bad(R"({"id": "a", "code": "x", "theorem": "a b"})") ==
        "a.jsonl:3: `theorem` is not a valid name");
  CHECK(why_bad(R"({"id": "a", "code": "x", "statement": "1 = 1"})") ==
        "a.jsonl:3: `statement` needs `theorem`, the name of its proof");
  CHECK(why_bad(R"({"id": "a", "code": "x", "theorem": "a", "statement": "True) theorem b : (True"})")
            .starts_with("a.jsonl:3: `statement` is not one term"));
  const auto named = read_item(R"({"id": "a"})", "f:1");
  REQUIRE_FALSE(named);
  CHECK(named.error().id == "a");
  const auto unnamed = read_item("{", "f:1");
  REQUIRE_FALSE(unnamed);
  CHECK(unnamed.error().id == "f:1");
}

TEST_CASE("the items of one call have distinct ids, and nothing that is ignored", "[batch]") {
  const auto read = [](const char* list) { return read_candidates(nlohmann::json::parse(list)); };
  const auto why = [&](const char* list) {
    const auto items = read(list);
    return items ? "" : items.error().message;
  };
  const auto items = read(R"([{"code": "x"}, {"id": "b", "header": "import A", "body": "y"}])");
  REQUIRE(items);
  REQUIRE(items->size() == 2);
  CHECK(items->front().id == "items[0]");
  CHECK(items->back().text == "import A\ny");
  CHECK(why("[]") == "items has 0 candidates.");
  CHECK(read_candidates(nlohmann::json(std::vector<int>(65))).error().message == "items has 65 candidates.");
  CHECK(why(R"([{"code": "x"}, {"proof": "x"}])") == "items[1] has an unknown member 'proof'.");
  CHECK(why(R"([{"id": "a"}])") == "items[0]: it has neither `code` nor `body`.");
  CHECK(why(R"([{"id": "a", "code": "x"}, {"id": "a", "code": "y"}])") ==
        "items[1] has the id \"a\" of an earlier one.");
}

TEST_CASE("lines are numbered as an editor numbers them, however they arrive", "[batch]") {
  for (const std::size_t step : std::initializer_list<std::size_t>{1, 2, 3, 100}) {
    LineReader reader(10);
    CHECK(lines_in(reader, "one\r\n\n  \ntwo\n0123456789\n01234567890\nlast", step) ==
          std::vector<std::string>{"1:one", "4:two", "5:0123456789", "6 too long", "7:last"});
    CHECK(reader.ends_within_line());
  }
  LineReader whole;
  CHECK(lines_in(whole, "a\n", 1) == std::vector<std::string>{"1:a"});
  CHECK_FALSE(whole.ends_within_line());
}

TEST_CASE("of a line that is too long nothing is kept", "[batch]") {
  LineReader reader(10);
  std::size_t returned = 0;
  for (int i = 0; i < 1000; ++i) {
    reader.feed(std::string(100, 'x'));
    while (reader.next()) ++returned;
  }
  reader.feed("\nnext\n");
  const auto line = reader.next();
  REQUIRE(line);
  CHECK(returned == 1);
  CHECK(line->number == 2);
  CHECK(line->text == "next");
}

}  // namespace leanbridge::batch
