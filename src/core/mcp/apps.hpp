#pragma once
/// MCP Apps: finds out which clients show pages, and links tools to their pages.

#include "tool_registry.hpp"
#include <nlohmann/json.hpp>

namespace leanbridge::mcp {

/// Whether a client with these capabilities shows HTML pages. A client that omits `mimeTypes`, which the
/// extension requires, counts as one: there is no other type.
bool shows_apps(const nlohmann::json& client_capabilities);

/// Adds `_meta.ui.resourceUri` to the entries of tools/list whose answers a page shows.
void link_apps(nlohmann::json& listing, const ToolRegistry& tools);

}  // namespace leanbridge::mcp
