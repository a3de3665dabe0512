#include "project_argument.hpp"

#include "core/base/json.hpp"
#include "session.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace leanbridge::mcp {

using nlohmann::json;

namespace {

constexpr const char* kDescription = "Folder of the Lean project; relative paths start there";
constexpr const char* kOtherPlaces = "corpus";  // the group of tools whose paths are not in a project
constexpr std::array<std::string_view, 3> kPaths = {"file_path", "verify_in", "challenge_file"};
constexpr std::string_view kListOfPaths = "files";
constexpr std::array<std::string_view, 2> kFolders = {"lean_project_path", "project_root"};

template <typename Names>
bool is_one_of(std::string_view name, const Names& names) {
  return std::ranges::find(names, name) != names.end();
}

bool is_place(std::string_view name) {
  return is_one_of(name, kPaths) || is_one_of(name, kFolders);
}

void resolve_path(const std::string& folder, json& value) {
  const auto& path = value.get_ref<const std::string&>();
  if (!path.empty() && path.front() != '/') value = folder + "/" + path;
}

// Also resolves members of objects (`goal_at.file_path`).
void resolve(const std::string& folder, json& arguments) {
  for (auto& [name, value] : arguments.items()) {
    if (value.is_object()) resolve(folder, value);
    if (value.is_string() && is_place(name)) resolve_path(folder, value);
    if (!value.is_array() || name != kListOfPaths) continue;
    for (json& each : value)
      if (each.is_string()) resolve_path(folder, each);
  }
}

bool works_in_project(const Tool& tool) {
  if (tool.group == kOtherPlaces) return false;
  const auto fields = wire::members_of(tool.arguments);
  return tool.caller_code ||
         std::ranges::any_of(fields, [](const wire::Field* field) { return is_place(field->name); });
}

}  // namespace

void list_project_argument(json& listing, const std::vector<Tool>& tools) {
  for (json& entry : listing) {
    const std::string name = text_member(entry, "name");
    const auto tool = std::ranges::find_if(tools, [&](const Tool& each) { return each.name == name; });
    if (tool != tools.end() && works_in_project(*tool))
      entry["inputSchema"]["properties"][kProjectArgument] = {
          {"type", "string"}, {"description", kDescription}, {"x-mcp-header", kProjectHeader}};
  }
}

Result<std::string> take_project(const Tool& tool, json& given) {
  const auto found = given.find(kProjectArgument);
  if (found == given.end()) return std::string();
  const json value = std::move(*found);
  given.erase(found);
  if (value.is_null()) return std::string();
  if (!works_in_project(tool))
    return fail(ErrorKind::InvalidArgument, tool.name + " works in no project.", "Leave out project.");
  if (!value.is_string() || !value.get_ref<const std::string&>().starts_with("/"))
    return fail(ErrorKind::InvalidArgument, tool.name + ": project must be an absolute path.",
                "Pass the folder that has the lakefile or lean-toolchain.");
  return value.get<std::string>();
}

void resolve_in_project(const Tool& tool, const std::string& folder, json& arguments) {
  resolve(folder, arguments);
  for (const wire::Field* field : wire::members_of(tool.arguments)) {
    const std::string name(field->name);
    if (is_one_of(name, kFolders) && text_member(arguments, name.c_str()).empty()) arguments[name] = folder;
  }
}

}  // namespace leanbridge::mcp
