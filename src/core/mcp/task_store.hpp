#pragma once
/// Tasks (the extension io.modelcontextprotocol/tasks, SEP-2663): calls that outlive their request. The
/// client that made a task finds its result by an id, from any connection.

#include "core/io/clock.hpp"
#include "core/io/condition.hpp"
#include "tool.hpp"
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace leanbridge::mcp {

struct TaskLimits {
  io::Clock::duration moment = std::chrono::milliseconds(500);  ///< a call that takes longer than this
                                                                ///< becomes a task
  io::Clock::duration keep = std::chrono::minutes(10);          ///< how long a result is kept, at least
  std::size_t max_tasks = 64;
  std::size_t max_client_tasks = 16;
};

struct Task {
  std::string id;      ///< 256 random bits
  std::string client;  ///< the client that made it
  std::shared_ptr<Call> call;
  io::Clock::time_point begun;
  io::Clock::time_point expires;  ///< only ever moved later, and without effect while the call is running
  std::chrono::system_clock::time_point created;
  std::chrono::system_clock::time_point updated;
  bool over = false;
  std::optional<std::string> result;  ///< set at the end: the result of tools/call, as JSON; none if it was
                                      ///< cancelled
  io::Condition changed;              ///< notified at the end
};

/// The task as shown by `tasks/get` and by the answer to its call, without the result.
nlohmann::json describe(const Task& task);

/// The tasks of one or of many connections. Belongs to the loop's thread.
class TaskStore {
 public:
  explicit TaskStore(TaskLimits limits = {}) : limits_(limits) {}

  const TaskLimits& limits() const { return limits_; }
  /// Null if there is no room, for all or for this client: the request then waits for the answer.
  std::shared_ptr<Task> add(std::string client, std::shared_ptr<Call> call);
  /// Null if there is no such task, if it has expired, or if it belongs to another client.
  std::shared_ptr<Task> find(const std::string& id, const std::string& client);
  void finish(Task& task, std::optional<std::string> result) const;
  /// Cancels the calls of all tasks.
  void close();

 private:
  void forget_expired();

  TaskLimits limits_;
  std::map<std::string, std::shared_ptr<Task>> tasks_;
};

}  // namespace leanbridge::mcp
