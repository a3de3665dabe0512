#include "mirrored_headers.hpp"

#include "core/base/ascii.hpp"
#include "core/base/json.hpp"
#include "core/mcp/revision.hpp"
#include "gateway/encoding/base64.hpp"

#include <charconv>

namespace leanbridge::streamable {

using nlohmann::json;

namespace {

constexpr std::string_view kPrefix = "=?base64?", kSuffix = "?=";
constexpr int kMaxDepth = 16;

bool is_sendable(std::string_view value) {
  for (const char c : value)
    if ((c < ' ' && c != '\t') || c > '~') return false;
  return true;
}

// Whether the header agrees with the value in the message.
bool says(const std::string& header, const json& value) {
  if (value.is_string()) return header == value.get_ref<const std::string&>();
  if (value.is_boolean()) return header == (value.get<bool>() ? "true" : "false");
  if (!value.is_number()) return false;
  double number = 0;
  const auto [end, error] = std::from_chars(header.data(), header.data() + header.size(), number);
  return error == std::errc() && end == header.data() + header.size() && number == value.get<double>();
}

std::optional<std::string> check(const http::IncomingRequest& head, const std::string& name,
                                 const json& value) {
  const auto field = head.field(lower_case(name));
  if (value.is_null() && !field) return std::nullopt;
  if (!field) return name + " is missing.";
  if (value.is_null()) return name + " is given, but the message has no such value.";
  if (!is_sendable(*field)) return name + " has characters that a header cannot have.";
  const auto said = decoded_value(*field);
  if (!said) return name + " is not valid base64.";
  if (!says(*said, value)) return name + " differs from the message.";
  return std::nullopt;
}

std::optional<std::string> check_arguments(const http::IncomingRequest& head, const json& schema,
                                           const json& arguments, int depth) {
  const json& properties = member(schema, "properties");
  if (depth > kMaxDepth || !properties.is_object()) return std::nullopt;
  for (const auto& [name, property] : properties.items()) {
    if (!property.is_object()) continue;
    const json& value = member(arguments, name);
    if (const std::string header = text_member(property, "x-mcp-header"); !header.empty())
      if (auto wrong = check(head, "Mcp-Param-" + header, value)) return wrong;
    if (auto wrong = check_arguments(head, property, value, depth + 1)) return wrong;
  }
  return std::nullopt;
}

// The parameter that Mcp-Name repeats.
const char* named_by(std::string_view method) {
  if (method == "tools/call" || method == "prompts/get") return "name";
  if (method == "resources/read") return "uri";
  if (method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel") return "taskId";
  return nullptr;
}

}  // namespace

std::optional<std::string> decoded_value(std::string_view value) {
  const bool is_encoded = value.size() >= kPrefix.size() + kSuffix.size() && value.starts_with(kPrefix) &&
                          value.ends_with(kSuffix);
  if (!is_encoded) return std::string(value);
  return from_base64(value.substr(kPrefix.size(), value.size() - kPrefix.size() - kSuffix.size()));
}

std::optional<std::string> header_mismatch(const http::IncomingRequest& head, const rpc::Request& message,
                                           const json& input_schema) {
  const json& version = member(member(message.params, "_meta"), mcp::kMetaProtocolVersion);
  const auto said = head.field("mcp-protocol-version");
  if (!said) return "MCP-Protocol-Version is missing.";
  if (version.is_string() && version.get_ref<const std::string&>() != *said)
    return "MCP-Protocol-Version differs from the message.";
  if (auto wrong = check(head, "Mcp-Method", message.method)) return wrong;
  const char* const named = named_by(message.method);
  if (!named) return std::nullopt;
  // A message without the name is refused for another reason.
  if (const json& name = member(message.params, named); name.is_string())
    if (auto wrong = check(head, "Mcp-Name", name)) return wrong;
  if (message.method != "tools/call" || !input_schema.is_object()) return std::nullopt;
  return check_arguments(head, input_schema, member(message.params, "arguments"), 0);
}

}  // namespace leanbridge::streamable
