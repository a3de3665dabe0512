#pragma once
/// Resources: what a client may read by URI, and be told of when it changes. Data, as tools are.

#include "leanbridge/mcp/tool.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::mcp {

/// Runs until its scope ends; calls the function after changes, as often as it likes to.
using Watch = std::function<asio::awaitable<void>(io::CancelScope, std::function<void()>)>;

struct Resource {
  /// A URI, or a template of one with the single variable `{path}` (RFC 6570, simple expansion).
  std::string uri;
  std::string name;
  std::string title;
  std::string description;
  /// The content, as JSON. `path` is the decoded variable, empty where the URI has none.
  std::function<asio::awaitable<Result<nlohmann::json>>(std::shared_ptr<Call>, std::string path)> read;
  /// What tells of changes; empty: it cannot be subscribed to. Errors as those of `read`.
  std::function<Result<Watch>(const std::string& path)> watch;

  bool is_template() const { return uri.find('{') != std::string::npos; }
};

/// The resource as resources/list, or resources/templates/list, shows it.
nlohmann::json describe(const Resource& resource);

/// The resource that a URI names, and the path in it.
struct NamedResource {
  const Resource* resource = nullptr;
  std::string path;
};

/// nullopt where there is none: another scheme, another shape, a broken escape. In the path slashes may be
/// escaped or not, since clients expand templates in both ways.
std::optional<NamedResource> find_resource(const std::vector<Resource>& resources, std::string_view uri);

}  // namespace leanbridge::mcp
