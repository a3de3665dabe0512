#include "core/mcp/prompt.hpp"

#include <catch2/catch.hpp>

using namespace leanbridge::mcp;
using leanbridge::ErrorKind;
using nlohmann::json;

TEST_CASE("the arguments of a prompt", "[mcp]") {
  const Prompt prompt{"prove", "Prove", "Proves.", {{"statement", "What"}, {"file", "Where", false}}, {}};
  const auto values = check_arguments(prompt, {{"statement", "1 = 1"}, {"file", ""}});
  REQUIRE(values);
  CHECK(*values == Prompt::Values{{"statement", "1 = 1"}});
  for (const json& wrong : {json(nullptr), json::object(), json{{"statement", ""}}, json{{"statement", 1}},
                            json{{"statement", "a"}, {"other", "b"}}, json::array({"a"}), json("a")}) {
    const auto refused = check_arguments(prompt, wrong);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::InvalidArgument);
  }
  const json listed = describe(prompt);
  CHECK(listed["arguments"][0]["required"] == true);
  CHECK(listed["arguments"][1]["required"] == false);
}
