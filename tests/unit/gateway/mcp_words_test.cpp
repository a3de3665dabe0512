#include "gateway/command/argument_words.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::app {

using nlohmann::json;

namespace {
const json kSchema = json::parse(R"({"type": "object", "properties": {
  "text": {"type": "string"}, "n": {"type": "number"}, "flag": {"type": "boolean"},
  "names": {"type": "array", "items": {"type": "string"}}, "sizes": {"type": "array", "items": {"type": "integer"}},
  "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}]}, "kind": {"enum": ["1", "2"]},
  "object": {"type": "object"}, "odd": true}})");
}

TEST_CASE("Words become the arguments that the schema means", "[app][words]") {
  const auto read = [](std::vector<std::string> words) {
    return arguments_from_words(kSchema, words).value();
  };
  CHECK(read({}) == json::object());
  CHECK(read({"text=1", "n=1.5", "flag=true"}) == json({{"text", "1"}, {"n", 1.5}, {"flag", true}}));
  CHECK(read({"text="}) == json({{"text", ""}}));
  CHECK(read({"text=a=b"}) == json({{"text", "a=b"}}));
  CHECK(read({"maybe=null", "kind=2"}) == json({{"maybe", "null"}, {"kind", "2"}}));
  CHECK(read({"names=1", "names=b"}) == json({{"names", {"1", "b"}}}));
  CHECK(read({"sizes=[1,2]", "sizes=3"}) == json({{"sizes", {1, 2, 3}}}));
  CHECK(read({R"(object={"a": 1})"}) == json({{"object", {{"a", 1}}}}));
  CHECK(read({"n=two"}) == json({{"n", "two"}}));  // for the server to refuse
  CHECK(read({"unknown=3", "odd=x"}) == json({{"unknown", 3}, {"odd", "x"}}));
  CHECK(read({R"({"text": "a", "n": 1})", "n=2"}) == json({{"text", "a"}, {"n", 2}}));
}

TEST_CASE("Words that are no arguments", "[app][words]") {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"text"}, {"=x"}, {"{"}, {"{]"}, {"[1]"}, {"text=a", "text=b"}}) {
    const auto read = arguments_from_words(kSchema, words);
    REQUIRE_FALSE(read);
    CHECK(read.error().kind == ErrorKind::InvalidArgument);
  }
  CHECK(arguments_from_words(json(), {"a=1"}).value() == json({{"a", 1}}));
}

}  // namespace leanbridge::app
