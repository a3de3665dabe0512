#include "notifications.hpp"

#include "core/base/json.hpp"
#include "provider.hpp"
#include "tasks.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace leanbridge::mcp {

using nlohmann::json;

// --- log messages

namespace {

// RFC 5424, most severe first: a smaller index is more urgent.
constexpr std::array<std::string_view, 8> kLogLevels = {"emergency", "alert",  "critical", "error",
                                                        "warning",   "notice", "info",     "debug"};

}  // namespace

std::optional<int> log_urgency(const json& word) {
  if (!word.is_string()) return std::nullopt;
  const auto found = std::ranges::find(kLogLevels, word.get<std::string>());
  if (found == kLogLevels.end()) return std::nullopt;
  return static_cast<int>(found - kLogLevels.begin());
}

void ClientLog::set_level(Era, const json& params, rpc::Responder responder) {
  const auto level = log_urgency(member(params, "level"));
  if (!level)
    return responder.error(invalid_params("logging/setLevel needs params.level, one of RFC 5424's levels."));
  legacy_level_ = *level;
  responder.result(json::object());
}

std::uint64_t ClientLog::begin_request(const json& level) {
  const std::uint64_t serial = next_serial_++;
  if (const auto urgency = log_urgency(level)) requested_levels_[serial] = *urgency;
  return serial;
}

void ClientLog::log(std::string_view level, const std::string& text) {
  const auto urgency = log_urgency(std::string(level));
  if (!urgency) return;
  bool wanted = !connection_->legacy_revision().empty() && *urgency <= legacy_level_;
  for (const auto& [serial, limit] : requested_levels_) wanted = wanted || *urgency <= limit;
  if (wanted)
    connection_->peer().notify("notifications/message",
                               {{"level", level}, {"logger", connection_->options().name}, {"data", text}});
}

// --- subscriptions

namespace {

// The pause between two notifications. More would be useless: each makes the client read the resource again.
constexpr auto kMinPause = std::chrono::seconds(1);

// Collapses the changes during a pause into one notification after it.
struct Coalesced {
  io::Condition condition;
  bool changed = false;
};

asio::awaitable<void> tell(std::shared_ptr<Coalesced> changes, io::CancelScope scope,
                           std::function<void()> send) {
  for (;;) {
    const auto end =
        co_await io::wait_until(changes->condition, scope, [changes] { return changes->changed; });
    if (end != io::WaitStatus::Ready || scope.cancel->cancelled()) co_return;
    changes->changed = false;
    send();
    if (co_await io::sleep_for(kMinPause, scope) == io::WaitStatus::Cancelled) co_return;
  }
}

// Owns the function that it calls, because the coroutine's frame may outlive the function object that started
// it.
asio::awaitable<void> run_watch(Watch watch, io::CancelScope scope, std::function<void()> changed) {
  co_await watch(scope, std::move(changed));
}

json meta_of_listener(const rpc::Id& request) {
  return {{kMetaSubscriptionId, request.to_json()}};
}

asio::awaitable<void> tell_end(std::shared_ptr<Task> task, io::CancelScope scope,
                               std::weak_ptr<Connection> weak, rpc::Id listener) {
  const auto end = co_await io::wait_until(task->changed, scope, [task] { return task->over; });
  const auto connection = weak.lock();
  if (end != io::WaitStatus::Ready || scope.cancel->cancelled() || !connection) co_return;
  json params = describe_with_result(*task);
  params["_meta"] = meta_of_listener(listener);
  connection->notify_about(listener, "notifications/tasks", std::move(params));
}

}  // namespace

Result<Watch> Subscriptions::watch_of(const std::string& uri) const {
  const auto named = find_resource(connection_->options().resources, uri);
  ToolProvider* provider = connection_->options().provider;
  const bool proxied = !named && provider && provider->knows_resource(uri);
  if (!named && !proxied) return fail(ErrorKind::FileNotFound, "Unknown resource " + uri + ".");
  if (named && !named->resource->watch)
    return fail(ErrorKind::NotSupported, uri + " does not support subscriptions. Read it when you need it.");
  if (watches_ >= connection_->options().max_watches)
    return fail(ErrorKind::RateLimited, "Too many subscriptions.");
  if (proxied) return provider->watch_resource(uri);
  return named->resource->watch(named->path);
}

void Subscriptions::start_watch(Watch watch, std::string uri, std::optional<rpc::Id> listener,
                                std::shared_ptr<io::CancelSource> end) {
  auto changes = std::make_shared<Coalesced>();
  const io::CancelScope scope(io::kNoDeadline, end);
  auto send = [weak = std::weak_ptr(connection_), uri, listener = std::move(listener)] {
    constexpr const char* kUpdated = "notifications/resources/updated";
    const auto connection = weak.lock();
    if (!connection) return;
    if (listener)
      connection->notify_about(*listener, kUpdated, {{"uri", uri}, {"_meta", meta_of_listener(*listener)}});
    else
      connection->peer().notify(kUpdated, {{"uri", uri}});
  };
  ++watches_;
  io::spawn(connection_->context(), tell(changes, scope, std::move(send)));
  auto changed = [changes] {
    changes->changed = true;
    changes->condition.notify_all();
  };
  asio::co_spawn(connection_->context(), run_watch(std::move(watch), scope, std::move(changed)),
                 [weak = weak_from_this(), used = connection_->shared_options()](const std::exception_ptr&) {
                   if (const auto self = weak.lock()) --self->watches_;
                 });
}

void Subscriptions::subscribe(Era, const json& params, rpc::Responder responder) {
  if (!params.is_object() || !params.contains("uri") || !params["uri"].is_string())
    return responder.error(invalid_params("resources/subscribe needs params.uri, a string."));
  const std::string uri = params["uri"].get<std::string>();
  if (subscriptions_.contains(uri)) return responder.result(json::object());
  auto watch = watch_of(uri);
  if (!watch) {
    const bool exists = watch.error().kind == ErrorKind::NotSupported;
    return responder.error(
        {exists ? rpc::kInvalidParams : kLegacyResourceNotFound, watch.error().message, json{{"uri", uri}}});
  }
  auto end = std::make_shared<io::CancelSource>();
  subscriptions_.emplace(uri, end);
  responder.result(json::object());
  start_watch(std::move(*watch), uri, std::nullopt, end);
}

void Subscriptions::unsubscribe(Era, const json& params, rpc::Responder responder) {
  if (!params.is_object() || !params.contains("uri") || !params["uri"].is_string())
    return responder.error(invalid_params("resources/unsubscribe needs params.uri, a string."));
  const auto found = subscriptions_.find(params["uri"].get<std::string>());
  if (found != subscriptions_.end()) {
    found->second->cancel();
    subscriptions_.erase(found);
  }
  responder.result(json::object());
}

void Subscriptions::listen(Era, const json& params, rpc::Responder responder) {
  const json filter = params.value("notifications", json());
  if (!filter.is_object())
    return responder.error(invalid_params("subscriptions/listen needs params.notifications, an object."));
  if (filter.contains("taskIds") && !declares_tasks(params)) return responder.error(tasks_not_declared());
  const json asked = filter.value("resourceSubscriptions", json::array());
  std::vector<std::pair<std::string, Watch>> granted;
  json granted_uris = json::array();
  for (const json& uri : asked.is_array() ? asked : json::array()) {
    if (!uri.is_string()) continue;
    auto watch = watch_of(uri.get<std::string>());
    if (!watch || watches_ + granted.size() >= connection_->options().max_watches) continue;
    granted_uris.push_back(uri);
    granted.emplace_back(uri.get<std::string>(), std::move(*watch));
  }
  std::map<std::string, std::shared_ptr<Task>> tasks;
  const json asked_tasks = filter.value("taskIds", json::array());
  for (const json& each : asked_tasks.is_array() ? asked_tasks : json::array()) {
    if (!each.is_string()) continue;
    const auto id = each.get<std::string>();
    if (auto task = connection_->tasks().find(id, connection_->client_name()))
      tasks.emplace(id, std::move(task));
  }
  json acknowledged = json::object();
  Listener listener{{}, responder.id()};
  if (connection_->options().provider)  // without a provider the lists never change
    for (const List list : all_lists())
      if (filter.value(filter_of(list), json()) == true) {
        listener.lists.insert(list);
        acknowledged[filter_of(list)] = true;
      }
  if (filter.contains("resourceSubscriptions")) acknowledged["resourceSubscriptions"] = granted_uris;
  if (filter.contains("taskIds")) {
    acknowledged["taskIds"] = json::array();
    for (const auto& [task_id, task] : tasks) acknowledged["taskIds"].push_back(task_id);
  }

  const rpc::Id id = responder.id();
  const std::uint64_t serial = next_listener_++;
  listeners_.emplace(serial, std::move(listener));
  auto end = std::make_shared<io::CancelSource>();
  auto open = std::make_shared<rpc::Responder>(std::move(responder));  // it stays unanswered while the client
                                                                       // listens
  open->on_cancel([end, open, serial, weak = weak_from_this()](const std::string&) mutable {
    if (const auto self = weak.lock()) self->listeners_.erase(serial);
    end->cancel();
    open.reset();
  });
  connection_->notify_about(id, "notifications/subscriptions/acknowledged",
                            {{"notifications", std::move(acknowledged)}, {"_meta", meta_of_listener(id)}});
  for (auto& [uri, watch] : granted) start_watch(std::move(watch), uri, id, end);
  const io::CancelScope scope(io::kNoDeadline, end);
  for (const auto& [task_id, task] : tasks)
    io::spawn(connection_->context(), tell_end(task, scope, connection_, id));
}

void Subscriptions::list_changed(List list) {
  const std::string notification = change_of(list);
  if (!connection_->legacy_revision().empty() && connection_->is_ready())
    connection_->peer().notify(notification, nullptr);
  for (const auto& [serial, listener] : listeners_)
    if (listener.lists.contains(list))
      connection_->notify_about(listener.request, notification,
                                {{"_meta", meta_of_listener(listener.request)}});
}

void Subscriptions::close() {
  for (const auto& [uri, end] : std::exchange(subscriptions_, {})) end->cancel();
}

}  // namespace leanbridge::mcp
