#pragma once
/// `project`, an argument of every tool that works in a project, where a server has several for clients that
/// name none when they connect: which one a call is about. Clients of the modern era mirror it in the
/// header Mcp-Param-Project, by which proxies find the replica that has the project (decision 22).

#include "tool.hpp"
#include <nlohmann/json.hpp>

#include <string>

namespace leanbridge::mcp {

/// Adds the argument to the input schemas of those tools in a `tools` list that take it. Entries that are not
/// of `tools` stay as they are.
void list_project_argument(nlohmann::json& listing, const std::vector<Tool>& tools);

/// Takes `project` out of the arguments of a call: a folder, or an empty text without one. InvalidArgument if
/// it is not an absolute path, or the tool works in no project.
Result<std::string> take_project(const Tool& tool, nlohmann::json& given);

/// Resolves relative paths among checked arguments against the folder, which is also the default of those
/// that name a project.
void resolve_in_project(const Tool& tool, const std::string& folder, nlohmann::json& arguments);

}  // namespace leanbridge::mcp
