#include "endpoint.hpp"

#include "access.hpp"
#include "core/base/secret.hpp"
#include "legacy_session.hpp"
#include "mirrored_headers.hpp"
#include "modern_call.hpp"
#include "reply.hpp"

#include <algorithm>

namespace leanbridge::streamable {

using http::Exchange;
using nlohmann::json;

namespace {

constexpr const char* kListen = "subscriptions/listen";
constexpr std::size_t kLargeMessage = std::size_t{64} << 10;  // bytes
constexpr auto kParseLimit = std::chrono::seconds(60);

void answer_error(Exchange& exchange, int status, int code, std::string why,
                  const std::optional<rpc::Id>& id = std::nullopt) {
  exchange.respond(json_response(status, rpc::make_error(id, {code, std::move(why), nullptr})));
}

bool is_modern(const rpc::Request& request) {
  if (!request.params.is_object()) return false;
  const auto meta = request.params.find("_meta");
  return meta != request.params.end() && meta->is_object() && meta->contains(mcp::kMetaProtocolVersion);
}

bool is_known_legacy(std::string_view revision) {
  return std::ranges::find(mcp::kLegacyRevisions, revision) != mcp::kLegacyRevisions.end();
}

}  // namespace

Endpoint::Endpoint(asio::io_context& context, EndpointLimits limits, EndpointHooks hooks)
    : context_(context), limits_(limits), hooks_(std::move(hooks)), heartbeat_(context) {}

Endpoint::~Endpoint() = default;

std::string Endpoint::client_of(const Exchange& exchange) const {
  return hooks_.client_of ? hooks_.client_of(exchange.request()) : exchange.request().client;
}

void Endpoint::handle(std::shared_ptr<Exchange> exchange) {
  if (heartbeat_.expiry() <= io::Clock::now()) tick();
  if (draining_) {
    exchange->respond({.status = 503, .fields = {{"retry-after", "1"}}, .close = true});
    return;
  }
  const std::string& method = exchange->request().method;
  if (method == "POST") return post(std::move(exchange));
  if (!exchange->request().field("mcp-session-id")) {
    exchange->respond({.status = 405, .fields = {{"allow", "POST"}}});
    return;
  }
  const auto session = find(*exchange);
  if (!session) return;
  if (method == "DELETE") {
    session->end();
    exchange->respond({.status = 204});
    return;
  }
  if (!accepts(exchange->request(), "text/event-stream")) {
    exchange->respond({.status = 406});
    return;
  }
  const auto last = exchange->request().field("last-event-id");
  session->get(exchange, last ? std::optional(std::string(*last)) : std::nullopt);
}

// --- POST

void Endpoint::post(std::shared_ptr<Exchange> exchange) {
  if (exchange->request().body.size() >= kLargeMessage) {
    if (!may_parse(*exchange)) return;
    io::spawn(context_, parse_large(shared_from_this(), std::move(exchange)));
    return;
  }
  auto message = rpc::parse_message(exchange->request().body);
  take(std::move(exchange), std::move(message));
}

bool Endpoint::may_parse(Exchange& exchange) {
  if (exchange.request().field("mcp-session-id") && !find(exchange)) return false;
  if (!take_calls(exchange, 1)) return false;
  call_ended(client_of(exchange));  // the number of its calls is not known yet
  return true;
}

asio::awaitable<void> Endpoint::parse_large(std::shared_ptr<Endpoint> self,
                                            std::shared_ptr<Exchange> exchange) {
  auto parsed = std::make_shared<std::optional<ParsedMessage>>();
  const auto parse = [parsed, body = std::move(exchange->request().body)]() -> Result<void> {
    parsed->emplace(rpc::parse_message(body));
    return {};
  };
  const auto done = co_await self->parsing_.run(parse, io::CancelScope(kParseLimit));
  if (!done)
    exchange->respond({.status = 503, .fields = {{"retry-after", "1"}}});
  else if (!exchange->closed() && !self->draining_)
    self->take(std::move(exchange), std::move(**parsed));
  else
    exchange->respond({.status = 503, .fields = {{"retry-after", "1"}}, .close = true});
}

void Endpoint::take(std::shared_ptr<Exchange> exchange, ParsedMessage message) {
  exchange->request().body = {};
  exchange->request().body_share.reset();
  if (!message) {
    const rpc::InvalidMessage& invalid = message.error();
    return answer_error(*exchange, 400, invalid.code, invalid.message,
                        invalid.answerable ? invalid.id : std::nullopt);
  }
  const bool has_session = exchange->request().field("mcp-session-id").has_value();
  auto* const request = std::get_if<rpc::Request>(&*message);
  const bool opens = request && request->method == "initialize";
  if (request && (is_modern(*request) || (!has_session && !opens)))
    return post_modern(std::move(exchange), std::move(*request));
  if (has_session || opens) return post_legacy(std::move(exchange), std::move(*message));
  // Notifications of the modern era have no meaning for this server.
  if (std::holds_alternative<rpc::Notification>(*message)) {
    exchange->respond({.status = 202});
    return;
  }
  answer_error(*exchange, 400, rpc::kInvalidRequest, "Mcp-Session-Id is missing. Send `initialize` first.");
}

void Endpoint::post_modern(std::shared_ptr<Exchange> exchange, rpc::Request request) {
  json schema;
  if (request.method == "tools/call" && hooks_.input_schema && request.params.is_object())
    if (const auto name = request.params.find("name"); name != request.params.end() && name->is_string())
      schema = hooks_.input_schema(name->get<std::string>(), request.params.value("arguments", json()));
  if (const auto wrong = header_mismatch(exchange->request(), request, schema))
    return answer_error(*exchange, 400, kHeaderMismatch, *wrong, request.id);
  const bool is_listener = request.method == kListen;
  if (!is_listener && !take_calls(*exchange, 1)) return;
  const auto call =
      std::make_shared<ModernCall>(shared_from_this(), exchange, client_of(*exchange), !is_listener);
  modern_.insert(call);
  call->start(std::move(request));
}

void Endpoint::post_legacy(std::shared_ptr<Exchange> exchange, rpc::Message message) {
  const auto revision = exchange->request().field("mcp-protocol-version");
  if (revision && !is_known_legacy(*revision))
    return answer_error(*exchange, 400, rpc::kInvalidRequest,
                        "MCP-Protocol-Version names a revision without sessions, or none that is known.");
  const bool opening = !exchange->request().field("mcp-session-id");
  auto session = opening ? nullptr : find(*exchange);
  if (!opening && !session) return;
  auto ids = requests_in(message);
  std::set<std::string> different;
  for (const rpc::Id& id : ids)
    if (!different.insert(id.to_string()).second || (session && session->owes(id)))
      return answer_error(*exchange, 400, rpc::kInvalidRequest, "A request with this id is in progress.", id);
  if (std::holds_alternative<rpc::Batch>(message) &&
      (!session || session->revision() != mcp::kRevisionWithBatches))
    return answer_error(*exchange, 400, rpc::kInvalidRequest, "Batches exist only in MCP 2025-03-26.");
  if (!take_calls(*exchange, ids.size())) return;
  if (opening) session = create(*exchange);
  if (!session) {
    for (std::size_t i = 0; i < ids.size(); ++i) call_ended(client_of(*exchange));
    return;
  }
  session->post(std::move(exchange), std::move(message), opening);
}

// Another client's session looks as if it did not exist.
std::shared_ptr<LegacySession> Endpoint::find(Exchange& exchange) {
  const std::string id(exchange.request().field("mcp-session-id").value_or(""));
  const auto found = legacy_.find(id);
  if (found != legacy_.end() && found->second->client() == client_of(exchange)) return found->second;
  answer_error(exchange, 404, rpc::kInvalidRequest,
               "There is no such session. Send `initialize` without Mcp-Session-Id.");
  return nullptr;
}

std::shared_ptr<LegacySession> Endpoint::create(Exchange& exchange) {
  const std::string client = client_of(exchange);
  if (!make_room(client)) {
    ++refused_calls_;
    exchange.respond({.status = 503, .fields = {{"retry-after", "30"}}});
    return nullptr;
  }
  auto session = std::make_shared<LegacySession>(shared_from_this(), random_token(), client);
  session->start();
  legacy_.emplace(session->id(), session);
  return session;
}

// Makes room for a session. Clients often vanish without a DELETE, so the session that has been idle longest
// gives way, one of the same client if that has too many. A session with a connection or a call stays. So
// does a session that its client is about to use: otherwise clients that arrive at the same moment would keep
// ending each other's sessions.
bool Endpoint::make_room(const std::string& client) {
  std::size_t own = 0;
  for (const auto& [id, session] : legacy_) own += session->client() == client ? 1 : 0;
  const bool own_only = own >= limits_.max_client_sessions;
  if (!own_only && legacy_.size() < limits_.max_sessions) return true;
  std::shared_ptr<LegacySession> idle;
  const auto recent = io::Clock::now() - limits_.session_grace;
  for (const auto& [id, session] : legacy_)
    if (!session->has_connection() && session->used() <= recent &&
        (!own_only || session->client() == client) && (!idle || session->used() < idle->used()))
      idle = session;
  if (idle) idle->end();
  return idle != nullptr;
}

// --- quotas

bool Endpoint::take_calls(Exchange& exchange, std::size_t count) {
  const std::string client = client_of(exchange);
  const auto known = calls_.find(client);
  const std::size_t own = known == calls_.end() ? 0 : known->second;
  const bool too_many_own = count > 0 && own + count > limits_.max_client_calls;
  if (too_many_own || (count > 0 && all_calls_ + count > limits_.max_calls)) {
    ++refused_calls_;
    http::OutgoingResponse response =
        json_response(too_many_own ? 429 : 503,
                      rpc::make_error(std::nullopt, {rpc::kInternalError,
                                                     too_many_own ? "You have too many requests in progress."
                                                                  : "Too many requests are in progress.",
                                                     nullptr}));
    response.fields.emplace_back("retry-after", "1");
    exchange.respond(std::move(response));
    return false;
  }
  if (count > 0) calls_[client] += count;
  all_calls_ += count;
  return true;
}

void Endpoint::call_ended(const std::string& client) {
  const auto known = calls_.find(client);
  if (known == calls_.end()) return;
  --all_calls_;
  if (--known->second == 0) calls_.erase(known);
}

// --- long-lived streams and sessions

void Endpoint::modern_ended(const std::shared_ptr<ModernCall>& call) {
  modern_.erase(call);
}

void Endpoint::legacy_ended(const std::string& id) {
  legacy_.erase(id);
}

void Endpoint::keep_open(const std::shared_ptr<Exchange>& exchange) {
  open_.push_back(exchange);
}

void Endpoint::tick() {
  const auto now = io::Clock::now();
  std::erase_if(open_, [](const std::weak_ptr<Exchange>& each) {
    const auto exchange = each.lock();
    return !exchange || exchange->ended() || !exchange->write(":\n\n");
  });
  std::vector<std::shared_ptr<LegacySession>> idle;
  for (const auto& [id, session] : legacy_) {
    session->forget_streams(now);
    if (!session->has_connection() && now - session->used() > limits_.session_idle) idle.push_back(session);
  }
  for (const auto& session : idle) session->end();
  heartbeat_.expires_after(limits_.heartbeat);
  heartbeat_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto self = weak.lock();
    if (!error && self) self->tick();
  });
}

void Endpoint::list_changed(mcp::Session::List list) {
  for (const auto& [id, session] : std::map(legacy_)) session->list_changed(list);
  for (const auto& call : std::set(modern_)) call->list_changed(list);
}

void Endpoint::drain() {
  draining_ = true;
  for (const auto& [id, session] : std::map(legacy_)) session->drain();
  for (const auto& call : std::set(modern_))
    if (call->is_listener()) call->close();
}

void Endpoint::close() {
  draining_ = true;
  heartbeat_.cancel();
  for (const auto& [id, session] : std::map(legacy_)) session->end();
  for (const auto& call : std::set(modern_)) call->close();
}

EndpointCounts Endpoint::counts() const {
  const auto is_open = [](const std::weak_ptr<Exchange>& each) {
    const auto exchange = each.lock();
    return exchange && !exchange->ended() && !exchange->closed();
  };
  return {.sessions = legacy_.size(),
          .calls = all_calls_,
          .streams = static_cast<std::size_t>(std::ranges::count_if(open_, is_open)),
          .refused_calls = refused_calls_,
          .resumed_streams = resumed_streams_};
}

}  // namespace leanbridge::streamable
