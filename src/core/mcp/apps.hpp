#pragma once
/// MCP Apps: which clients show pages, and what links tools to them.

#include "tool_registry.hpp"
#include <nlohmann/json.hpp>

namespace leanbridge::mcp {

/// Whether a client with these capabilities shows HTML pages. Without `mimeTypes`, which the extension
/// requires, it is taken to: there is no other type.
bool shows_apps(const nlohmann::json& client_capabilities);

/// Adds `_meta.ui.resourceUri` to the entries of tools/list whose answers a page shows.
void link_apps(nlohmann::json& listing, const ToolRegistry& tools);

}  // namespace leanbridge::mcp
