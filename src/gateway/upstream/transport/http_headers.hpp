#pragma once
/// Headers of modern streamable HTTP that mirror a message (SEP-2243), by which intermediaries route.

#include "gateway/upstream/transport.hpp"
#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace leanbridge::upstream {

/// The text itself if it is safe in a header, otherwise `=?base64?...?=` of its UTF-8.
std::string header_value(const std::string& text);

/// The arguments that a tool's input schema asks to mirror (`x-mcp-header`). InvalidArgument if the
/// annotations are invalid: the tool must not be offered.
Result<std::vector<MirroredArgument>> mirrored_arguments(const nlohmann::json& input_schema);

/// `Mcp-Method`, `Mcp-Name` and `Mcp-Param-*` of one request.
std::vector<std::pair<std::string, std::string>> mirroring_headers(const nlohmann::json& message,
                                                                   const MirroredArguments& mirrored);

}  // namespace leanbridge::upstream
