// Client: which era the server speaks, and what it may ask of us.

#include "leanbridge/base/log.hpp"
#include "leanbridge/mcp/revision.hpp"

#include "connection.hpp"
#include "upstream/transport/incoming.hpp"

#include <algorithm>

namespace leanbridge::upstream {

using nlohmann::json;

namespace {

constexpr int kHeaderMismatch = -32020;
constexpr int kMissingClientCapability = -32021;

bool is_modern_error(int code) {
  return code == kHeaderMismatch || code == kMissingClientCapability ||
         code == mcp::kUnsupportedProtocolVersion;
}

int http_status(const RequestError& error) {
  if (!error.answered || error.answered->code != kTransportError) return 0;
  return error.answered->data.is_object() ? error.answered->data.value("http_status", 0) : 0;
}

// Authorization and outages are no matter of eras: they are reported as they are.
bool is_outage(const RequestError& error) {
  if (!error.answered) return error.error.kind == ErrorKind::Timeout;
  const int status = http_status(error);
  return error.answered->code == kTransportError &&
         (status < 400 || status == 401 || status == 403 || status == 407 || status == 429 || status >= 500);
}

// It refused our revision and lists it nevertheless: what answered first is not what answers next.
bool offers_ours(const RequestError& error) {
  if (!error.answered || error.answered->code != mcp::kUnsupportedProtocolVersion) return false;
  const json& data = error.answered->data;
  const json supported = data.is_object() ? data.value("supported", json()) : json();
  return supported.is_array() && std::find(supported.begin(), supported.end(),
                                           json(mcp::kModernRevisions.front())) != supported.end();
}

json object_member(const json& object, const char* name) {
  if (!object.is_object() || !object.contains(name) || !object[name].is_object()) return json();
  return text::cleaned_json(object[name]);
}

}  // namespace

json Client::modern_meta() const {
  return {{mcp::kMetaProtocolVersion, mcp::kModernRevisions.front()},
          {mcp::kMetaClientCapabilities, json::object()},
          {mcp::kMetaClientInfo, {{"name", "leanbridge"}, {"version", options_.version}}}};
}

asio::awaitable<Result<void>> Client::handshake() {
  if (!known_legacy_ && kind_ != TransportKind::Sse) {
    const std::optional<Result<void>> decided = co_await probe();
    if (decided) co_return *decided;
    if (!connection_) co_return fail(ErrorKind::Cancelled, "The connection was given up.");
    if (connection_->ended) {  // it does not bear the probe: started again, it is not asked any more
      known_legacy_ = true;
      auto again = open(kind_);
      if (!again) co_return tl::unexpected(again.error());
      connection_ = *again;
    }
  }
  co_return co_await initialize();
}

// nullopt: legacy.
asio::awaitable<std::optional<Result<void>>> Client::probe() {
  const auto connection = connection_;
  json params = {{"_meta", modern_meta()}};
  const bool stdio = kind_ == TransportKind::Stdio;
  const auto limit = stdio ? options_.probe_limit : options_.start_limit;
  Reply reply = co_await request_on(connection, "server/discover", params, limit, io::CancelScope(limit), {});
  if (!reply && offers_ours(reply.error()) && connection_ && !connection->ended)
    reply = co_await request_on(connection, "server/discover", params, limit, io::CancelScope(limit), {});
  if (connection->ended && stdio && connection->ended->kind == Closed::Kind::Exited) co_return std::nullopt;
  if (reply) {
    if (auto accepted = accept_modern(*reply)) co_return accepted;
    co_return std::nullopt;
  }
  const RequestError& error = reply.error();
  if (!error.answered && error.error.kind == ErrorKind::Timeout && stdio) {
    known_legacy_ = true;
    co_return std::nullopt;
  }
  const bool final =
      is_outage(error) || !error.answered ||
      (is_modern_error(error.answered->code) && error.answered->code != mcp::kUnsupportedProtocolVersion);
  if (final) co_return Result<void>(tl::unexpected(error.error));
  co_return std::nullopt;
}

Result<void> Client::accept_modern(const json& result) {
  const json versions = result.is_object() ? result.value("supportedVersions", json()) : json();
  const json ours = mcp::kModernRevisions.front();
  if (!versions.is_array() || std::find(versions.begin(), versions.end(), ours) == versions.end())
    return fail(ErrorKind::NotSupported, "It speaks no modern revision that is spoken here.");
  modern_ = true;
  revision_ = ours.get<std::string>();
  capabilities_ = object_member(result, "capabilities");
  if (capabilities_.is_null()) capabilities_ = json::object();
  server_info_ = object_member(object_member(result, "_meta"), mcp::kMetaServerInfo);
  connection_->transport->negotiated(revision_, true);
  return {};
}

asio::awaitable<Result<void>> Client::initialize() {
  for (;;) {
    const auto connection = connection_;
    json params = {{"protocolVersion", mcp::kLegacyRevisions.front()},
                   {"capabilities", json::object()},
                   {"clientInfo", {{"name", "leanbridge"}, {"version", options_.version}}}};
    const io::CancelScope scope(options_.start_limit);
    const Reply reply =
        co_await request_on(connection, "initialize", std::move(params), options_.start_limit, scope, {});
    if (!connection_) co_return fail(ErrorKind::Cancelled, "The connection was given up.");
    if (reply) co_return accept_legacy(*reply);
    const int status = http_status(reply.error());
    const bool older = status == 400 || status == 404 || status == 405;
    if (kind_ != TransportKind::Http || !older) co_return tl::unexpected(reply.error().error);
    // The transport of 2024-11-05 takes no POST at its own address.
    connection->transport->kill();
    kind_ = TransportKind::Sse;
    auto again = open(kind_);
    if (!again) co_return tl::unexpected(again.error());
    connection_ = *again;
  }
}

Result<void> Client::accept_legacy(const json& result) {
  const json version = result.is_object() ? result.value("protocolVersion", json()) : json();
  const bool known =
      version.is_string() && std::find(mcp::kLegacyRevisions.begin(), mcp::kLegacyRevisions.end(),
                                       version.get<std::string>()) != mcp::kLegacyRevisions.end();
  if (!known)
    return fail(ErrorKind::BackendError,
                "The server " + config_.name + " answered the handshake with the protocol version " +
                    printable(rpc::dump(version)) + ", which is not spoken here.",
                "Update the server, or leanbridge.");
  modern_ = false;
  revision_ = version.get<std::string>();
  capabilities_ = object_member(result, "capabilities");
  if (capabilities_.is_null()) capabilities_ = json::object();
  server_info_ = object_member(result, "serverInfo");
  connection_->transport->negotiated(revision_, false);
  connection_->peer->notify("notifications/initialized", json::object());
  return {};
}

void Client::answer_server(const ConnectionPtr& connection, rpc::Request request, rpc::Responder responder) {
  if (modern_ && connection == connection_ && !revision_.empty()) {
    log::warn("upstream {}: it sent the request {}, which its revision does not allow", config_.name,
              printable(request.method));
    return responder.abandon();  // and does not allow us to answer
  }
  if (request.method == "ping") return responder.result(json::object());
  responder.error({rpc::kMethodNotFound, "leanbridge does not offer " + request.method + ".", nullptr});
}

void Client::on_notification(const ConnectionPtr& connection, const rpc::Notification& notification) {
  const std::string& method = notification.method;
  const json& params = notification.params;
  if (method == "notifications/progress") {
    if (!params.is_object() || !params.contains("progressToken") || !params["progressToken"].is_string())
      return;
    const auto found = connection->progress.find(params["progressToken"].get<std::string>());
    if (found == connection->progress.end()) return;
    const auto waiting = found->second;  // by value: what is called may end the request
    waiting.extend();
    json told = params;
    told.erase("progressToken");
    told.erase("_meta");
    if (waiting.on_progress) waiting.on_progress(text::cleaned_json(std::move(told)));
  } else if (method == "notifications/tools/list_changed" || method == "notifications/prompts/list_changed") {
    (method == "notifications/tools/list_changed" ? connection->stale_tools : connection->stale_prompts) =
        true;
    if (connection == connection_ && state_ == State::Ready && !std::exchange(connection->refreshing, true))
      asio::co_spawn(context_, refresh(connection), asio::detached);
  } else if (method == "notifications/message" && params.is_object()) {
    log::info("upstream {}: {}", config_.name,
              printable(config_, rpc::dump(params.value("data", json())).substr(0, 1000)));
  }
}

}  // namespace leanbridge::upstream
