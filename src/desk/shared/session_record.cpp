#include "session_record.hpp"

#include "core/base/json.hpp"

#include <algorithm>
#include <utility>

namespace leanbridge::app {

using nlohmann::json;

namespace {

constexpr std::size_t kMaxSubscriptions = 256;  // a session has no more than this
constexpr const char* kReplayPrefix = "leanbridge/reopening/";

std::string error_line(const rpc::Id& id, const std::string& message) {
  return rpc::make_error(id, {rpc::kInternalError, message, nullptr});
}

json params_of(std::string_view line) {
  const json message = read_json(line);
  return member(message, "params");
}

}  // namespace

// --- from the client

void SessionRecord::from_client(std::string_view line) {
  for (const rpc::MessageOutline& outline : rpc::outlines_of(line)) {
    if (outline.method.empty()) {
      if (outline.id) questions_.erase(*outline.id);
    } else if (outline.id) {
      take_request(outline, line);
    } else {
      take_notification(outline.method, line);
    }
  }
}

void SessionRecord::take_request(const rpc::MessageOutline& outline, std::string_view line) {
  PendingRequest& asked = requests_[*outline.id];
  ++asked.count;
  if (outline.method == "subscriptions/listen") asked.listens = true;
  if (!asked.listens) ++owed_;
  if (outline.method == "initialize") {
    asked.opens = true;
    initialize_ = line;
    initialize_answered_ = false;
  } else if (outline.method == "logging/setLevel") {
    log_level_ = params_of(line);
  } else if (outline.method == "resources/subscribe") {
    if (subscriptions_.size() < kMaxSubscriptions) subscriptions_.insert(text_member(params_of(line), "uri"));
  } else if (outline.method == "resources/unsubscribe") {
    subscriptions_.erase(text_member(params_of(line), "uri"));
  }
}

void SessionRecord::take_notification(const std::string& method, std::string_view line) {
  if (method == "notifications/initialized") initialized_ = line;
  if (method != "notifications/cancelled") return;
  // A cancelled request gets no answer.
  const json params = params_of(line);
  if (!params.is_object() || !params.contains("requestId")) return;
  if (const auto id = rpc::Id::from_json(params["requestId"])) end_request(*id);
}

void SessionRecord::end_request(const rpc::Id& id) {
  const auto found = requests_.find(id);
  if (found == requests_.end()) return;
  if (!found->second.listens) --owed_;
  if (--found->second.count == 0) requests_.erase(found);
}

// --- from the server

bool SessionRecord::from_server(std::string_view line) {
  bool for_client = true;
  for (const rpc::MessageOutline& outline : rpc::outlines_of(line)) {
    if (!outline.id) continue;
    if (!outline.method.empty()) {
      questions_.insert(*outline.id);
      continue;
    }
    if (const json id = outline.id->to_json(); id.is_string() && replayed_.erase(id.get<std::string>()) > 0) {
      for_client = false;
      continue;
    }
    if (const auto found = requests_.find(*outline.id); found != requests_.end() && found->second.opens)
      initialize_answered_ = true;
    end_request(*outline.id);
  }
  return for_client;
}

// --- the end of a server, and the next one

std::vector<std::string> SessionRecord::lost(const std::string& message, Next next) {
  std::vector<std::string> lines;
  for (auto request = requests_.begin(); request != requests_.end();) {
    const bool opens = request->second.opens && !initialize_answered_;
    if (opens && next == Next::Server) {
      ++request;
      continue;
    }
    if (opens) initialize_.clear();
    if (!request->second.listens) owed_ -= request->second.count;
    for (std::size_t each = 0; each < request->second.count; ++each)
      lines.push_back(error_line(request->first, message));
    request = requests_.erase(request);
  }
  for (const rpc::Id& id : questions_)
    lines.push_back(
        rpc::make_notification("notifications/cancelled",
                               {{"requestId", id.to_json()}, {"reason", "the server that asked is gone"}}));
  questions_.clear();
  replayed_.clear();
  return lines;
}

std::vector<std::string> SessionRecord::opening() {
  std::vector<std::string> lines;
  if (initialize_.empty()) return lines;
  if (!initialize_answered_) return {initialize_};
  const auto replay = [&](const char* method, json params) {
    const std::string id = kReplayPrefix + std::to_string(++replays_);
    replayed_.insert(id);
    lines.push_back(rpc::make_request(rpc::Id(id), method, std::move(params)));
  };
  replay("initialize", params_of(initialize_));
  if (!initialized_.empty()) lines.push_back(initialized_);
  if (!log_level_.is_null()) replay("logging/setLevel", log_level_);
  for (const std::string& uri : subscriptions_) replay("resources/subscribe", {{"uri", uri}});
  return lines;
}

std::vector<std::string> SessionRecord::refusals(std::string_view line, const std::string& message) {
  std::vector<std::string> lines;
  for (const rpc::MessageOutline& outline : rpc::outlines_of(line))
    if (outline.id && !outline.method.empty()) lines.push_back(error_line(*outline.id, message));
  return lines;
}

}  // namespace leanbridge::app
