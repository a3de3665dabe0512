// Client: finds the server's era and its items, and handles its requests to us.

#include "core/base/json.hpp"
#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "core/io/one_shot.hpp"
#include "core/mcp/revision.hpp"
#include "gateway/upstream/client.hpp"
#include "gateway/upstream/transport/http_headers.hpp"
#include "gateway/upstream/transport/incoming.hpp"
#include "questions.hpp"

#include <algorithm>
#include <set>

namespace leanbridge::upstream {

using nlohmann::json;

// --- the handshake, and unrequested messages of the server

namespace {

constexpr int kHeaderMismatch = -32020;
constexpr std::size_t kMaxAsking = 16;  // concurrent requests of one server
constexpr auto kListenRetry = std::chrono::seconds(5);

// Removes the entry at the end of its scope.
template <class Map, class Key>
struct ErasedAtEnd {
  Map& map;
  Key key;
  ~ErasedAtEnd() { map.erase(key); }
};

bool is_modern_error(int code) {
  return code == kHeaderMismatch || code == mcp::kMissingClientCapability ||
         code == mcp::kUnsupportedProtocolVersion;
}

int http_status(const RequestError& error) {
  if (!error.answered || error.answered->code != kTransportError) return 0;
  return error.answered->data.is_object() ? error.answered->data.value("http_status", 0) : 0;
}

// Authorization errors and outages do not show the era; report them as they are.
bool is_outage(const RequestError& error) {
  if (!error.answered) return error.error.kind == ErrorKind::Timeout;
  const int status = http_status(error);
  return error.answered->code == kTransportError &&
         (status < 400 || status == 401 || status == 403 || status == 407 || status == 429 || status >= 500);
}

// It refused our revision but lists it: another instance may answer the next request.
bool offers_ours(const RequestError& error) {
  if (!error.answered || error.answered->code != mcp::kUnsupportedProtocolVersion) return false;
  const json& supported = member(error.answered->data, "supported");
  return supported.is_array() &&
         std::ranges::find(supported, json(mcp::kModernRevisions.front())) != supported.end();
}

// Every server of the older eras knows `initialize`.
bool is_not_legacy(const RequestError& error) {
  return offers_ours(error) || (error.answered && error.answered->code == rpc::kMethodNotFound);
}

json object_member(const json& object, const char* name) {
  const json& found = member(object, name);
  return found.is_object() ? text::cleaned_json(found) : json();
}

}  // namespace

json Client::modern_meta(const json& capabilities) const {
  return {{mcp::kMetaProtocolVersion, mcp::kModernRevisions.front()},
          {mcp::kMetaClientCapabilities, capabilities},
          {mcp::kMetaClientInfo, {{"name", "leanbridge"}, {"version", options_.version}}}};
}

asio::awaitable<Result<void>> Client::handshake() {
  if (!known_legacy_ && kind_ != TransportKind::Sse) {
    const std::optional<Result<void>> decided =
        co_await probe(kind_ == TransportKind::Stdio ? options_.probe_limit : options_.start_limit);
    if (decided) co_return *decided;
    if (!connection_) co_return fail(ErrorKind::Cancelled, "The connection was abandoned.");
    if (connection_->ended) {  // it does not survive the probe: restart it without one
      known_legacy_ = true;
      CO_TRY(connection_, open(kind_));
    }
  }
  co_return co_await initialize();
}

// nullopt: the era is legacy.
asio::awaitable<std::optional<Result<void>>> Client::probe(io::Clock::duration limit) {
  const auto connection = connection_;
  json params = {{"_meta", modern_meta()}};
  const bool stdio = kind_ == TransportKind::Stdio;
  Reply reply = co_await request_on(connection, "server/discover", params, limit, io::CancelScope(limit), {});
  if (!reply && offers_ours(reply.error()) && connection_ && !connection->ended)
    reply = co_await request_on(connection, "server/discover", params, limit, io::CancelScope(limit), {});
  if (connection->ended && stdio && connection->ended->kind == ConnectionEnd::Kind::Exited)
    co_return std::nullopt;
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
  const json& versions = member(result, "supportedVersions");
  const json ours = mcp::kModernRevisions.front();
  if (!versions.is_array() || std::ranges::find(versions, ours) == versions.end())
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
    const auto host = options_.host ? options_.host() : nullptr;
    connection->declared = host ? host->capabilities() : json::object();
    json params = {{"protocolVersion", mcp::kLegacyRevisions.front()},
                   {"capabilities", connection->declared},
                   {"clientInfo", {{"name", "leanbridge"}, {"version", options_.version}}}};
    const io::CancelScope scope(options_.start_limit);
    const Reply reply =
        co_await request_on(connection, "initialize", std::move(params), options_.start_limit, scope, {});
    if (!connection_) co_return fail(ErrorKind::Cancelled, "The connection was abandoned.");
    if (reply) co_return accept_legacy(*reply);
    // The server was still starting when it was probed: npx or uvx may have to fetch it first.
    if (known_legacy_ && is_not_legacy(reply.error())) {
      known_legacy_ = false;
      const std::optional<Result<void>> decided = co_await probe(options_.start_limit);
      co_return decided.value_or(tl::unexpected(reply.error().error));
    }
    const int status = http_status(reply.error());
    const bool older = status == 400 || status == 404 || status == 405;
    if (kind_ != TransportKind::Http || !older) co_return tl::unexpected(reply.error().error);
    // With the transport of 2024-11-05, its address accepts no POST.
    connection->transport->kill();
    kind_ = TransportKind::Sse;
    CO_TRY(connection_, open(kind_));
  }
}

Result<void> Client::accept_legacy(const json& result) {
  const json& version = member(result, "protocolVersion");
  const bool known =
      version.is_string() &&
      std::ranges::find(mcp::kLegacyRevisions, version.get<std::string>()) != mcp::kLegacyRevisions.end();
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
  auto host = options_.host ? options_.host() : nullptr;
  if (!host || !mcp::can_answer(connection->declared, request.method))
    return responder.error(
        {rpc::kMethodNotFound, "leanbridge does not offer " + request.method + ".", nullptr});
  if (connection->asking >= kMaxAsking)
    return responder.error({rpc::kInternalError, "Too many questions are already open.", nullptr});
  ++connection->asking;
  io::spawn(context_, ask_client(connection, std::move(host), std::move(request), std::move(responder)));
}

asio::awaitable<void> Client::ask_client(ConnectionPtr connection, std::shared_ptr<mcp::Host> host,
                                         rpc::Request request, rpc::Responder responder) {
  const auto self = shared_from_this();
  const io::CancelScope scope(options_.request_cap);
  responder.on_cancel([cancel = scope.cancel](const std::string&) { cancel->cancel(); });
  json params = shown_question(request.method, std::move(request.params), config_.name);
  mcp::HostAnswer answer = co_await host->ask(request.method, std::move(params), scope);
  --connection->asking;
  if (answer)
    responder.result(std::move(*answer));
  else
    responder.error(std::move(answer.error()));
}

void Client::roots_changed() {
  if (!modern_ && connection_ && connection_->declared.contains("roots"))
    connection_->peer->notify("notifications/roots/list_changed", nullptr);
}

// --- changes of single resources

bool Client::reports_changes_of_resources() const {
  const json resources = capabilities_.value("resources", json());
  return resources.is_object() && resources.value("subscribe", json()) == true;
}

asio::awaitable<void> Client::watch_resource(std::string uri, io::CancelScope scope,
                                             std::function<void()> changed) {
  const auto self = shared_from_this();
  for (bool first = true; !scope.cancel->cancelled(); first = false) {
    const Result<void> ready = co_await ensure_ready(scope.with_timeout(options_.longest_pause));
    const auto connection = connection_;
    if (!ready || !connection) {
      if (co_await io::sleep_for(options_.longest_pause, scope) == io::WaitStatus::Cancelled) co_return;
      continue;
    }
    if (!first) changed();  // changes since the connection ended went unnoticed
    const std::uint64_t number = connection->next_watch++;
    const ErasedAtEnd<decltype(connection->watches), std::uint64_t> registered{connection->watches, number};
    connection->watches[number] = {uri, changed};
    co_await watch_on(connection, uri, scope);
    if (connection == connection_) co_await io::sleep_for(kListenRetry, scope);  // the server ended it
  }
}

// Watches until the connection or the scope ends.
asio::awaitable<void> Client::watch_on(ConnectionPtr connection, const std::string& uri,
                                       io::CancelScope scope) {
  const auto ended = [&] { return connection != connection_ || state_ != State::Ready; };
  if (modern_) {
    json params = {{"notifications", {{"resourceSubscriptions", json::array({uri})}}},
                   {"_meta", modern_meta()}};
    const auto over = std::make_shared<io::OneShot<rpc::Outcome>>();
    const auto self = shared_from_this();
    const auto id = connection->peer->request("subscriptions/listen", std::move(params),
                                              [over, self](rpc::Outcome outcome) {
                                                over->set(std::move(outcome));
                                                self->changed_.notify_all();
                                              });
    co_await io::wait_until(changed_, scope, [&] { return ended() || over->has_value() || !id; });
    if (id && !connection->ended) connection->peer->cancel(*id, "no longer needed");
    co_return;
  }
  const json params = {{"uri", uri}};
  const io::CancelScope soon = scope.with_timeout(options_.start_limit);
  const Reply subscribed =
      co_await request_on(connection, "resources/subscribe", params, options_.start_limit, soon, {});
  if (!subscribed) {
    log::warn("upstream {}: changes of {} are not reported: {}", config_.name, printable(uri),
              printable(config_, subscribed.error().error.message));
    co_return;
  }
  co_await io::wait_until(changed_, scope, ended);
  const bool others = std::ranges::count_if(connection->watches,
                                            [&](const auto& each) { return each.second.first == uri; }) > 1;
  if (connection->ended || others) co_return;
  const io::CancelScope goodbye(options_.start_limit);
  co_await request_on(connection, "resources/unsubscribe", params, options_.start_limit, goodbye, {});
}

void Client::on_notification(const ConnectionPtr& connection, const rpc::Notification& notification) {
  const std::string& method = notification.method;
  const json& params = notification.params;
  if (method == "notifications/progress") {
    if (!params.is_object() || !params.contains("progressToken") || !params["progressToken"].is_string())
      return;
    const auto found = connection->progress.find(params["progressToken"].get<std::string>());
    if (found == connection->progress.end()) return;
    const auto waiting = found->second;  // a copy: the callbacks may end the request
    waiting.extend();
    json told = params;
    told.erase("progressToken");
    told.erase("_meta");
    if (waiting.on_progress) waiting.on_progress(text::cleaned_json(std::move(told)));
  } else if (method == "notifications/resources/updated") {
    const std::string uri = text_member(params, "uri");
    const auto watches = connection->watches;  // a copy: the callbacks may end a watch
    for (const auto& [number, watch] : watches)
      if (watch.first == uri) watch.second();
  } else if (method == "notifications/message" && params.is_object()) {
    log::info("upstream {}: {}", config_.name,
              printable(config_, rpc::dump(params.value("data", json())).substr(0, 1000)));
  }
  for (const mcp::List list : mcp::all_lists()) {
    if (method != mcp::change_of(list)) continue;
    connection->stale.insert(list);
    if (connection == connection_ && state_ == State::Ready && !std::exchange(connection->refreshing, true))
      io::spawn(context_, refresh(connection));
  }
}

// --- the server's offer: read page by page, checked, and read again when the server says that it changed

namespace {

constexpr auto kPauseBetweenChanges = std::chrono::seconds(1);
constexpr int kMaxPages = 200;
constexpr std::size_t kMaxItemName = 1024;           // bytes
constexpr std::size_t kMaxUri = 4096;                // bytes
constexpr std::size_t kMaxDescription = 256u << 10;  // bytes of one tool or prompt as JSON

// Why the item cannot be offered, or "".
std::string fault_of_item(const json& item) {
  const std::string name = text_member(item, "name");
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
  return std::ranges::all_of(items, [](const auto& item) { return text::is_clean(item.key()); });
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
    if (text_member(argument, "name").empty()) return "one of its arguments has no name";
    if (!text::is_clean(text_member(argument, "name")))
      return "the name of an argument contains control characters";
  }
  return "";
}

// The fault of a resource, or of a template, which has `uriTemplate` instead of `uri`.
std::string fault_of_resource(const json& resource, const char* member) {
  if (!resource.contains(member) || !resource[member].is_string() ||
      resource[member].get_ref<const std::string&>().empty())
    return std::string("it has no ") + member;
  const std::string uri = resource[member].get<std::string>();
  if (uri.size() > kMaxUri)
    return std::string("its ") + member + " is " + std::to_string(uri.size()) + " bytes long";
  if (!text::is_clean(uri)) return std::string("its ") + member + " contains control characters";
  return "";
}

bool says_changes(const json& capabilities, const std::string& what) {
  return capabilities.contains(what) && capabilities[what].is_object() &&
         capabilities[what].value("listChanged", json()) == true;
}

std::string short_name(const json& item) {
  const std::string name = printable(text_member(item, "name"));
  return name.size() > 60 ? printable(name.substr(0, 57)) + "..." : name;
}

// Warns if a description changes after the user may have consented to it, since the model follows it.
void warn_of_changes(const std::string& server, const std::vector<json>& before,
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

namespace {

/// A list of a server: how to read it, and where to keep it.
struct ListKind {
  const char* title;
  mcp::List list;
  const char* method;
  const char* member;  ///< in the answer
  const char* key;     ///< in an item; unique in the list
  std::vector<json> Offer::*items;
};

constexpr ListKind kLists[] = {
    {"Tool", mcp::List::Tools, "tools/list", "tools", "name", &Offer::tools},
    {"Prompt", mcp::List::Prompts, "prompts/list", "prompts", "name", &Offer::prompts},
    {"Resource", mcp::List::Resources, "resources/list", "resources", "uri", &Offer::resources},
    {"Template", mcp::List::Resources, "resources/templates/list", "resourceTemplates", "uriTemplate",
     &Offer::templates},
};

std::string fault_of(const ListKind& kind, const json& item) {
  if (std::string fault = fault_of_item(item); !fault.empty()) return fault;
  if (kind.items == &Offer::tools) return fault_of_tool(item);
  if (kind.items == &Offer::prompts) return fault_of_prompt(item);
  return fault_of_resource(item, kind.key);
}

}  // namespace

asio::awaitable<Result<void>> Client::read_lists(mcp::Lists wanted) {
  const auto self = shared_from_this();
  const auto connection = connection_;
  Offer offer;
  MirroredArguments mirrored;
  for (const ListKind& kind : kLists) {
    auto& list = offer.*kind.items;
    const bool are_tools = kind.items == &Offer::tools;
    if (!wanted.contains(kind.list)) {
      // Keep a list that was not requested, unless the server no longer has such items.
      if (capabilities_.contains(mcp::word_of(kind.list))) list = offer_.*kind.items;
      continue;
    }
    if (!connection || connection != connection_)
      co_return fail(ErrorKind::BackendUnavailable, "The connection to " + config_.name + " has ended.");
    auto items = co_await read_pages(kind.method, kind.member);
    if (connection->ended) co_return fail(ErrorKind::BackendUnavailable, connection->ended->reason);
    if (!items) {
      // Many servers with resources have no templates, and answer with this error.
      if (kind.items != &Offer::templates) offer.problems.push_back(items.error().message);
      continue;
    }
    std::set<std::string> keys;
    for (json& item : *items) {
      std::string fault = fault_of(kind, item);
      if (fault.empty()) item = text::cleaned_json(std::move(item));
      if (fault.empty() && !keys.insert(item[kind.key].get<std::string>()).second)
        fault = std::string("another one has the same ") + kind.key;
      if (fault.empty() && are_tools && modern_ && kind_ == TransportKind::Http) {
        auto arguments = mirrored_arguments(item["inputSchema"]);
        if (!arguments)
          fault = arguments.error().message;
        else if (!arguments->empty())
          mirrored[text_member(item, "name")] = std::move(*arguments);
      }
      const bool chosen = !are_tools || config_.tools.empty() ||
                          std::ranges::find(config_.tools, text_member(item, "name")) != config_.tools.end();
      if (!fault.empty())
        offer.problems.push_back(std::string(kind.title) + " " + short_name(item) +
                                 " is not offered: " + fault + ".");
      else if (chosen)
        list.push_back(std::move(item));
    }
    if (items->size() >= options_.max_items)
      offer.problems.push_back("Only the first " + std::to_string(options_.max_items) + " of its " +
                               kind.member + " are offered.");
  }
  for (const std::string& problem : offer.problems) log::warn("upstream {}: {}", config_.name, problem);
  warn_of_changes(config_.name, offer_.tools, offer.tools);
  if (wanted.contains(mcp::List::Tools)) connection->transport->mirror(std::move(mirrored));
  offer_ = std::move(offer);
  co_return Result<void>();
}

mcp::Lists Client::declared(mcp::Lists lists) const {
  std::erase_if(lists, [this](mcp::List list) { return !capabilities_.contains(mcp::word_of(list)); });
  return lists;
}

void Client::tell_changes(const mcp::Lists& changed) {
  if (!on_changed_) return;
  for (const mcp::List list : changed) on_changed_(list);
}

asio::awaitable<void> Client::refresh(ConnectionPtr connection) {
  const auto self = shared_from_this();
  while (!connection->stale.empty()) {
    const mcp::Lists stale = declared(std::exchange(connection->stale, {}));
    const Result<void> read = co_await read_lists(stale);
    if (!read || connection != connection_) break;
    tell_changes(stale);
    // Changes in the meantime are reported once.
    co_await io::sleep_for(kPauseBetweenChanges, io::CancelScope(2 * kPauseBetweenChanges));
  }
  connection->refreshing = false;
}

// Modern servers report changes only in response to this request, which stays open.
void Client::listen(const ConnectionPtr& connection) {
  if (!modern_) return;
  json wanted = json::object();
  for (const mcp::List list : mcp::all_lists())
    if (says_changes(capabilities_, mcp::word_of(list))) wanted[mcp::filter_of(list)] = true;
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
      current->stale = mcp::all_lists();  // something may have changed meanwhile
      if (!std::exchange(current->refreshing, true)) io::spawn(client->context_, client->refresh(current));
    });
  };
  static_cast<void>(connection->peer->request("subscriptions/listen", std::move(params), again));
}

}  // namespace leanbridge::upstream
