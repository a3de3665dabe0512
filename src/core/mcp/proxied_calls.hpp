#pragma once
/// Calls of tools, prompts, resources and completions passed through to the ToolProvider.

#include "connection.hpp"
#include "tool_registry.hpp"
#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <string>

namespace leanbridge::mcp {

/// Runs proxied calls, which keep it alive. Without a provider it knows no names and must not be called.
class ProxiedCalls : public std::enable_shared_from_this<ProxiedCalls> {
 public:
  ProxiedCalls(std::shared_ptr<Connection> connection, ToolRegistry& tools);

  /// The provider's answer to a question such as &ToolProvider::knows_tool; false without a provider.
  template <class Thing>
  bool provider_says(bool (ToolProvider::*asked)(const Thing&) const, const Thing& thing) const {
    return provider_ && (provider_->*asked)(thing);
  }

  /// `params` are the request's, which hold its progress token.
  void call_tool(Era era, const std::string& name, nlohmann::json arguments, const nlohmann::json& params,
                 rpc::Responder responder);
  void get_prompt(Era era, const std::string& name, const nlohmann::json& params, rpc::Responder responder);
  void read_resource(Era era, const std::string& uri, const nlohmann::json& params, rpc::Responder responder);
  void complete(Era era, const nlohmann::json& params, rpc::Responder responder);

 private:
  /// A request for which every failure is a protocol error.
  using Work = std::function<asio::awaitable<ProxiedResult>(std::shared_ptr<ProxiedCall>)>;

  std::shared_ptr<ProxiedCall> begin(Era era, const nlohmann::json& params,
                                     const std::shared_ptr<rpc::Responder>& responder);
  void start_request(Era era, const nlohmann::json& params, rpc::Responder responder, int refused_code,
                     Work work);
  /// Runs `work` and keeps this object alive meanwhile.
  void start(CallSlot slot, asio::awaitable<void> work);
  asio::awaitable<void> run_tool(Era era, std::string name, nlohmann::json arguments,
                                 std::shared_ptr<ProxiedCall> call,
                                 std::shared_ptr<rpc::Responder> responder);
  asio::awaitable<void> run_request(Era era, Work work, int refused_code, std::shared_ptr<ProxiedCall> call,
                                    std::shared_ptr<rpc::Responder> responder);

  std::shared_ptr<Connection> connection_;
  ToolProvider* provider_;  // may be null
  ToolRegistry& tools_;     // counts the calls, too
};

}  // namespace leanbridge::mcp
