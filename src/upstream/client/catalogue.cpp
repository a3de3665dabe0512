// Client: what the server offers, read page by page, checked, and read again when it says that it changed.

#include "leanbridge/base/log.hpp"

#include "connection.hpp"
#include "upstream/transport/http_headers.hpp"
#include "upstream/transport/incoming.hpp"

#include <algorithm>
#include <set>

namespace leanbridge::upstream {

using nlohmann::json;

namespace {

constexpr int kMostPages = 200;
constexpr std::size_t kLongestItemName = 1024;           // bytes
constexpr std::size_t kLargestDescription = 256u << 10;  // bytes of one tool or prompt as JSON
constexpr auto kListenAgain = std::chrono::seconds(5);

std::string name_in(const json& item) {
  return item.is_object() && item.contains("name") && item["name"].is_string()
             ? item["name"].get<std::string>()
             : "";
}

// Why it cannot be offered; "" where it can.
std::string fault_of_item(const json& item) {
  const std::string name = name_in(item);
  if (name.empty()) return "it has no name";
  if (name.size() > kLongestItemName) return "its name is " + std::to_string(name.size()) + " bytes long";
  if (!text::is_clean(name)) return "its name holds control characters";
  if (rpc::dump(item).size() > kLargestDescription) return "its description is larger than 256 KiB";
  if (item.contains("description") && !item["description"].is_string()) return "its description is no text";
  return "";
}

// A name that is cleaned is another one, by which the server knows nothing.
bool has_clean_names(const json& object) {
  if (!object.is_object()) return true;
  const auto items = object.items();
  return std::all_of(items.begin(), items.end(), [](const auto& item) { return text::is_clean(item.key()); });
}

std::string fault_of_tool(const json& tool) {
  if (!tool.contains("inputSchema") || !tool["inputSchema"].is_object()) return "it has no inputSchema";
  if (!has_clean_names(tool["inputSchema"].value("properties", json())))
    return "the name of an argument holds control characters";
  if (tool["inputSchema"].value("type", json()) != "object") return "its inputSchema is not of type object";
  if (tool.contains("outputSchema") && !tool["outputSchema"].is_object())
    return "its outputSchema is no object";
  return "";
}

std::string fault_of_prompt(const json& prompt) {
  if (!prompt.contains("arguments")) return "";
  if (!prompt["arguments"].is_array()) return "its arguments are no list";
  for (const json& argument : prompt["arguments"]) {
    if (name_in(argument).empty()) return "an argument of it has no name";
    if (!text::is_clean(name_in(argument))) return "the name of an argument holds control characters";
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

// What the user may have consented to has become something else: said, since the model will follow it.
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
  for (int page = 0; page < kMostPages; ++page) {
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
      // Of what was not asked for the old list stays, unless the server no longer has such a thing.
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
      if (fault.empty() && !names.insert(name_in(item)).second) fault = "there are two of this name";
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
                                 " is left out: " + fault + ".");
      else if (chosen)
        list.push_back(std::move(item));
    }
    if (items->size() >= options_.max_items)
      offer.problems.push_back("Of its " + std::string(are_tools ? "tools" : "prompts") + " only the first " +
                               std::to_string(options_.max_items) + " are offered.");
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

// Modern servers tell of changes only in answer to this request, which stays open.
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
    auto timer = std::make_shared<asio::steady_timer>(self->context_, kListenAgain);
    timer->async_wait([weak, weak_connection, timer](boost::system::error_code) {
      const auto client = weak.lock();
      const auto current = weak_connection.lock();
      if (!client || !current || current != client->connection_ || client->state_ != State::Ready) return;
      client->listen(current);
      current->stale_tools = current->stale_prompts = true;  // whatever changed while nobody listened
      if (!std::exchange(current->refreshing, true))
        asio::co_spawn(client->context_, client->refresh(current), asio::detached);
    });
  };
  static_cast<void>(connection->peer->request("subscriptions/listen", std::move(params), again));
}

}  // namespace leanbridge::upstream
