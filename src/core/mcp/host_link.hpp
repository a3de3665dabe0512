#pragma once
/// The client of a session, as other servers' requests reach it.

#include "connection.hpp"
#include "host.hpp"

#include <memory>

namespace leanbridge::mcp {

class HostLink : public Host {
 public:
  explicit HostLink(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}

  nlohmann::json capabilities() const override;
  asio::awaitable<HostAnswer> ask(std::string method, nlohmann::json params, io::CancelScope scope) override;

 private:
  std::shared_ptr<Connection> connection_;
};

}  // namespace leanbridge::mcp
