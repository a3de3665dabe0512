#include "params.hpp"

namespace leanbridge::mcp {

using nlohmann::json;

json progress_token(const json& params) {
  if (!params.contains("_meta") || !params["_meta"].is_object()) return nullptr;
  const json token = params["_meta"].value("progressToken", json());
  return token.is_string() || token.is_number_integer() ? token : json();
}

rpc::RpcError invalid_params(std::string message) {
  return {rpc::kInvalidParams, std::move(message), nullptr};
}

}  // namespace leanbridge::mcp
