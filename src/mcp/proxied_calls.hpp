#pragma once
/// Calls of tools and prompts passed through to the ToolProvider.

#include "leanbridge/mcp/tool_registry.hpp"

#include "connection.hpp"
#include <nlohmann/json.hpp>

#include <memory>
#include <string>

namespace leanbridge::mcp {

/// Kept alive by its calls under way. Without a provider it knows nothing and must not be called.
class ProxiedCalls : public std::enable_shared_from_this<ProxiedCalls> {
 public:
  ProxiedCalls(std::shared_ptr<Connection> connection, ToolRegistry& tools);

  bool knows_tool(const std::string& name) const;
  bool knows_prompt(const std::string& name) const;

  /// `params` are those of the request and hold its progress token.
  void call_tool(Era era, const std::string& name, nlohmann::json arguments, const nlohmann::json& params,
                 rpc::Responder responder);
  void get_prompt(Era era, const std::string& name, const nlohmann::json& params, rpc::Responder responder);

 private:
  std::shared_ptr<ProxiedCall> begin(const nlohmann::json& params,
                                     const std::shared_ptr<rpc::Responder>& responder);
  /// Runs `work` and keeps this object alive meanwhile.
  void start(CallSlot slot, asio::awaitable<void> work);
  asio::awaitable<void> run_tool(Era era, std::string name, nlohmann::json arguments,
                                 std::shared_ptr<ProxiedCall> call,
                                 std::shared_ptr<rpc::Responder> responder);
  asio::awaitable<void> run_prompt(Era era, std::string name, nlohmann::json arguments,
                                   std::shared_ptr<ProxiedCall> call,
                                   std::shared_ptr<rpc::Responder> responder);

  std::shared_ptr<Connection> connection_;
  ToolProvider* provider_;  // may be null
  ToolRegistry& tools_;     // counts the calls
};

}  // namespace leanbridge::mcp
