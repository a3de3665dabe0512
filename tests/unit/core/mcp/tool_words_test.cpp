#include "core/mcp/tool.hpp"
#include <catch2/catch.hpp>

using namespace leanbridge::mcp;
using nlohmann::json;

namespace {
namespace wire = leanbridge::wire;

struct WordParams {
  std::string file_path;
  std::optional<int> line;
  std::optional<bool> deep;
  std::optional<std::vector<std::string>> snippets;

  static wire::Fields fields() {
    return {wire::field<&WordParams::file_path>("Which"), wire::field<&WordParams::line>("Where"),
            wire::field<&WordParams::deep>("How"), wire::field<&WordParams::snippets>("What")};
  }
};

struct ListedAnswer {
  wire::Nullable<std::vector<std::string>> goals;
  std::vector<WordParams> items;
  wire::Nullable<std::string> name;
  std::optional<wire::Nullable<std::string>> docstring;
  bool partial = false;
  json any;

  static wire::Fields fields() {
    return {wire::field<&ListedAnswer::goals>(),
            wire::field<&ListedAnswer::items>(),
            wire::field<&ListedAnswer::name>(),
            wire::field<&ListedAnswer::docstring>(),
            wire::field<&ListedAnswer::partial>().unlisted(),
            wire::field<&ListedAnswer::any>()};
  }
};

Tool described_tool() {
  Tool tool;
  tool.name = "t";
  tool.arguments = WordParams::fields();
  return tool;
}
json read_words(const std::vector<std::string>& words) {
  const auto given = arguments_from_words(described_tool(), words);
  return given ? *given : json(given.error().message);
}
}  // namespace

TEST_CASE("arguments from the words of a command line", "[mcp]") {
  CHECK(read_words({}) == json::object());
  CHECK(read_words({"file=A.lean", "line=3", "deep=true", "timeout_s=0.5"}) ==
        json({{"file_path", "A.lean"}, {"line", 3}, {"deep", true}, {"timeout_s", 0.5}}));
  CHECK(read_words({"file_path=12"}) ==
        json({{"file_path", "12"}}));  // valid JSON, but not of the argument's type
  CHECK(read_words({"file_path=\"a b\""}) == json({{"file_path", "a b"}}));
  CHECK(read_words({"file_path="}) == json({{"file_path", ""}}));
  CHECK(read_words({"file_path=a=b"}) == json({{"file_path", "a=b"}}));
  CHECK(read_words({"line=two"}) == json({{"line", "two"}}));  // for check_arguments() to refuse
  CHECK(read_words({"unknown=[1]"}) == json({{"unknown", json::array({1})}}));
  CHECK(read_words({R"(snippets=["simp","rfl"])"}) == json({{"snippets", {"simp", "rfl"}}}));
  CHECK(read_words({"snippets=simp [h]", "snippets=rfl"}) == json({{"snippets", {"simp [h]", "rfl"}}}));
}

TEST_CASE("a JSON object is all arguments, or some beside NAME=VALUE", "[mcp]") {
  CHECK(read_words({R"({"file_path": "A.lean", "line": 3})"}) ==
        json({{"file_path", "A.lean"}, {"line", 3}}));
  CHECK(read_words({"line=3", R"({"file_path": "{"})"}) == json({{"file_path", "{"}, {"line", 3}}));
  CHECK(read_words({"{}"}) == json::object());
}

TEST_CASE("words that are no arguments", "[mcp]") {
  for (const char* wrong : {"file_path", "", "=x", "--verbose", "{", "{\"line\": 1", "{} x"})
    CHECK_FALSE(arguments_from_words(described_tool(), {wrong}));
  CHECK_FALSE(arguments_from_words(described_tool(), {"line=1", "line=2"}));
  CHECK_FALSE(arguments_from_words(described_tool(), {"line=1", R"({"line": 2})"}));
  CHECK_FALSE(arguments_from_words(described_tool(), {"file=a", "file_path=b"}));
}

TEST_CASE("the listing shows what every answer has, outermost members only, and no array of types", "[mcp]") {
  Tool listed = described_tool();
  listed.output = ListedAnswer::fields();
  const json output = describe(listed)["outputSchema"]["properties"];
  const auto or_null = [](const char* type) {
    return json{{"anyOf", json::array({json{{"type", type}}, json{{"type", "null"}}})}};
  };
  CHECK(output["goals"] == or_null("array"));
  CHECK(output["items"] == json{{"type", "array"}});
  CHECK(output["name"] == or_null("string"));
  CHECK(output["any"] == json::object());
  CHECK_FALSE(output.contains("docstring"));  // may be absent, so the schema promises nothing
  CHECK_FALSE(output.contains("partial"));
  CHECK(describe(listed)["outputSchema"]["required"] == json({"goals", "items", "name", "any"}));
}
