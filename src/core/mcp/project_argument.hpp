#pragma once
/// `project`, an argument of every tool that works in a project. It tells which project a call is about if a
/// server has several, for clients that name none when they connect. Clients of the modern era mirror it in
/// the header Mcp-Param-Project, by which proxies find the replica that has the project (decision 22).

#include "tool.hpp"
#include <nlohmann/json.hpp>

#include <string>

namespace leanbridge::mcp {

/// Adds the argument to the input schemas of such tools in a `tools` list. Entries that are not in `tools`
/// stay as they are.
void list_project_argument(nlohmann::json& listing, const std::vector<Tool>& tools);

/// Takes `project` out of the arguments of a call: a folder, or "" if it is absent. InvalidArgument if it is
/// not an absolute path, or if the tool works in no project.
Result<std::string> take_project(const Tool& tool, nlohmann::json& given);

/// Resolves relative paths among checked arguments against the folder, which is also the default of arguments
/// that name a project.
void resolve_in_project(const Tool& tool, const std::string& folder, nlohmann::json& arguments);

}  // namespace leanbridge::mcp
