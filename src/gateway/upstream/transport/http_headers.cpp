#include "http_headers.hpp"

#include "core/base/ascii.hpp"
#include "gateway/encoding/base64.hpp"
#include "http/client.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace leanbridge::upstream {

using nlohmann::json;

namespace {

constexpr const char* kAnnotation = "x-mcp-header";
constexpr double kMaxSafeInteger = 9007199254740991.0;

bool has_annotation_inside(const json& value) {
  if (value.is_object() && value.contains(kAnnotation)) return true;
  return value.is_structured() && std::ranges::any_of(value, has_annotation_inside);
}

// Annotations are valid only along a chain of `properties`; anywhere else they invalidate the schema.
struct Scan {
  std::vector<MirroredArgument> found;
  std::set<std::string> names;
  std::string fault;

  void property(const json& schema, const std::vector<std::string>& path) {
    if (!schema.is_object()) return;
    if (schema.contains(kAnnotation)) annotated(schema, path);
    for (const auto& [key, value] : schema.items()) {
      if (key == "properties" && value.is_object()) {
        for (const auto& [name, inner] : value.items()) {
          std::vector<std::string> deeper = path;
          deeper.push_back(name);
          property(inner, deeper);
        }
      } else if (key != kAnnotation && key != "default" && key != "examples" && key != "const" &&
                 key != "enum" && has_annotation_inside(value)) {
        fault = "x-mcp-header is below '" + key + "', where it is not allowed";
      }
    }
  }

  void annotated(const json& schema, const std::vector<std::string>& path) {
    const json& name = schema[kAnnotation];
    const json type = schema.value("type", json());
    if (path.empty() || !name.is_string() || !http::is_token(name.get<std::string>()))
      fault = "x-mcp-header is not a valid header name";
    else if (type != "string" && type != "integer" && type != "boolean")
      fault = "x-mcp-header is on an argument that is not a string, integer or boolean";
    else if (!names.insert(lower_case(name.get<std::string>())).second)
      fault = "two arguments have the same x-mcp-header";
    else
      found.push_back({"Mcp-Param-" + name.get<std::string>(), path});
  }
};

std::optional<std::string> text_of(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer()) return value.dump();
  if (!value.is_number()) return std::nullopt;
  const double number = value.get<double>();
  const bool whole = std::floor(number) == number && std::abs(number) <= kMaxSafeInteger;
  return whole ? std::to_string(static_cast<std::int64_t>(number)) : value.dump();
}

}  // namespace

std::string header_value(const std::string& text) {
  const bool plain = std::ranges::all_of(text, [](char c) { return c >= 0x20 && c <= 0x7E; });
  const bool padded = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  const bool like_encoded = text.starts_with("=?base64?") && text.ends_with("?=");
  return plain && !padded && !like_encoded ? text : "=?base64?" + to_base64(text) + "?=";
}

Result<std::vector<MirroredArgument>> mirrored_arguments(const json& input_schema) {
  Scan scan;
  scan.property(input_schema, {});
  if (!scan.fault.empty()) return fail(ErrorKind::InvalidArgument, scan.fault);
  return std::move(scan.found);
}

std::vector<std::pair<std::string, std::string>> mirroring_headers(const json& message,
                                                                   const MirroredArguments& mirrored) {
  const std::string method = message.value("method", "");
  const json params = message.value("params", json::object());
  std::vector<std::pair<std::string, std::string>> headers = {{"Mcp-Method", header_value(method)}};
  const char* member = method == "resources/read"                          ? "uri"
                       : method == "tools/call" || method == "prompts/get" ? "name"
                                                                           : nullptr;
  if (!member || !params.is_object() || !params.contains(member) || !params[member].is_string())
    return headers;
  const std::string name = params[member].get<std::string>();
  headers.emplace_back("Mcp-Name", header_value(name));
  const auto found = mirrored.find(name);
  if (method != "tools/call" || found == mirrored.end()) return headers;
  for (const MirroredArgument& argument : found->second) {
    const json* value = params.contains("arguments") ? &params["arguments"] : nullptr;
    for (const std::string& step : argument.path)
      value = value && value->is_object() && value->contains(step) ? &(*value)[step] : nullptr;
    if (!value) continue;
    if (const auto text = text_of(*value)) headers.emplace_back(argument.header, header_value(*text));
  }
  return headers;
}

}  // namespace leanbridge::upstream
