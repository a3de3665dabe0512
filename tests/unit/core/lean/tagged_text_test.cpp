#include "core/lean/tagged_text.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace leanbridge::lean {

namespace {

using nlohmann::json;
using Pieces = std::vector<std::string>;

Pieces pieces_of(const char* tagged) {
  return text_pieces(json::parse(tagged));
}

// `depth` objects around a text.
json nested(const char* how, int depth) {
  json tagged = {{"text", "x"}};
  for (int i = 0; i < depth; ++i) {
    json outer;
    outer[how] = how == std::string("tag") ? json::array({nullptr, std::move(tagged)})
                                           : json::array({std::move(tagged)});
    tagged = std::move(outer);
  }
  return tagged;
}

}  // namespace

TEST_CASE("the text of a goal's type, without its tags", "[lean]") {
  const json type = json::parse(
      R"({"tag":[{"info":{"p":"1"},"subexprPos":"/"},{"append":[{"tag":[{"subexprPos":"/0"},{"text":"n"}]},)"
      R"({"text":" = "},{"tag":[{"subexprPos":"/1"},{"append":[{"text":"m"},{"text":" + 1"}]}]}]}]})");
  CHECK(plain_text(type) == "n = m + 1");
  CHECK(text_pieces(type) == Pieces{"n = m + 1"});
}

TEST_CASE("the pieces of a message: expressions and what stands between them", "[lean]") {
  CHECK(
      pieces_of(
          R"({"append":[{"tag":[{"expr":{"append":[{"text":"f"},{"tag":[{},{"text":" x"}]}]}},{"text":""}]},)"
          R"({"text":" : "},{"append":[{"text":"a"},{"tag":[{"expr":{"text":"Nat"}},{"text":"lost"}]}]}]})") ==
      Pieces{"f x", " : ", "a", "Nat"});
  // An expression inside another tag belongs to that tag's piece.
  CHECK(
      pieces_of(R"({"tag":[{"trace":1},{"append":[{"text":"[x] "},{"tag":[{"expr":{"text":"e"}},{}]}]}]})") ==
      Pieces{"[x] e"});
  CHECK(pieces_of(R"({"append":[{"text":""},{"tag":[null,{"text":""}]}]})") == Pieces{"", ""});
}

TEST_CASE("what is no tagged text has no text", "[lean]") {
  const auto other =
      GENERATE("null", "\"x\"", "[{\"text\":\"x\"}]", "{}", R"({"text":1})", R"({"append":{"text":"x"}})",
               R"({"append":[1,"x",null]})", R"({"tag":[{"text":"x"}]})", R"({"tag":{"text":"x"}})",
               R"({"tag":[1,2,{"text":"x"}]})", R"({"tag":[{"expr":1},{"text":"x"}]})");
  CHECK(plain_text(json::parse(other)).empty());
}

TEST_CASE("the depth of a tagged text is bounded", "[lean]") {
  const auto how = GENERATE("append", "tag");
  CHECK(plain_text(nested(how, 400)) == "x");
  CHECK(plain_text(nested(how, 401)).empty());
  CHECK(plain_text(nested(how, 5'000)).empty());
}

}  // namespace leanbridge::lean
