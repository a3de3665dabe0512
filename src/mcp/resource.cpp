#include "leanbridge/mcp/resource.hpp"

namespace leanbridge::mcp {

using nlohmann::json;

namespace {

constexpr std::string_view kVariable = "{path}";

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    const int high = i + 1 < text.size() ? hex_value(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
    if (high < 0 || low < 0) return std::nullopt;
    decoded += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return decoded;
}

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
