// Client: which era the server speaks, what it offers, and what it may ask of us.

#include "leanbridge/base/log.hpp"
#include "leanbridge/mcp/revision.hpp"
#include "leanbridge/upstream/client.hpp"

#include "upstream/transport/http_headers.hpp"
#include "upstream/transport/incoming.hpp"

#include <algorithm>
#include <set>

namespace leanbridge::upstream {

using nlohmann::json;

// --- the handshake, and what the server sends unasked

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

// Authorization errors and outages say nothing about the era; report them as they are.
bool is_outage(const RequestError& error) {
  if (!error.answered) return error.error.kind == ErrorKind::Timeout;
  const int status = http_status(error);
  return error.answered->code == kTransportError &&
         (status < 400 || status == 401 || status == 403 || status == 407 || status == 429 || status >= 500);
}

// It refused our revision but lists it: another instance may answer the next request.
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
    if (!connection_) co_return fail(ErrorKind::Cancelled, "The connection was abandoned.");
    if (connection_->ended) {  // it does not survive the probe: restart it without
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
    return fail(ErrorKind::NotSupported, "It supports no modern revision that leanbridge supports.");
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
    if (!connection_) co_return fail(ErrorKind::Cancelled, "The connection was abandoned.");
    if (reply) co_return accept_legacy(*reply);
    const int status = http_status(reply.error());
    const bool older = status == 400 || status == 404 || status == 405;
    if (kind_ != TransportKind::Http || !older) co_return tl::unexpected(reply.error().error);
    // The transport of 2024-11-05 accepts no POST at its address.
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
                    printable(rpc::dump(version)) + ", which is not supported.",
                "Update the server or leanbridge.");
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
    log::warn("upstream {}: the server sent the request {}, which its revision forbids", config_.name,
              printable(request.method));
    return responder.abandon();  // answering is forbidden, too
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
    const auto waiting = found->second;  // by value: the callbacks may end the request
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

// --- what it offers, read page by page, checked, and read again when it says that it changed

namespace {

constexpr int kMaxPages = 200;
constexpr std::size_t kMaxItemName = 1024;           // bytes
constexpr std::size_t kMaxDescription = 256u << 10;  // bytes of one tool or prompt as JSON
constexpr auto kListenRetry = std::chrono::seconds(5);

std::string name_in(const json& item) {
  return item.is_object() && item.contains("name") && item["name"].is_string()
             ? item["name"].get<std::string>()
             : "";
}

// Why the item cannot be offered, or "".
std::string fault_of_item(const json& item) {
  const std::string name = name_in(item);
  if (name.empty()) return "it has no name";
  if (name.size() > kMaxItemName) return "its name is " + std::to_string(name.size()) + " bytes long";
  if (!text::is_clean(name)) return "its name contains control characters";
  if (rpc::dump(item).size() > kMaxDescription) return "its description is larger than 256 KiB";
  if (item.contains("description") && !item["description"].is_string())
    return "its description is not a string";
  return "";
}

// Argument names must not be cleaned: the server would not recognise them.
bool has_clean_names(const json& object) {
  if (!object.is_object()) return true;
  const auto items = object.items();
  return std::all_of(items.begin(), items.end(), [](const auto& item) { return text::is_clean(item.key()); });
}

std::string fault_of_tool(const json& tool) {
  if (!tool.contains("inputSchema") || !tool["inputSchema"].is_object()) return "it has no inputSchema";
  if (!has_clean_names(tool["inputSchema"].value("properties", json())))
    return "the name of an argument contains control characters";
  if (tool["inputSchema"].value("type", json()) != "object") return "its inputSchema is not of type object";
  if (tool.contains("outputSchema") && !tool["outputSchema"].is_object())
    return "its outputSchema is not an object";
  return "";
}

std::string fault_of_prompt(const json& prompt) {
  if (!prompt.contains("arguments")) return "";
  if (!prompt["arguments"].is_array()) return "its arguments are not a list";
  for (const json& argument : prompt["arguments"]) {
    if (name_in(argument).empty()) return "one of its arguments has no name";
    if (!text::is_clean(name_in(argument))) return "the name of an argument contains control characters";
  }
  return "";
}

bool says_changes(const json& capabilities, const char* what) {
  return capabilities.contains(what) && capabilities[what].is_object() &&
         capabilities[what].value("listChanged", json()) == true;
}

std::string short_name(const json& item) {
  const std::string name = printable(name_in(item));
  return name.size() > 60 ? printable(name.substr(0, 57)) + "..." : name;
}

// Warn if a description changes after the user may have consented to it, since the model follows it.
void tell_changes(const std::string& server, const std::vector<json>& before,
                  const std::vector<json>& after) {
  for (const json& tool : before)
    for (const json& now : after)
      if (now["name"] == tool["name"] && now != tool)
        log::warn("upstream {}: the description of {} has changed", server, short_name(tool));
}

}  // namespace

asio::awaitable<Result<std::vector<json>>> Client::read_pages(std::string method, std::string member) {
  const auto connection = connection_;
  std::vector<json> items;
  std::set<std::string> cursors;
  json params = json::object();
  for (int page = 0; page < kMaxPages; ++page) {
    const io::CancelScope scope(options_.start_limit);
    Reply reply = co_await request_on(connection, method, params, options_.start_limit, scope, {});
    if (!reply) co_return tl::unexpected(reply.error().error);
    json list = reply->value(member, json());
    if (!list.is_array())
      co_return fail(ErrorKind::BackendError, "The server " + config_.name + " answered " + method +
                                                  " without a list of " + member + ".");
    for (json& item : list) {
      if (items.size() >= options_.max_items) break;
      items.push_back(std::move(item));
    }
    const json cursor = reply->value("nextCursor", json());
    const bool more = cursor.is_string() && items.size() < options_.max_items;
    if (!more || !cursors.insert(cursor.get<std::string>()).second) break;
    params["cursor"] = cursor;
  }
  co_return items;
}

asio::awaitable<Result<void>> Client::read_lists(bool tools, bool prompts) {
  const auto self = shared_from_this();
  const auto connection = connection_;
  Offer offer;
  MirroredArguments mirrored;
  for (const bool are_tools : {true, false}) {
    auto& list = are_tools ? offer.tools : offer.prompts;
    const bool wanted = are_tools ? tools : prompts;
    if (!wanted) {
      // Keep the list that was not requested, unless the server no longer has such items.
      if (capabilities_.contains(are_tools ? "tools" : "prompts"))
        list = are_tools ? offer_.tools : offer_.prompts;
      continue;
    }
    if (!connection || connection != connection_)
      co_return fail(ErrorKind::BackendUnavailable, "The connection to " + config_.name + " has ended.");
    const std::string method = are_tools ? "tools/list" : "prompts/list";
    auto items = co_await read_pages(method, are_tools ? "tools" : "prompts");
    if (connection->ended) co_return fail(ErrorKind::BackendUnavailable, connection->ended->reason);
    if (!items) {
      offer.problems.push_back(items.error().message);
      continue;
    }
    std::set<std::string> names;
    for (json& item : *items) {
      std::string fault = fault_of_item(item);
      if (fault.empty()) fault = are_tools ? fault_of_tool(item) : fault_of_prompt(item);
      if (fault.empty()) item = text::cleaned_json(std::move(item));
      if (fault.empty() && !names.insert(name_in(item)).second) fault = "another one has the same name";
      if (fault.empty() && are_tools && modern_ && kind_ == TransportKind::Http) {
        auto arguments = mirrored_arguments(item["inputSchema"]);
        if (!arguments)
          fault = arguments.error().message;
        else if (!arguments->empty())
          mirrored[name_in(item)] = std::move(*arguments);
      }
      const bool chosen =
          !are_tools || config_.tools.empty() ||
          std::find(config_.tools.begin(), config_.tools.end(), name_in(item)) != config_.tools.end();
      if (!fault.empty())
        offer.problems.push_back(std::string(are_tools ? "Tool " : "Prompt ") + short_name(item) +
                                 " is not offered: " + fault + ".");
      else if (chosen)
        list.push_back(std::move(item));
    }
    if (items->size() >= options_.max_items)
      offer.problems.push_back("Only the first " + std::to_string(options_.max_items) + " of its " +
                               (are_tools ? "tools" : "prompts") + " are offered.");
  }
  for (const std::string& problem : offer.problems) log::warn("upstream {}: {}", config_.name, problem);
  tell_changes(config_.name, offer_.tools, offer.tools);
  if (tools) connection->transport->mirror(std::move(mirrored));
  offer_ = std::move(offer);
  co_return Result<void>();
}

asio::awaitable<void> Client::refresh(ConnectionPtr connection) {
  const auto self = shared_from_this();
  while (connection->stale_tools || connection->stale_prompts) {
    const bool tools = std::exchange(connection->stale_tools, false) && capabilities_.contains("tools");
    const bool prompts = std::exchange(connection->stale_prompts, false) && capabilities_.contains("prompts");
    const Result<void> read = co_await read_lists(tools, prompts);
    if (!read || connection != connection_) break;
    if (tools && events_.on_tools_changed) events_.on_tools_changed();
    if (prompts && events_.on_prompts_changed) events_.on_prompts_changed();
  }
  connection->refreshing = false;
}

// Modern servers report changes only in response to this request, which stays open.
void Client::listen(const ConnectionPtr& connection) {
  if (!modern_) return;
  json wanted = json::object();
  if (says_changes(capabilities_, "tools")) wanted["toolsListChanged"] = true;
  if (says_changes(capabilities_, "prompts")) wanted["promptsListChanged"] = true;
  if (wanted.empty()) return;
  json params = {{"notifications", wanted}, {"_meta", modern_meta()}};
  const auto again = [weak = weak_from_this(),
                      weak_connection = std::weak_ptr(connection)](rpc::Outcome outcome) {
    const auto self = weak.lock();
    const auto here = weak_connection.lock();
    const auto* error = std::get_if<rpc::RpcError>(&outcome);
    const bool refused = error && error->code != kTransportError;
    if (!self || !here || refused || std::holds_alternative<rpc::ConnectionLost>(outcome)) return;
    auto timer = std::make_shared<asio::steady_timer>(self->context_, kListenRetry);
    timer->async_wait([weak, weak_connection, timer](boost::system::error_code) {
      const auto client = weak.lock();
      const auto current = weak_connection.lock();
      if (!client || !current || current != client->connection_ || client->state_ != State::Ready) return;
      client->listen(current);
      current->stale_tools = current->stale_prompts = true;  // something may have changed meanwhile
      if (!std::exchange(current->refreshing, true))
        asio::co_spawn(client->context_, client->refresh(current), asio::detached);
    });
  };
  static_cast<void>(connection->peer->request("subscriptions/listen", std::move(params), again));
}

}  // namespace leanbridge::upstream
