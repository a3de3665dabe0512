#pragma once
/// Handles `tasks/get`, `tasks/update` and `tasks/cancel` (modern era).

#include "connection.hpp"
#include "task_store.hpp"
#include <nlohmann/json.hpp>

#include <memory>

namespace leanbridge::mcp {

/// Whether the client declares the extension with this request.
bool declares_tasks(const nlohmann::json& params);
/// The refusal of requests that only clients with the extension may send.
rpc::RpcError tasks_not_declared();

/// The task as shown by notifications/tasks: with the result, if there is one.
nlohmann::json describe_with_result(const Task& task);

class Tasks {
 public:
  explicit Tasks(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}

  void get(Era era, const nlohmann::json& params, rpc::Responder responder);
  /// Our calls never ask for input, so an update answers no question. It is acknowledged, as the extension
  /// requires for unexpected answers.
  void update(Era era, const nlohmann::json& params, rpc::Responder responder);
  void cancel(Era era, const nlohmann::json& params, rpc::Responder responder);

 private:
  /// The client's task that `params` names. Null: the request was refused.
  std::shared_ptr<Task> named(const nlohmann::json& params, rpc::Responder& responder);

  std::shared_ptr<Connection> connection_;
};

}  // namespace leanbridge::mcp
