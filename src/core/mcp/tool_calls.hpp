#pragma once
/// Handles `tools/call`: from its parameters to its result, with progress on the way.

#include "connection.hpp"
#include "notifications.hpp"
#include "proxied_calls.hpp"
#include "task_store.hpp"
#include "tool_registry.hpp"
#include <nlohmann/json.hpp>

#include <functional>
#include <memory>

namespace leanbridge::mcp {

/// Kept alive by its calls under way.
class ToolCalls : public std::enable_shared_from_this<ToolCalls> {
 public:
  ToolCalls(std::shared_ptr<Connection> connection, ToolRegistry& tools, std::shared_ptr<ClientLog> log,
            std::shared_ptr<ProxiedCalls> proxied);

  /// tools/call, for our own tools and the provider's.
  void call(Era era, nlohmann::json params, rpc::Responder responder);

 private:
  struct CheckedCall {
    nlohmann::json arguments;  ///< checked
    std::string project;       ///< a folder, or empty
  };

  /// The party that waits for the answer: the request, until a task answers it.
  struct Asker {
    rpc::Responder request;
    std::uint64_t log_serial;  ///< the request's number in the log
    std::shared_ptr<Task> task = nullptr;
    std::function<void(const CallEnd&)> observe_end = nullptr;
  };

  /// Starts a call with checked arguments.
  void start(Era era, const Tool& tool, CheckedCall checked, const nlohmann::json& params, CallSlot slot,
             rpc::Responder responder);
  asio::awaitable<void> run_call(Era era, const Tool* tool, nlohmann::json arguments,
                                 std::shared_ptr<Call> call, std::shared_ptr<Asker> asker);
  asio::awaitable<void> report_progress(nlohmann::json token, std::shared_ptr<Call> call,
                                        std::shared_ptr<Asker> asker);
  /// Answers the request with a task if the call takes longer than a moment and there is room for one.
  asio::awaitable<void> become_task(std::shared_ptr<Call> call, std::shared_ptr<Asker> asker);

  std::shared_ptr<Connection> connection_;
  ToolRegistry& tools_;
  std::shared_ptr<ClientLog> log_;
  std::shared_ptr<ProxiedCalls> proxied_;
};

}  // namespace leanbridge::mcp
