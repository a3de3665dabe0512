#include "session.hpp"

#include "apps.hpp"
#include "catalogue.hpp"
#include "connection.hpp"
#include "core/base/json.hpp"
#include "core/base/log.hpp"
#include "host_link.hpp"
#include "notifications.hpp"
#include "proxied_calls.hpp"
#include "tasks.hpp"
#include "tool_calls.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace leanbridge::mcp {

using nlohmann::json;

namespace {

enum class Eras { Legacy, Modern, Both };

constexpr bool contains(Eras eras, Era era) {
  return eras == Eras::Both || (eras == Eras::Legacy) == (era == Era::Legacy);
}

struct Method {
  std::string_view name;
  Eras eras;
  void (*handle)(Session&, Era, json params, rpc::Responder);
};

// Names the part of the session that handles a method, and its member; a null part is the session itself.
template <auto kPart, auto kMember>
void by(Session& session, Era era, json params, rpc::Responder responder) {
  ((*(session.*kPart)).*kMember)(era, std::move(params), std::move(responder));
}

template <auto kMember>
void by_itself(Session& session, Era era, json params, rpc::Responder responder) {
  (session.*kMember)(era, std::move(params), std::move(responder));
}

std::string all_revisions() {
  std::string text;
  for (std::string_view revision : kModernRevisions) text += std::string(revision) + ", ";
  for (std::string_view revision : kLegacyRevisions)
    text += std::string(revision) + (revision == kLegacyRevisions.back() ? "" : ", ");
  return text;
}

json meta_of(const json& params) {
  return member(params, "_meta");
}

std::optional<rpc::RpcError> check_modern(const json& meta) {
  const json& version = meta[kMetaProtocolVersion];
  if (!version.is_string()) return invalid_params(std::string(kMetaProtocolVersion) + " must be a string.");
  if (!speaks_modern(version.get<std::string>())) {
    json data = {{"supported", kModernRevisions}, {"requested", version}};
    return rpc::RpcError{kUnsupportedProtocolVersion, "Unsupported protocol version.", std::move(data)};
  }
  if (!member(meta, kMetaClientCapabilities).is_object())
    return invalid_params("params._meta must hold " + std::string(kMetaClientCapabilities) + ", an object.");
  return std::nullopt;
}

json capabilities(Era era, const SessionOptions& options, const json& client) {
  // Our own lists never change; a provider's may.
  const json list = options.provider ? json{{"listChanged", true}} : json::object();
  json all = {{"tools", list}};
  if (!options.prompts.empty() || options.provider) all["prompts"] = list;
  if (!options.resources.empty() || options.provider) all["resources"] = {{"subscribe", true}};
  if (options.provider) all["resources"]["listChanged"] = true;
  if (options.provider || options.complete) all["completions"] = json::object();
  if (era == Era::Legacy) all["logging"] = json::object();
  const bool has_apps =
      std::ranges::any_of(options.resources, [](const Resource& resource) { return resource.is_app(); });
  if (has_apps && shows_apps(client)) all["extensions"][kAppsExtension] = json::object();
  if (era == Era::Modern) all["extensions"][kTasksExtension] = json::object();
  if (!options.skills.empty()) all["extensions"][kSkillsExtension] = json::object();
  return all;
}

}  // namespace

Session::Session(asio::io_context& context, ToolRegistry& tools,
                 std::shared_ptr<const SessionOptions> options, std::function<void(Outgoing&&)> send,
                 std::function<void()> on_ready)
    : connection_(std::make_shared<Connection>(
          context, std::move(options), std::move(send), std::move(on_ready),
          // Only receive() feeds the peer, so these are never called after the session's end.
          rpc::Peer::Handlers{
              [this](rpc::Request request, rpc::Responder responder) {
                on_request(std::move(request), std::move(responder));
              },
              [this](const rpc::Notification& notification) { on_notification(notification); }})),
      log_(std::make_shared<ClientLog>(connection_)),
      tasks_(std::make_shared<Tasks>(connection_)),
      subscriptions_(std::make_shared<Subscriptions>(connection_)),
      host_(std::make_shared<HostLink>(connection_)) {
  const auto proxied = std::make_shared<ProxiedCalls>(connection_, tools);
  tool_calls_ = std::make_shared<ToolCalls>(connection_, tools, log_, proxied);
  catalogue_ = std::make_shared<Catalogue>(connection_, tools, proxied);
}

Session::Session(asio::io_context& context, ToolRegistry& tools, SessionOptions options,
                 std::function<void(std::string&&)> send, std::function<void()> on_ready)
    : Session(
          context, tools, std::make_shared<const SessionOptions>(std::move(options)),
          [send = std::move(send)](Outgoing&& message) { send(std::move(message.text)); },
          std::move(on_ready)) {}

Session::~Session() = default;

void Session::set_client(std::string name) {
  connection_->set_client(std::move(name));
}

// --- messages in

void Session::receive(std::string_view line) {
  auto message = rpc::parse_message(line);
  if (!message) {
    const rpc::InvalidMessage& invalid = message.error();
    leanbridge::log::warn("Invalid message from the client: {}", invalid.message);
    if (invalid.answerable)
      connection_->send({rpc::make_error(invalid.id, {invalid.code, invalid.message, nullptr})});
    return;
  }
  receive(std::move(*message));
}

void Session::receive(rpc::Message message) {
  auto* batch = std::get_if<rpc::Batch>(&message);
  if (!batch) return connection_->peer().receive(std::move(message));
  if (connection_->legacy_revision() != kRevisionWithBatches)
    return connection_->send({rpc::make_error(
        std::nullopt, {rpc::kInvalidRequest, "Batches exist only in MCP 2025-03-26.", nullptr})});
  for (json& element : batch->elements) {
    auto single = rpc::message_from_json(std::move(element));
    if (single)
      connection_->peer().receive(std::move(*single));
    else if (const rpc::InvalidMessage& invalid = single.error(); invalid.answerable)
      connection_->send({rpc::make_error(invalid.id, {invalid.code, invalid.message, nullptr})});
  }
}

std::string oversize_error(std::size_t limit_bytes) {
  return rpc::make_error(
      std::nullopt,
      {rpc::kParseError,
       "A message was longer than " + std::to_string(limit_bytes) + " bytes and was dropped.", nullptr});
}

void Session::receive_oversize(std::size_t limit_bytes) {
  connection_->send({oversize_error(limit_bytes)});
}

void Session::on_notification(const rpc::Notification& notification) {
  if (notification.method == "notifications/initialized" && !connection_->legacy_revision().empty())
    connection_->ready();
  if (notification.method == "notifications/roots/list_changed")
    if (ToolProvider* provider = connection_->options().provider) provider->roots_changed();
}

void Session::on_request(rpc::Request request, rpc::Responder responder) {
  const json meta = meta_of(request.params);
  if (meta.is_object() && meta.contains(kMetaProtocolVersion)) {
    if (auto error = check_modern(meta)) return responder.error(std::move(*error));
    return serve(Era::Modern, std::move(request), std::move(responder));
  }
  if (request.method == "initialize" || !connection_->legacy_revision().empty())
    return serve(Era::Legacy, std::move(request), std::move(responder));
  if (request.method == "ping") return responder.result(json::object());
  responder.error(invalid_params("The first request must be `initialize`, or carry " +
                                 std::string(kMetaProtocolVersion) +
                                 " in params._meta. Supported: " + all_revisions() + "."));
}

void Session::serve(Era era, rpc::Request request, rpc::Responder responder) {
  static constexpr auto kMethods = std::to_array<Method>({
      {"initialize", Eras::Legacy, by_itself<&Session::initialize>},
      {"ping", Eras::Legacy, by_itself<&Session::ping>},
      {"server/discover", Eras::Modern, by_itself<&Session::discover>},
      {"logging/setLevel", Eras::Legacy, by<&Session::log_, &ClientLog::set_level>},
      {"tools/call", Eras::Both, by<&Session::tool_calls_, &ToolCalls::call>},
      {"tasks/get", Eras::Modern, by<&Session::tasks_, &Tasks::get>},
      {"tasks/update", Eras::Modern, by<&Session::tasks_, &Tasks::update>},
      {"tasks/cancel", Eras::Modern, by<&Session::tasks_, &Tasks::cancel>},
      {"tools/list", Eras::Both, by<&Session::catalogue_, &Catalogue::list_tools>},
      {"prompts/list", Eras::Both, by<&Session::catalogue_, &Catalogue::list_prompts>},
      {"prompts/get", Eras::Both, by<&Session::catalogue_, &Catalogue::get_prompt>},
      {"resources/list", Eras::Both, by<&Session::catalogue_, &Catalogue::list_resources>},
      {"resources/templates/list", Eras::Both, by<&Session::catalogue_, &Catalogue::list_templates>},
      {"resources/read", Eras::Both, by<&Session::catalogue_, &Catalogue::read_resource>},
      {"skills/list", Eras::Both, by<&Session::catalogue_, &Catalogue::list_skills>},
      {"skills/get", Eras::Both, by<&Session::catalogue_, &Catalogue::get_skill>},
      {"completion/complete", Eras::Both, by<&Session::catalogue_, &Catalogue::complete>},
      {"resources/subscribe", Eras::Legacy, by<&Session::subscriptions_, &Subscriptions::subscribe>},
      {"resources/unsubscribe", Eras::Legacy, by<&Session::subscriptions_, &Subscriptions::unsubscribe>},
      {"subscriptions/listen", Eras::Modern, by<&Session::subscriptions_, &Subscriptions::listen>},
  });
  const auto method = std::ranges::find_if(
      kMethods, [&](const Method& each) { return each.name == request.method && contains(each.eras, era); });
  const bool declared = !request.method.starts_with("skills/") || !connection_->options().skills.empty();
  if (method == kMethods.end() || !declared)
    return responder.error({rpc::kMethodNotFound, "Unknown method " + request.method + ".", nullptr});
  method->handle(*this, era, std::move(request.params), std::move(responder));
}

// --- the handshake: initialize and ping (legacy), server/discover (modern)

void Session::initialize(Era era, json params, rpc::Responder responder) {
  if (!params.is_object() || !params.contains("protocolVersion") || !params["protocolVersion"].is_string())
    return responder.error(invalid_params("initialize needs params.protocolVersion, a string."));
  connection_->set_legacy_revision(negotiate_legacy(params["protocolVersion"].get<std::string>()));
  connection_->set_client_capabilities(params.value("capabilities", json()));
  connection_->set_client_info(params.value("clientInfo", json()));
  responder.result(
      {{"protocolVersion", connection_->legacy_revision()},
       {"capabilities", capabilities(era, connection_->options(), connection_->client_capabilities())},
       {"serverInfo", connection_->presentation(era)},
       {"instructions", connection_->options().instructions}});
}

void Session::discover(Era era, json params, rpc::Responder responder) {
  const json& client = params["_meta"][kMetaClientCapabilities];
  json result = {{"supportedVersions", kModernRevisions},
                 {"capabilities", capabilities(era, connection_->options(), client)},
                 {"instructions", connection_->options().instructions},
                 {"ttlMs", 3'600'000},
                 {"cacheScope", "private"}};
  result = connection_->complete(era, std::move(result));
  result["_meta"][kMetaServerInfo] = connection_->presentation(era);
  responder.result(std::move(result));
}

void Session::ping(Era, json, rpc::Responder responder) {
  responder.result(json::object());
}

// --- messages out, and the end

std::shared_ptr<Host> Session::host() const {
  return host_;
}

void Session::log(std::string_view level, const std::string& text) {
  log_->log(level, text);
}

void Session::list_changed(List list) {
  subscriptions_->list_changed(list);
}

const std::string& Session::legacy_revision() const {
  return connection_->legacy_revision();
}

std::size_t Session::calls_under_way() const {
  return connection_->call_slots().taken();
}

std::size_t Session::answers_owed() const {
  const std::size_t in_flight = connection_->peer().in_flight_count();
  return in_flight - std::min(in_flight, subscriptions_->listeners());
}

void Session::close() {
  connection_->peer().fail_incoming("the client closed the connection");
  connection_->peer().fail_all("The client closed the connection.");
  subscriptions_->close();
  if (!connection_->options().tasks) connection_->tasks().close();  // no other connection can ask for them
  connection_->silence();
}

}  // namespace leanbridge::mcp
