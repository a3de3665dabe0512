#include "apps.hpp"

#include "connection.hpp"
#include "core/base/json.hpp"
#include "revision.hpp"

#include <algorithm>

namespace leanbridge::mcp {

using nlohmann::json;

bool shows_apps(const json& client_capabilities) {
  const json settings = declared_extension(client_capabilities, kAppsExtension);
  if (!settings.is_object()) return false;
  const auto types = settings.find("mimeTypes");
  if (types == settings.end()) return true;
  return types->is_array() && std::ranges::find(*types, kAppMimeType) != types->end();
}

void link_apps(json& listing, const ToolRegistry& tools) {
  for (json& entry : listing)
    if (const Tool* tool = tools.find(text_member(entry, "name")); tool && !tool->app.empty())
      entry["_meta"]["ui"]["resourceUri"] = tool->app;
}

}  // namespace leanbridge::mcp
