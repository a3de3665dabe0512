#include "tasks.hpp"

#include "core/base/json.hpp"

namespace leanbridge::mcp {

using nlohmann::json;

bool declares_tasks(const json& params) {
  return declared_extension(params["_meta"][kMetaClientCapabilities], kTasksExtension).is_object();
}

rpc::RpcError tasks_not_declared() {
  return {kMissingClientCapability, "This needs the extension " + std::string(kTasksExtension) + ".",
          json{{"requiredCapabilities", {{"extensions", {{kTasksExtension, json::object()}}}}}}};
}

json describe_with_result(const Task& task) {
  json shown = describe(task);
  if (task.result) shown["result"] = json::parse(*task.result);
  return shown;
}

std::shared_ptr<Task> Tasks::named(const json& params, rpc::Responder& responder) {
  if (!declares_tasks(params)) {
    responder.error(tasks_not_declared());
    return nullptr;
  }
  auto task = connection_->tasks().find(text_member(params, "taskId"), connection_->client_name());
  if (!task)
    responder.error(invalid_params(
        "There is no such task. Its result has expired, or the server that ran it has ended: call again."));
  return task;
}

void Tasks::get(Era era, const json& params, rpc::Responder responder) {
  const auto task = named(params, responder);
  if (!task) return;
  std::string shown = rpc::dump(connection_->complete(era, describe(*task)));
  // Inserted as text, so that its members keep their order.
  if (task->result) shown.replace(shown.size() - 1, 1, R"(,"result":)" + *task->result + "}");
  responder.result_text(shown);
}

void Tasks::update(Era era, const json& params, rpc::Responder responder) {
  if (!named(params, responder)) return;
  if (!member(params, "inputResponses").is_object())
    return responder.error(invalid_params("tasks/update needs params.inputResponses, an object."));
  responder.result(connection_->complete(era, json::object()));
}

void Tasks::cancel(Era era, const json& params, rpc::Responder responder) {
  const auto task = named(params, responder);
  if (!task) return;
  task->call->scope.cancel->cancel();
  responder.result(connection_->complete(era, json::object()));
}

}  // namespace leanbridge::mcp
