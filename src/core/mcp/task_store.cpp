#include "task_store.hpp"

#include "core/base/secret.hpp"
#include "core/base/utc_time.hpp"

#include <algorithm>
#include <utility>

namespace leanbridge::mcp {

using nlohmann::json;

namespace {

constexpr int kPollIntervalMs = 1000;

}  // namespace

json describe(const Task& task) {
  const auto ttl = std::chrono::duration_cast<std::chrono::milliseconds>(task.expires - task.begun);
  json shown = {{"taskId", task.id},
                {"status", !task.over    ? "working"
                           : task.result ? "completed"
                                         : "cancelled"},
                {"createdAt", utc_time(task.created)},
                {"lastUpdatedAt", utc_time(task.updated)},
                {"ttlMs", ttl.count()},
                {"pollIntervalMs", kPollIntervalMs}};
  if (task.over) return shown;
  const auto progress = task.call->progress ? task.call->progress() : std::nullopt;
  if (progress && !progress->message.empty()) shown["statusMessage"] = progress->message;
  return shown;
}

std::shared_ptr<Task> TaskStore::add(std::string client, std::shared_ptr<Call> call) {
  forget_expired();
  const auto own =
      std::ranges::count_if(tasks_, [&](const auto& each) { return each.second->client == client; });
  if (tasks_.size() >= limits_.max_tasks || static_cast<std::size_t>(own) >= limits_.max_client_tasks)
    return nullptr;
  auto task = std::make_shared<Task>();
  task->id = random_token();
  task->client = std::move(client);
  task->begun = io::Clock::now();
  task->expires = std::max(task->begun, call->scope.deadline) + limits_.keep;
  task->created = task->updated = std::chrono::system_clock::now();
  task->call = std::move(call);
  tasks_.emplace(task->id, task);
  return task;
}

std::shared_ptr<Task> TaskStore::find(const std::string& id, const std::string& client) {
  forget_expired();
  const auto found = tasks_.find(id);
  return found != tasks_.end() && found->second->client == client ? found->second : nullptr;
}

void TaskStore::finish(Task& task, std::optional<std::string> result) const {
  task.over = true;
  task.result = std::move(result);
  task.updated = std::chrono::system_clock::now();
  task.expires = std::max(task.expires, io::Clock::now() + limits_.keep);
  task.changed.notify_all();
}

void TaskStore::close() {
  for (const auto& [id, task] : tasks_) task->call->scope.cancel->cancel();
}

void TaskStore::forget_expired() {
  const auto now = io::Clock::now();
  std::erase_if(tasks_, [now](const auto& each) { return each.second->over && each.second->expires <= now; });
}

}  // namespace leanbridge::mcp
