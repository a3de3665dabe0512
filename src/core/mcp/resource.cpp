#include "resource.hpp"

#include "core/base/percent.hpp"

namespace leanbridge::mcp {

using nlohmann::json;

namespace {

constexpr std::string_view kVariable = "{path}";

std::optional<std::string> matched(const Resource& resource, std::string_view uri) {
  const std::string_view pattern = resource.uri;
  const std::size_t at = pattern.find(kVariable);
  if (at == std::string_view::npos) return uri == pattern ? std::optional<std::string>("") : std::nullopt;
  const std::string_view before = pattern.substr(0, at), after = pattern.substr(at + kVariable.size());
  if (uri.size() <= before.size() + after.size() || !uri.starts_with(before) || !uri.ends_with(after))
    return std::nullopt;
  return percent_decoded(uri.substr(before.size(), uri.size() - before.size() - after.size()));
}

}  // namespace

json describe(const Resource& resource) {
  return {{resource.is_template() ? "uriTemplate" : "uri", resource.uri},
          {"name", resource.name},
          {"title", resource.title},
          {"description", resource.description},
          {"mimeType", resource.mime_type}};
}

std::optional<NamedResource> find_resource(const std::vector<Resource>& resources, std::string_view uri) {
  for (const Resource& resource : resources)
    if (auto path = matched(resource, uri)) return NamedResource{&resource, std::move(*path)};
  return std::nullopt;
}

}  // namespace leanbridge::mcp
