#pragma once
/// Members of a request's params that several methods read, and the error for params that are wrong.

#include "leanbridge/rpc/message.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace leanbridge::mcp {

/// `_meta.progressToken`; null where there is none that is one. `params` is an object.
nlohmann::json progress_token(const nlohmann::json& params);

rpc::RpcError invalid_params(std::string message);

}  // namespace leanbridge::mcp
