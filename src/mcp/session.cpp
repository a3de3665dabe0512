#include "leanbridge/mcp/session.hpp"

#include "leanbridge/base/log.hpp"
#include "leanbridge/mcp/tool_result.hpp"

#include <algorithm>
#include <array>

namespace leanbridge::mcp {

using nlohmann::json;

namespace {

// RFC 5424, most severe first: a smaller index is more urgent.
constexpr std::array<std::string_view, 8> kLogLevels = {"emergency", "alert",  "critical", "error",
                                                        "warning",   "notice", "info",     "debug"};

std::string all_revisions() {
  std::string text;
  for (std::string_view revision : kModernRevisions) text += std::string(revision) + ", ";
  for (std::string_view revision : kLegacyRevisions)
    text += std::string(revision) + (revision == kLegacyRevisions.back() ? "" : ", ");
  return text;
}

json meta_of(const json& params) {
  if (!params.is_object()) return nullptr;
  const auto meta = params.find("_meta");
  return meta == params.end() ? json(nullptr) : *meta;
}

rpc::RpcError invalid_params(std::string message) {
  return {rpc::kInvalidParams, std::move(message), nullptr};
}

}  // namespace

std::optional<int> log_urgency(const json& word) {
  if (!word.is_string()) return std::nullopt;
  const auto found = std::find(kLogLevels.begin(), kLogLevels.end(), word.get<std::string>());
  if (found == kLogLevels.end()) return std::nullopt;
  return static_cast<int>(found - kLogLevels.begin());
}

Session::Session(asio::io_context& context, ToolRegistry& tools, SessionOptions options,
                 std::function<void(std::string&&)> send, std::function<void()> on_ready)
    : context_(context),
      tools_(tools),
      options_(std::move(options)),
      send_(std::move(send)),
      on_ready_(std::move(on_ready)),
      peer_(rpc::Dialect::mcp(), [this](std::string&& text) { send_(std::move(text)); },
            {[this](rpc::Request request, rpc::Responder responder) {
               on_request(std::move(request), std::move(responder));
             },
             [this](const rpc::Notification& notification) { on_notification(notification); }}) {}

// --- messages in

void Session::receive(std::string_view line) {
  auto message = rpc::parse_message(line);
  if (!message) {
    const rpc::InvalidMessage& invalid = message.error();
    leanbridge::log::warn("from the client: {}", invalid.message);
    if (invalid.answerable) send_(rpc::make_error(invalid.id, {invalid.code, invalid.message, nullptr}));
    return;
  }
  auto* batch = std::get_if<rpc::Batch>(&*message);
  if (!batch) return receive_message(std::move(*message));
  if (legacy_revision_ != kRevisionWithBatches) {
    send_(rpc::make_error(std::nullopt,
                          {rpc::kInvalidRequest, "Batches exist only in MCP 2025-03-26.", nullptr}));
    return;
  }
  for (json& element : batch->elements) {
    auto single = rpc::message_from_json(std::move(element));
    if (single)
      receive_message(std::move(*single));
    else if (single.error().answerable)
      send_(rpc::make_error(single.error().id, {single.error().code, single.error().message, nullptr}));
  }
}

void Session::receive_oversize(std::size_t limit_bytes) {
  send_(rpc::make_error(
      std::nullopt,
      {rpc::kParseError,
       "A message was longer than " + std::to_string(limit_bytes) + " bytes and was dropped.", nullptr}));
}

void Session::receive_message(rpc::Message message) {
  peer_.receive(std::move(message));
}

void Session::close() {
  peer_.fail_incoming("the client closed the connection");
  for (const auto& [uri, end] : std::exchange(subscriptions_, {})) end->cancel();
  send_ = [](std::string&&) {};
}

std::size_t Session::answers_owed() const {
  return peer_.in_flight_count() - std::min(peer_.in_flight_count(), listeners_.size());
}

void Session::on_notification(const rpc::Notification& notification) {
  if (notification.method == "notifications/initialized" && !legacy_revision_.empty()) ready();
}

void Session::ready() {
  if (auto once = std::exchange(on_ready_, nullptr)) once();
}

void Session::on_request(rpc::Request request, rpc::Responder responder) {
  const json meta = meta_of(request.params);
  if (meta.is_object() && meta.contains(kMetaProtocolVersion)) {
    if (auto error = check_modern(meta)) return responder.error(std::move(*error));
    return serve(Era::Modern, std::move(request), std::move(responder));
  }
  if (request.method == "initialize" || !legacy_revision_.empty())
    return serve(Era::Legacy, std::move(request), std::move(responder));
  if (request.method == "ping") return responder.result(json::object());
  responder.error(invalid_params("The first request must be `initialize`, or carry " +
                                 std::string(kMetaProtocolVersion) +
                                 " in params._meta. Spoken here: " + all_revisions() + "."));
}

std::optional<rpc::RpcError> Session::check_modern(const json& meta) const {
  const json& version = meta[kMetaProtocolVersion];
  if (!version.is_string()) return invalid_params(std::string(kMetaProtocolVersion) + " must be a string.");
  if (!speaks_modern(version.get<std::string>())) {
    json data = {{"supported", kModernRevisions}, {"requested", version}};
    return rpc::RpcError{kUnsupportedProtocolVersion, "This protocol version is not spoken here.",
                         std::move(data)};
  }
  const auto capabilities = meta.find(kMetaClientCapabilities);
  if (capabilities == meta.end() || !capabilities->is_object())
    return invalid_params("params._meta must hold " + std::string(kMetaClientCapabilities) + ", an object.");
  return std::nullopt;
}

void Session::serve(Era era, rpc::Request request, rpc::Responder responder) {
  const std::string& method = request.method;
  const bool legacy = era == Era::Legacy;
  if (method == "tools/call") return call_tool(era, std::move(request.params), std::move(responder));
  if (method == "tools/list") return list_tools(era, request.params, std::move(responder));
  if (method == "prompts/list") return list_prompts(era, request.params, std::move(responder));
  if (method == "prompts/get") return get_prompt(era, request.params, std::move(responder));
  if (method == "resources/list") return list_resources(era, false, request.params, std::move(responder));
  if (method == "resources/templates/list")
    return list_resources(era, true, request.params, std::move(responder));
  if (method == "resources/read") return read_resource(era, request.params, std::move(responder));
  if (legacy && method == "resources/subscribe") return subscribe(request.params, std::move(responder));
  if (legacy && method == "resources/unsubscribe") return unsubscribe(request.params, std::move(responder));
  if (!legacy && method == "subscriptions/listen")
    return listen(std::move(request.params), std::move(responder));
  if (legacy && method == "initialize") return initialize(request.params, std::move(responder));
  if (legacy && method == "ping") return responder.result(json::object());
  if (legacy && method == "logging/setLevel") return set_log_level(request.params, std::move(responder));
  if (!legacy && method == "server/discover") return discover(std::move(responder));
  responder.error({rpc::kMethodNotFound, "There is no method " + method + " here.", nullptr});
}

// --- methods

void Session::initialize(const json& params, rpc::Responder responder) {
  if (!params.is_object() || !params.contains("protocolVersion") || !params["protocolVersion"].is_string())
    return responder.error(invalid_params("initialize needs params.protocolVersion, a string."));
  legacy_revision_ = negotiate_legacy(params["protocolVersion"].get<std::string>());
  responder.result({{"protocolVersion", legacy_revision_},
                    {"capabilities", capabilities(Era::Legacy)},
                    {"serverInfo", {{"name", options_.name}, {"version", options_.version}}},
                    {"instructions", options_.instructions}});
}

json Session::capabilities(Era era) const {
  // Our own lists never change; those of others do.
  const json list = options_.provider ? json{{"listChanged", true}} : json::object();
  json all = {{"tools", list}};
  if (!options_.prompts.empty() || options_.provider) all["prompts"] = list;
  if (!options_.resources.empty()) all["resources"] = {{"subscribe", true}};
  if (era == Era::Legacy) all["logging"] = json::object();
  return all;
}

json Session::complete(Era era, json result) const {
  if (era == Era::Legacy) return result;
  result["resultType"] = "complete";
  result["_meta"][kMetaServerInfo] = {{"name", options_.name}, {"version", options_.version}};
  return result;
}

void Session::discover(rpc::Responder responder) {
  json result = {{"supportedVersions", kModernRevisions},
                 {"capabilities", capabilities(Era::Modern)},
                 {"instructions", options_.instructions},
                 {"ttlMs", 3'600'000},
                 {"cacheScope", "private"}};
  responder.result(complete(Era::Modern, std::move(result)));
}

void Session::answer_page(Era era, const char* member, json page, const json& params,
                          rpc::Responder responder) {
  if (params.is_object() && params.contains("cursor"))
    return responder.error(invalid_params("This cursor is not from here: there is one page."));
  json result = {{member, std::move(page)}};
  if (era == Era::Modern) {
    // None of our own lists changes while the process lives.
    result["ttlMs"] = options_.provider ? 0 : 3'600'000;
    result["cacheScope"] = "private";
  }
  responder.result(complete(era, std::move(result)));
}

void Session::list_tools(Era era, const json& params, rpc::Responder responder) {
  json page = tools_.listing();
  if (options_.provider)
    for (json& tool : options_.provider->tools()) page.push_back(std::move(tool));
  answer_page(era, "tools", std::move(page), params, std::move(responder));
  if (era == Era::Modern) ready();
}

void Session::set_log_level(const json& params, rpc::Responder responder) {
  const auto level = params.is_object() ? log_urgency(params.value("level", json())) : std::nullopt;
  if (!level)
    return responder.error(invalid_params("logging/setLevel needs params.level, one of RFC 5424's levels."));
  log_level_ = *level;
  responder.result(json::object());
}

void Session::log(std::string_view level, const std::string& text) {
  const auto urgency = log_urgency(std::string(level));
  if (!urgency) return;
  bool wanted = !legacy_revision_.empty() && *urgency <= log_level_;
  for (const auto& [serial, limit] : modern_log_levels_) wanted = wanted || *urgency <= limit;
  if (wanted)
    peer_.notify("notifications/message", {{"level", level}, {"logger", options_.name}, {"data", text}});
}

}  // namespace leanbridge::mcp
