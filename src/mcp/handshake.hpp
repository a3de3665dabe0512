#pragma once
/// What client and server say of themselves: `initialize` and `ping` (legacy), `server/discover` (modern).

#include "connection.hpp"
#include <nlohmann/json.hpp>

#include <memory>

namespace leanbridge::mcp {

class Handshake {
 public:
  explicit Handshake(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}

  void initialize(Era era, const nlohmann::json& params, rpc::Responder responder);
  void discover(Era era, const nlohmann::json& params, rpc::Responder responder);
  void ping(Era era, const nlohmann::json& params, rpc::Responder responder);

 private:
  nlohmann::json capabilities(Era era) const;

  std::shared_ptr<Connection> connection_;
};

}  // namespace leanbridge::mcp
