#include "leanbridge/upstream/hub.hpp"

#include "leanbridge/base/log.hpp"
#include "leanbridge/rpc/message.hpp"
#include "leanbridge/text/untrusted.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace leanbridge::upstream {

using nlohmann::json;

namespace {

constexpr auto kSettleLimit = std::chrono::seconds(30);
constexpr std::size_t kNamesShown = 20;

const std::vector<json>& items_of(const Client& client, bool tools) {
  return tools ? client.offer().tools : client.offer().prompts;
}

const json* find_item(const std::vector<json>& items, const std::string& name) {
  for (const json& item : items)
    if (item["name"] == name) return &item;
  return nullptr;
}

// The item as our client sees it: the server's description under the offered name.
json offered(json item, const std::string& name, bool tool) {
  item["name"] = name;
  if (tool) {
    item.erase("execution");  // tasks are not supported
    const bool of_objects =
        item.contains("outputSchema") && item["outputSchema"].value("type", json()) == "object";
    if (!of_objects) item.erase("outputSchema");  // older clients accept no other
  }
  return item;
}

// Clean a result's metadata (names, addresses, annotations) like a description, but pass its data on
// unchanged.
json with_clean_metadata(json value) {
  if (value.is_array()) {
    for (json& element : value) element = with_clean_metadata(std::move(element));
    return value;
  }
  if (!value.is_object()) return text::cleaned_json(std::move(value));
  for (auto& [name, member] : value.items()) {
    const bool data = name == "text" || name == "data" || name == "blob" || name == "structuredContent";
    if (name == "_meta")
      member = text::cleaned_json(std::move(member));
    else if (!data)
      member = with_clean_metadata(std::move(member));
  }
  return value;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kNamesShown; ++i) text += (i ? ", " : "") + names[i];
  if (names.size() > kNamesShown) text += ", and " + std::to_string(names.size() - kNamesShown) + " more";
  return text;
}

}  // namespace

// --- names

namespace {

constexpr std::size_t kHashEnd = 9;  // `_` and 8 digits

bool is_legal(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

// Replace each run of illegal characters by one `_`.
std::string only_legal(std::string_view text) {
  std::string legal;
  bool in_run = false;
  for (const char c : text) {
    if (is_legal(c))
      legal += c;
    else if (!in_run)
      legal += '_';
    in_run = !is_legal(c);
  }
  return legal;
}

std::string cut_with_hash(std::string legal, std::size_t longest, std::string_view original) {
  if (legal.size() > longest - kHashEnd) legal.resize(longest - kHashEnd);
  while (!legal.empty() && legal.back() == '_') legal.pop_back();
  return legal + (legal.empty() ? "" : "_") + stable_hash(original);
}

}  // namespace

std::string stable_hash(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ULL;
  }
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(hash ^ (hash >> 32U)));
  return digits;
}

std::string server_part(std::string_view server) {
  std::string part;
  for (const char c : only_legal(server))
    if (c != '_' || (!part.empty() && part.back() != '_')) part += c;
  while (!part.empty() && part.back() == '_') part.pop_back();
  if (part == server && part.size() <= kMaxServerPart && !part.empty()) return part;
  return cut_with_hash(std::move(part), kMaxServerPart, server);
}

std::string offered_name(std::string_view server, std::string_view item) {
  const std::string prefix = server_part(server) + "__";
  std::string legal = only_legal(item);
  if (legal == item && !item.empty() && prefix.size() + legal.size() <= kMaxOfferedName)
    return prefix + legal;
  return prefix + cut_with_hash(std::move(legal), kMaxOfferedName - prefix.size(), item);
}

// --- the servers

Hub::Hub(asio::io_context& context, Config config, HubOptions options)
    : context_(context), options_(std::move(options)), problems_(std::move(config.problems)) {
  for (const ConfigProblem& problem : problems_) log::warn("{}", problem.describe());
  for (ServerConfig& server : config.servers) {
    Client::Events events;
    events.on_tools_changed = [this] { rebuild(Kind::Tool); };
    events.on_prompts_changed = [this] { rebuild(Kind::Prompt); };
    clients_.push_back(std::make_shared<Client>(context_, std::move(server), options_.factory,
                                                options_.client, std::move(events)));
  }
}

void Hub::start() {
  for (const auto& client : clients_) client->start();
}

asio::awaitable<void> Hub::stop(io::Clock::duration grace) {
  if (!std::exchange(stopping_, true))
    for (const auto& client : clients_) closing_.start(context_.get_executor(), client->stop(grace));
  co_await closing_.wait(io::CancelScope(2 * grace + std::chrono::seconds(1)));
}

void Hub::kill() {
  for (const auto& client : clients_) client->kill();
}

// --- what is offered

void Hub::rebuild(Kind kind) {
  const bool tools = kind == Kind::Tool;
  Table& old = tools ? tools_ : prompts_;
  Table table;
  for (const auto& client : clients_) {
    const std::string& server = client->config().name;
    for (const json& item : items_of(*client, tools)) {
      const std::string own = item["name"].get<std::string>();
      const std::string name = offered_name(server, own);
      const bool ours = tools && options_.own_tool && options_.own_tool(name);
      if (ours || !table.by_name.emplace(name, Target{client, own}).second) {
        table.conflicts.push_back("The name " + name + " is already taken: " + own + " of " + server +
                                  " is not offered.");
        continue;
      }
      table.listing.push_back(offered(item, name, tools));
    }
  }
  for (const std::string& conflict : table.conflicts)
    if (std::find(old.conflicts.begin(), old.conflicts.end(), conflict) == old.conflicts.end())
      log::warn("upstream: {}", conflict);
  const bool changed = table.listing != old.listing;
  old = std::move(table);
  const auto& tell = tools ? on_tools_changed : on_prompts_changed;
  if (changed && tell && !(tools && options_.lazy)) tell();
}

json Hub::tools() const {
  return options_.lazy ? meta_tools() : tools_.listing;
}

json Hub::prompts() const {
  return prompts_.listing;
}

// --- look-up

Hub::Target Hub::split(const std::string& name) const {
  for (const auto& client : clients_) {
    const std::string& server = client->config().name;
    for (const std::string& prefix : {server + ":", server + "__", server_part(server) + "__"})
      if (name.size() > prefix.size() && name.starts_with(prefix))
        return {client, name.substr(prefix.size())};
  }
  return {};
}

Result<Hub::Target> Hub::find(Kind kind, const std::string& name) const {
  const bool tools = kind == Kind::Tool;
  const std::string what = tools ? "tool" : "prompt";
  const auto& offers = table(kind).by_name;
  if (const auto found = offers.find(name); found != offers.end()) return found->second;
  if (const Target target = split(name); target.client) {
    if (find_item(items_of(*target.client, tools), target.item)) return target;
    std::vector<std::string> names;
    for (const json& item : items_of(*target.client, tools)) names.push_back(item["name"].get<std::string>());
    return fail(ErrorKind::InvalidArgument,
                "The server " + target.client->config().name + " has no " + what + " " + target.item + ".",
                names.empty() ? "It offers none now; see lean_server_health for its status."
                              : "It has " + listed(names) + ".");
  }
  std::vector<Target> having;
  const bool own = tools && options_.own_tool && options_.own_tool(name);
  for (const auto& client : clients_)
    if (!own && find_item(items_of(*client, tools), name)) having.push_back({client, name});
  if (having.size() == 1) return having.front();
  if (having.empty()) return fail(ErrorKind::InvalidArgument, "No server has a " + what + " " + name + ".");
  std::vector<std::string> names;
  names.reserve(having.size());
  for (const Target& each : having) names.push_back(offered_name(each.client->config().name, name));
  return fail(ErrorKind::InvalidArgument, "More than one server has a " + what + " " + name + ".",
              "Use one of " + listed(names) + ".");
}

Result<Hub::Target> Hub::find_tool(const std::string& name) const {
  return find(Kind::Tool, name);
}

Result<Hub::Target> Hub::find_prompt(const std::string& name) const {
  return find(Kind::Prompt, name);
}

bool Hub::knows_tool(const std::string& name) const {
  if (is_meta_tool(name) || split(name).client) return true;
  return std::any_of(clients_.begin(), clients_.end(),
                     [&](const auto& client) { return find_item(client->offer().tools, name); });
}

bool Hub::knows_prompt(const std::string& name) const {
  if (split(name).client) return true;
  return std::any_of(clients_.begin(), clients_.end(),
                     [&](const auto& client) { return find_item(client->offer().prompts, name); });
}

std::shared_ptr<Client> Hub::client(const std::string& server) const {
  for (const auto& client : clients_)
    if (client->config().name == server) return client;
  return nullptr;
}

// --- calls

asio::awaitable<Result<Hub::Target>> Hub::find_when_settled(Kind kind, std::string name,
                                                            io::CancelScope scope) {
  auto found = find(kind, name);
  const Target target = split(name);
  if (found || !target.client || target.client->state() == Client::State::Ready) co_return found;
  const Result<void> ready = co_await target.client->ensure_ready(scope.with_timeout(kSettleLimit));
  if (!ready) co_return tl::unexpected(ready.error());
  co_return find(kind, name);
}

asio::awaitable<mcp::ProxiedResult> Hub::call_tool(std::string name, json arguments,
                                                   std::shared_ptr<mcp::ProxiedCall> call) {
  if (is_meta_tool(name)) co_return co_await call_meta_tool(std::move(name), std::move(arguments), call);
  auto target = co_await find_when_settled(Kind::Tool, std::move(name), call->scope);
  if (!target) co_return tl::unexpected(target.error());
  co_return co_await pass_on(std::move(*target), Kind::Tool, std::move(arguments), call);
}

asio::awaitable<mcp::ProxiedResult> Hub::get_prompt(std::string name, json arguments,
                                                    std::shared_ptr<mcp::ProxiedCall> call) {
  auto target = co_await find_when_settled(Kind::Prompt, std::move(name), call->scope);
  if (!target) co_return tl::unexpected(target.error());
  co_return co_await pass_on(std::move(*target), Kind::Prompt, std::move(arguments), call);
}

asio::awaitable<mcp::ProxiedResult> Hub::pass_on(Target target, Kind kind, json arguments,
                                                 std::shared_ptr<mcp::ProxiedCall> call) {
  json params = {{"name", target.item}};
  if (!arguments.is_null()) params["arguments"] = std::move(arguments);
  const std::string method = kind == Kind::Tool ? "tools/call" : "prompts/get";
  Reply reply = co_await target.client->request(method, std::move(params), call->scope, call->on_progress);
  if (reply) *reply = with_clean_metadata(std::move(*reply));
  if (reply && kind == Kind::Tool && options_.on_result) {
    const std::string source = target.client->config().name + "-" + target.item;
    co_return co_await options_.on_result(std::move(*reply), source, call->scope);
  }
  if (reply) co_return std::move(*reply);
  Error error = reply.error().error;
  const auto& answered = reply.error().answered;
  if (answered && answered->code == rpc::kInvalidParams) error.kind = ErrorKind::InvalidArgument;
  co_return tl::unexpected(std::move(error));
}

json Hub::health() const {
  json servers = json::array();
  for (const auto& client : clients_) servers.push_back(client->health());
  json health = {{"servers", std::move(servers)}};
  json problems = json::array();
  for (const ConfigProblem& problem : problems_) problems.push_back(problem.describe());
  for (const Table* each : {&tools_, &prompts_})
    for (const std::string& conflict : each->conflicts) problems.push_back(conflict);
  if (!problems.empty()) health["problems"] = std::move(problems);
  return health;
}

// --- Three tools instead of all, for models whose context is worth more than a second call.

namespace {

constexpr const char* kServers = "upstream_servers";
constexpr const char* kDescribe = "upstream_describe";
constexpr const char* kCall = "upstream_call";

json tool(const char* name, const char* title, const char* description, json properties, json required,
          bool read_only) {
  json schema = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  return {{"name", name},
          {"title", title},
          {"description", description},
          {"inputSchema", std::move(schema)},
          {"annotations",
           {{"readOnlyHint", read_only},
            {"destructiveHint", !read_only},
            {"idempotentHint", read_only},
            {"openWorldHint", !read_only}}}};
}

json text_result(const json& value) {
  json block = {{"type", "text"}, {"text", rpc::dump(value)}};
  return {{"content", json::array({std::move(block)})}};
}

std::string first_sentence(const json& item) {
  const std::string text = item.contains("description") ? item["description"].get<std::string>() : "";
  const std::size_t end = std::min(text.find(". "), text.find('\n'));
  return end == std::string::npos ? text.substr(0, 200) : text.substr(0, std::min<std::size_t>(end + 1, 200));
}

}  // namespace

bool Hub::is_meta_tool(const std::string& name) const {
  return options_.lazy && (name == kServers || name == kDescribe || name == kCall);
}

json Hub::meta_tools() const {
  const json text = {{"type", "string"}};
  const json object = {{"type", "object"}};
  json tools = json::array();
  tools.push_back(tool(kServers, "Other servers",
                       "Lists other MCP servers and their tools, each with a sentence. Use upstream_describe "
                       "before a tool's first call.",
                       {{"server", text}}, json::array(), true));
  tools.push_back(tool(kDescribe, "Describe a tool", "Returns one tool's full description and input schema.",
                       {{"tool", text}}, {"tool"}, true));
  tools.push_back(tool(kCall, "Call a tool", "Calls a tool of another server with its arguments.",
                       {{"tool", text}, {"arguments", object}}, {"tool"}, false));
  return tools;
}

asio::awaitable<mcp::ProxiedResult> Hub::call_meta_tool(std::string name, json arguments,
                                                        std::shared_ptr<mcp::ProxiedCall> call) {
  const auto text = [&](const char* member) {
    return arguments.contains(member) && arguments[member].is_string() ? arguments[member].get<std::string>()
                                                                       : "";
  };
  if (name == kServers) {
    const std::string only = text("server");
    json servers = json::array();
    for (const auto& each : clients_) {
      if (!only.empty() && each->config().name != only) continue;
      json tools = json::object();
      for (const json& item : each->offer().tools)
        tools[offered_name(each->config().name, item["name"].get<std::string>())] = first_sentence(item);
      servers.push_back(
          {{"name", each->config().name}, {"status", each->health()["status"]}, {"tools", std::move(tools)}});
    }
    co_return text_result({{"servers", std::move(servers)}});
  }
  const std::string wanted = text("tool");
  if (wanted.empty())
    co_return fail(ErrorKind::InvalidArgument, name + " needs the argument 'tool', a string.",
                   "upstream_servers lists the names.");
  auto target = co_await find_when_settled(Kind::Tool, wanted, call->scope);
  if (!target) co_return tl::unexpected(target.error());
  if (name == kDescribe) {
    for (const json& item : target->client->offer().tools)
      if (item["name"] == target->item) co_return text_result(item);
    co_return fail(ErrorKind::InvalidArgument, "The tool " + wanted + " no longer exists.");
  }
  json given = arguments.value("arguments", json::object());
  if (!given.is_object())
    co_return fail(ErrorKind::InvalidArgument, "'arguments' is not an object.",
                   "Pass the tool's arguments as an object.");
  co_return co_await pass_on(std::move(*target), Kind::Tool, std::move(given), call);
}

}  // namespace leanbridge::upstream
