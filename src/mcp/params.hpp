#pragma once
/// Members of a request's params that several methods read.

#include <nlohmann/json.hpp>

namespace leanbridge::mcp {

/// `_meta.progressToken`; null where there is none that is one.
nlohmann::json progress_token(const nlohmann::json& params);

}  // namespace leanbridge::mcp
