#pragma once
/// The result of `tools/call`: the one place where an answer or an Error becomes the JSON that a client sees.

#include "leanbridge/base/error.hpp"

#include <nlohmann/json.hpp>

namespace leanbridge::mcp {

/// `structuredContent`, and the same as compact JSON text: hosts differ in which of the two the model sees.
nlohmann::json to_tool_result(const nlohmann::json& answer);

/// `isError: true` and the text `{"error":{"kind","message","hint"}}`.
nlohmann::json to_tool_error(const Error& error);

}  // namespace leanbridge::mcp
