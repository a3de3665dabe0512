#include "core/mcp/skill.hpp"

#include "session_fixture.hpp"

namespace leanbridge::mcp {

using namespace mcp::test;

TEST_CASE("a skill is read, described, and refused where its frontmatter has another form", "[mcp]") {
  const std::string text = "---\nname: a-b\ndescription: \"Says: \\\"é\\\"\"\nlicense: MIT\n---\n\nDo it.\n";
  const auto skill = read_skill(text);
  REQUIRE(skill);
  CHECK(skill->uri() == "skill://a-b/SKILL.md");
  const json entry = describe(*skill);
  CHECK(entry["frontmatter"] == json({{"name", "a-b"}, {"description", "Says: \"é\""}, {"license", "MIT"}}));
  CHECK(entry["resources"][0]["size"] == text.size());
  CHECK(entry["resources"][0]["digest"] ==
        "sha256:4083ac7b8e9698213e5a090c0225e0063b7448bdfbd7ae91057be623d5b84164");
  for (const char* wrong :
       {"", "---", "---\nname: a\n", "---\nname: a\n---\n", "---\ndescription: a\n---\n",
        "---\nname: a\ndescription: \"open\n---\n", "---\nname: a\ndescription: b\ntools:\n  - c\n---\n",
        "---\nname: a\ndescription: b\n  more: c\n---\n", "x\n---\nname: a\ndescription: b\n---\n",
        "---\nname: a\n\ndescription: b\n---\n"})
    CHECK_FALSE(read_skill(wrong));
}

TEST_CASE_METHOD(SessionFixture, "without skills the extension is neither declared nor answered", "[mcp]") {
  request(0, "server/discover", modern());
  CHECK_FALSE(result()["capabilities"]["extensions"].contains(kSkillsExtension));
  request(1, "skills/list", modern());
  CHECK(error()["code"] == -32601);
  request(2, "skills/get", modern({{"uri", "skill://a/SKILL.md"}}));
  CHECK(error()["code"] == -32601);
}

}  // namespace leanbridge::mcp
