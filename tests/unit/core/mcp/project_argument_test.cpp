// `project`: which tools take it, and what becomes of paths.

#include "core/mcp/project_argument.hpp"

#include "session_fixture.hpp"

namespace leanbridge::mcp {

using namespace test;
using nlohmann::json;

namespace {

struct GoalAt {
  std::string file_path;
  static wire::Fields fields() { return wire::fields<&GoalAt::file_path>(); }
};
struct FileParams {
  std::string file_path;
  std::optional<GoalAt> goal_at;
  static wire::Fields fields() { return wire::fields<&FileParams::file_path, &FileParams::goal_at>(); }
};
struct FolderParams {
  std::string project_root;
  static wire::Fields fields() { return {wire::field<&FolderParams::project_root>().with_default()}; }
};

Tool tool_with(const char* name, wire::Fields arguments, const char* group = "proof") {
  Tool tool;
  tool.name = name;
  tool.group = group;
  tool.arguments = std::move(arguments);
  return tool;
}

}  // namespace

TEST_CASE("tools that work in a project take `project`, and no others", "[mcp][project]") {
  Tool code = tool_with("code", {});
  code.caller_code = true;
  const std::vector<Tool> tools = {tool_with("file", FileParams::fields()),
                                   tool_with("folder", FolderParams::fields()), code,
                                   tool_with("paper", FileParams::fields(), "corpus"), tool_with("none", {})};
  json listing = json::array();
  for (const Tool& tool : tools) listing.push_back(describe(tool));
  listing.push_back({{"name", "another server's"}, {"inputSchema", {{"type", "object"}}}});
  list_project_argument(listing, tools);
  for (std::size_t i = 0; i < listing.size(); ++i) {
    const json properties = listing[i]["inputSchema"].value("properties", json::object());
    CHECK(properties.contains(kProjectArgument) == (i < 3));
    if (i < 3) CHECK(properties[kProjectArgument]["x-mcp-header"] == kProjectHeader);
  }
  for (std::size_t i = 0; i < tools.size(); ++i) {
    json given = {{"project", "/p"}};
    const auto taken = take_project(tools[i], given);
    CHECK(taken.has_value() == (i < 3));
    CHECK(given.empty());
  }
}

TEST_CASE("`project` is an absolute folder, or left out", "[mcp][project]") {
  const Tool tool = tool_with("file", FileParams::fields());
  json none = json::object(), null = {{"project", nullptr}};
  CHECK(take_project(tool, none).value().empty());
  CHECK(take_project(tool, null).value().empty());
  for (const json& wrong : {json("p"), json(""), json(7), json::array()}) {
    json given = {{"project", wrong}};
    CHECK(take_project(tool, given).error().kind == ErrorKind::InvalidArgument);
  }
}

TEST_CASE("relative paths start at `project`, which is also the default folder", "[mcp][project]") {
  json file = {{"file_path", "A.lean"}, {"goal_at", {{"file_path", "B/C.lean"}}}, {"line", 1}};
  resolve_in_project(tool_with("file", FileParams::fields()), "/p", file);
  CHECK(file == json{{"file_path", "/p/A.lean"}, {"goal_at", {{"file_path", "/p/B/C.lean"}}}, {"line", 1}});
  json absolute = {{"file_path", "/q/A.lean"}};
  resolve_in_project(tool_with("file", FileParams::fields()), "/p", absolute);
  CHECK(absolute["file_path"] == "/q/A.lean");
  for (json folder : {json::object(), json{{"project_root", ""}}}) {
    resolve_in_project(tool_with("folder", FolderParams::fields()), "/p", folder);
    CHECK(folder["project_root"] == "/p");
  }
}

}  // namespace leanbridge::mcp
