#pragma once
/// Handles `tasks/get`, `tasks/update` and `tasks/cancel` (modern era).

#include "connection.hpp"
#include "task_store.hpp"
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

namespace leanbridge::mcp {

/// Whether the client declares the extension with this request.
bool declares_tasks(const nlohmann::json& params);
/// The refusal of what only clients with the extension may ask.
rpc::RpcError tasks_not_declared();

/// The task as notifications/tasks shows it: with the result, if it has one.
nlohmann::json describe_with_result(const Task& task);

class Tasks {
 public:
  explicit Tasks(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}

  void get(Era era, const nlohmann::json& params, rpc::Responder responder);
  /// None of our calls asks for input, so an update has nothing to answer: it is acknowledged, as the
  /// extension wants it for answers that nothing waits for.
  void update(Era era, const nlohmann::json& params, rpc::Responder responder);
  void cancel(Era era, const nlohmann::json& params, rpc::Responder responder);

 private:
  /// The client's task that `params` names. Null: it was refused.
  std::shared_ptr<Task> named(const nlohmann::json& params, rpc::Responder& responder);

  std::shared_ptr<Connection> connection_;
};

}  // namespace leanbridge::mcp
