#pragma once
/// Resources: content that a client can read by URI and subscribe to. Like tools they are data.

#include "revision.hpp"
#include "tool.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::mcp {

/// Runs until its scope ends and calls the function after changes, as often as it likes.
using Watch = std::function<asio::awaitable<void>(io::CancelScope, std::function<void()>)>;

struct Resource {
  /// A URI, or a URI template with the single variable `{path}` (RFC 6570, simple expansion).
  std::string uri;
  std::string name;
  std::string title;
  std::string description;
  /// Returns the content as JSON. `path` is the decoded variable, or "" for a plain URI.
  std::function<asio::awaitable<Result<nlohmann::json>>(std::shared_ptr<Call>, std::string path)> read;
  /// Watches for changes; empty if the resource cannot be subscribed to. Errors as for `read`.
  std::function<Result<Watch>(const std::string& path)> watch;
  /// The type of the content: JSON, or a kind of text, which `read` returns as a JSON string.
  std::string mime_type = "application/json";

  bool is_template() const { return uri.find('{') != std::string::npos; }
  /// Whether it is a text that is part of the program.
  bool is_text() const { return mime_type.starts_with("text/"); }
  /// Whether it is a page of MCP Apps, which can always be read, but is listed only for clients that show
  /// such pages.
  bool is_app() const { return mime_type == kAppMimeType; }
};

/// The entry in resources/list or resources/templates/list.
nlohmann::json describe(const Resource& resource);

struct NamedResource {
  const Resource* resource = nullptr;
  std::string path;
};

/// The resource that a URI names. nullopt if no resource matches: another scheme, another shape, or a broken
/// escape. Slashes in the path may be escaped or not, because clients expand templates both ways.
std::optional<NamedResource> find_resource(const std::vector<Resource>& resources, std::string_view uri);

}  // namespace leanbridge::mcp
