#include "core/mcp/tool_result.hpp"
#include "core/text/utf8.hpp"
#include <catch2/catch.hpp>

using namespace leanbridge::mcp;
using nlohmann::json;

TEST_CASE("a text is cut in its middle, between characters", "[mcp][bounds]") {
  CHECK(cut_in_the_middle("short", 5) == "short");
  CHECK(cut_in_the_middle("0123456789", 4) == "01\n[… 6 bytes left out …]\n89");
  std::string emoji;
  for (int i = 0; i < 100; ++i) emoji += "😀";
  for (std::size_t limit = 0; limit < 30; ++limit) {
    const std::string cut = cut_in_the_middle(emoji, limit);
    CHECK_FALSE(leanbridge::text::first_invalid_byte(cut));
    CHECK(cut.size() <= limit + 40);
  }
}

TEST_CASE(
    "each text has a budget of characters: the beginning and the end stay, and it says how to get the rest",
    "[mcp][bounds]") {
  std::string emoji;
  for (int i = 0; i < 900; ++i) emoji += "😀";
  json answer = {
      {"goals", {"⊢ short", emoji + "⊢ end"}}, {"deep", {{"n", 1}, {"text", emoji}}}, {"exact", "abc"}};
  const json before = answer;
  cut_to_budget(answer, 0);
  CHECK(answer == before);
  cut_to_budget(answer, 905);
  CHECK(answer == before);
  cut_to_budget(answer, 300);
  CHECK(answer["goals"][0] == "⊢ short");
  CHECK(answer["exact"] == "abc");
  const auto cut = answer["goals"][1].get<std::string>();
  CHECK_FALSE(leanbridge::text::first_invalid_byte(cut));
  CHECK(cut.find("[… 605 characters left out; verbose: true shows them …]") != std::string::npos);
  CHECK(cut.substr(0, 800) == emoji.substr(0, 800));  // 200 characters of four bytes
  CHECK(cut.ends_with("⊢ end"));
  CHECK(answer["deep"]["text"].get<std::string>().find("600 characters left out") != std::string::npos);
}

TEST_CASE("a text that is hardly above the budget stays whole: the note would be longer", "[mcp][bounds]") {
  json answer = {{"text", std::string(320, 'x')}};
  const json before = answer;
  cut_to_budget(answer, 300);
  CHECK(answer == before);
}

TEST_CASE("an answer has a bound, whatever is in it", "[mcp][bounds]") {
  SECTION("small ones stay as they are") {
    json answer = {{"items", {{{"message", "x"}}}}, {"n", 3}};
    const json before = answer;
    bound_answer(answer);
    CHECK(answer == before);
  }
  SECTION("one long text") {
    json answer = {{"items", {{{"message", std::string(32 << 20, 'x')}}}}, {"version", 1}};
    bound_answer(answer);
    CHECK(answer.dump().size() < kMaxTextBytes + 200);
    CHECK(answer["items"][0]["message"].get<std::string>().find("bytes left out") != std::string::npos);
    CHECK_FALSE(answer.contains("cut_to_fit"));
  }
  SECTION("many texts that are not long") {
    json answer = {{"items", json::array()}};
    for (int i = 0; i < 100; ++i) answer["items"].push_back({{"message", std::string(200'000, 'x')}});
    bound_answer(answer);
    CHECK(answer.dump().size() <= kMaxAnswerBytes);
    CHECK(answer["items"].size() == 100);
  }
  SECTION("many items") {
    json answer = {{"names", json::array()}, {"lines", {1, 2}}};
    for (int i = 0; i < 100'000; ++i) answer["names"].push_back(std::string(100, 'x'));
    bound_answer(answer);
    CHECK(answer.dump().size() <= kMaxAnswerBytes);
    CHECK(answer["names"].size() > 10'000);
    CHECK(answer["lines"].size() == 2);
    CHECK(answer["cut_to_fit"] == true);
  }
}
