#include "gateway/upstream/hub.hpp"

#include "core/base/hash.hpp"
#include "core/base/json.hpp"
#include "core/base/log.hpp"
#include "core/base/try.hpp"
#include "core/rpc/message.hpp"
#include "core/text/untrusted.hpp"
#include "gateway/upstream/client/questions.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace leanbridge::upstream {

using nlohmann::json;

namespace {

constexpr auto kSettleLimit = std::chrono::seconds(30);
constexpr std::size_t kNamesShown = 20;
constexpr int kMaxRounds = 10;  // rounds in which one request may ask for input

const std::vector<json>& items_of(const Client& client, mcp::List list) {
  const Offer& offer = client.offer();
  return list == mcp::List::Tools     ? offer.tools
         : list == mcp::List::Prompts ? offer.prompts
                                      : offer.resources;
}

const json* find_item(const std::vector<json>& items, const std::string& name) {
  for (const json& item : items)
    if (item["name"] == name) return &item;
  return nullptr;
}

// The item as our client sees it: the server's description under the offered name. Resources keep theirs.
json offered(json item, const std::string& name, mcp::List list) {
  if (list != mcp::List::Resources) item["name"] = name;
  if (list == mcp::List::Tools) {
    item.erase("execution");  // tasks are not supported
    const bool of_objects =
        item.contains("outputSchema") && item["outputSchema"].value("type", json()) == "object";
    if (!of_objects) item.erase("outputSchema");  // older clients accept only schemas of objects
  }
  return item;
}

// The result, with the questions in the form for the client's user.
json with_named_questions(json result, const std::string& server) {
  result = with_clean_metadata(std::move(result));
  if (result.contains("inputRequests") && result["inputRequests"].is_object())
    for (auto& [key, question] : result["inputRequests"].items())
      if (question.is_object())
        question["params"] =
            shown_question(text_member(question, "method"), question.value("params", json::object()), server);
  return result;
}

rpc::RpcError text_only(rpc::RpcError error) {
  error.message = text::cleaned_line(error.message);
  error.data = text::cleaned_json(std::move(error.data));
  return error;
}

// Whether the URI begins and ends like the template (RFC 6570): the server decides about the rest.
bool fits_template(const std::string& pattern, const std::string& uri) {
  const std::size_t first = pattern.find('{'), last = pattern.rfind('}');
  if (first == std::string::npos || last == std::string::npos || last < first) return pattern == uri;
  const std::string before = pattern.substr(0, first), after = pattern.substr(last + 1);
  return !before.empty() && uri.size() > before.size() + after.size() && uri.starts_with(before) &&
         uri.ends_with(after);
}

// The server that has this template, or a resource with this address.
std::shared_ptr<Client> server_of_ref(const std::vector<std::shared_ptr<Client>>& clients,
                                      const std::string& uri) {
  for (const auto& client : clients) {
    for (const json& each : client->offer().templates)
      if (each["uriTemplate"] == uri) return client;
    for (const json& each : client->offer().resources)
      if (each["uri"] == uri) return client;
  }
  return nullptr;
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

// Replaces each run of illegal characters by one `_`.
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
  const std::uint64_t hash = fnv1a(text);
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
  options_.client.host = [this] { return host_.lock(); };
  for (ServerConfig& server : config.servers) {
    clients_.push_back(std::make_shared<Client>(context_, std::move(server), options_.factory,
                                                options_.client, [this](List list) { rebuild(list); }));
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

// --- the offer

void Hub::rebuild(List list) {
  const bool are_tools = list == List::Tools, are_resources = list == List::Resources;
  Table& old = tables_[list];
  Table table;
  for (const auto& client : clients_) {
    const std::string& server = client->config().name;
    for (const json& item : items_of(*client, list)) {
      const std::string own = item[are_resources ? "uri" : "name"].get<std::string>();
      const std::string name = are_resources ? own : offered_name(server, own);
      const bool ours = are_tools && options_.own_tool && options_.own_tool(name);
      if (!ours && table.by_name.emplace(name, Target{client, own}).second)
        table.listing.push_back(offered(item, name, list));
      else
        table.conflicts.push_back(are_resources ? "The resource " + own + " of " + server +
                                                      " is not offered: another server has the same address."
                                                : "The name " + name + " is already taken: " + own + " of " +
                                                      server + " is not offered.");
    }
    if (are_resources)
      for (const json& each : client->offer().templates) table.templates.push_back(each);
  }
  for (const std::string& conflict : table.conflicts)
    if (std::ranges::find(old.conflicts, conflict) == old.conflicts.end())
      log::warn("upstream: {}", conflict);
  const bool changed = table.listing != old.listing || table.templates != old.templates;
  old = std::move(table);
  if (changed && on_changed && !(are_tools && options_.lazy)) on_changed(list);
}

json Hub::tools() const {
  return options_.lazy ? meta_tools() : table(List::Tools).listing;
}

json Hub::prompts() const {
  return table(List::Prompts).listing;
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

Result<Hub::Target> Hub::find(List list, const std::string& name) const {
  const std::string what = list == List::Tools ? "tool" : "prompt";
  const auto& offers = table(list).by_name;
  if (const auto found = offers.find(name); found != offers.end()) return found->second;
  if (const Target target = split(name); target.client) {
    if (find_item(items_of(*target.client, list), target.item)) return target;
    std::vector<std::string> names;
    for (const json& item : items_of(*target.client, list)) names.push_back(item["name"].get<std::string>());
    return fail(ErrorKind::InvalidArgument,
                "The server " + target.client->config().name + " has no " + what + " " + target.item + ".",
                names.empty() ? "It offers none now; see lean_server_health for its status."
                              : "It has " + listed(names) + ".");
  }
  std::vector<Target> having;
  const bool own = list == List::Tools && options_.own_tool && options_.own_tool(name);
  for (const auto& client : clients_)
    if (!own && find_item(items_of(*client, list), name)) having.push_back({client, name});
  if (having.size() == 1) return having.front();
  if (having.empty()) return fail(ErrorKind::InvalidArgument, "No server has a " + what + " " + name + ".");
  std::vector<std::string> names;
  names.reserve(having.size());
  for (const Target& each : having) names.push_back(offered_name(each.client->config().name, name));
  return fail(ErrorKind::InvalidArgument, "More than one server has a " + what + " " + name + ".",
              "Use one of " + listed(names) + ".");
}

Result<Hub::Target> Hub::find_tool(const std::string& name) const {
  return find(List::Tools, name);
}

Result<Hub::Target> Hub::find_prompt(const std::string& name) const {
  return find(List::Prompts, name);
}

bool Hub::knows(List list, const std::string& name) const {
  return split(name).client || std::ranges::any_of(clients_, [&](const auto& client) {
           return find_item(items_of(*client, list), name);
         });
}

bool Hub::knows_tool(const std::string& name) const {
  return is_meta_tool(name) || knows(List::Tools, name);
}

bool Hub::knows_prompt(const std::string& name) const {
  return knows(List::Prompts, name);
}

std::shared_ptr<Client> Hub::client(const std::string& server) const {
  for (const auto& client : clients_)
    if (client->config().name == server) return client;
  return nullptr;
}

// --- calls

asio::awaitable<Result<Hub::Target>> Hub::find_when_settled(List list, std::string name,
                                                            io::CancelScope scope) {
  auto found = find(list, name);
  const Target target = split(name);
  if (found || !target.client || target.client->state() == Client::State::Ready) co_return found;
  CO_CHECK(co_await target.client->ensure_ready(scope.with_timeout(kSettleLimit)));
  co_return find(list, name);
}

asio::awaitable<mcp::ProxiedResult> Hub::call_tool(std::string name, json arguments,
                                                   std::shared_ptr<mcp::ProxiedCall> call) {
  if (is_meta_tool(name)) co_return co_await call_meta_tool(std::move(name), std::move(arguments), call);
  CO_TRY(auto target, co_await find_when_settled(List::Tools, std::move(name), call->scope));
  co_return co_await pass_on(std::move(target), List::Tools, std::move(arguments), call);
}

asio::awaitable<mcp::ProxiedResult> Hub::get_prompt(std::string name, json arguments,
                                                    std::shared_ptr<mcp::ProxiedCall> call) {
  CO_TRY(auto target, co_await find_when_settled(List::Prompts, std::move(name), call->scope));
  co_return co_await pass_on(std::move(target), List::Prompts, std::move(arguments), call);
}

asio::awaitable<mcp::ProxiedResult> Hub::pass_on(Target target, List list, json arguments,
                                                 std::shared_ptr<mcp::ProxiedCall> call) {
  json params = {{"name", target.item}};
  if (!arguments.is_null()) params["arguments"] = std::move(arguments);
  const std::string method = list == List::Tools ? "tools/call" : "prompts/get";
  mcp::ProxiedResult result = co_await request(target.client, method, std::move(params), call);
  if (result && list == List::Tools && options_.on_result && !mcp::asks_for_input(*result)) {
    const std::string source = target.client->config().name + "-" + target.item;
    co_return co_await options_.on_result(std::move(*result), source, call->scope);
  }
  co_return result;
}

// Handles input that a modern server asks for. A modern client gets the questions unchanged, since its next
// request will answer them; a legacy client is asked here.
asio::awaitable<mcp::ProxiedResult> Hub::request(std::shared_ptr<Client> client, std::string method,
                                                 json params, std::shared_ptr<mcp::ProxiedCall> call) {
  const std::string& server = client->config().name;
  params.update(call->input);
  for (int round = 0;; ++round) {
    Client::RequestOptions options;
    options.on_progress = call->on_progress;
    options.capabilities = call->capabilities;
    options.accepts_input = call->era == mcp::Era::Modern || round < kMaxRounds;
    Reply reply = co_await client->request(method, params, call->scope, std::move(options));
    if (!reply) {
      Error error = reply.error().error;
      const auto& answered = reply.error().answered;
      if (answered &&
          (answered->code == rpc::kInvalidParams || answered->code == mcp::kLegacyResourceNotFound))
        error.kind = ErrorKind::InvalidArgument;
      // An error of the protocol, about the client's declaration or its earlier input.
      if (answered && (answered->code == mcp::kMissingClientCapability || !call->input.empty()))
        call->refusal = text_only(*answered);
      co_return tl::unexpected(std::move(error));
    }
    if (!mcp::asks_for_input(*reply)) co_return with_clean_metadata(std::move(*reply));
    if (call->era == mcp::Era::Modern) co_return with_named_questions(std::move(*reply), server);
    CO_TRY(params["inputResponses"],
           co_await answers_to(reply->value("inputRequests", json::object()), server, call));
    params.erase("requestState");
    if (reply->contains("requestState")) params["requestState"] = (*reply)["requestState"];
  }
}

asio::awaitable<Result<json>> Hub::answers_to(json questions, std::string server,
                                              std::shared_ptr<mcp::ProxiedCall> call) {
  const auto host = host_.lock();
  json answers = json::object();
  if (!questions.is_object()) questions = json::object();
  for (const auto& [key, question] : questions.items()) {
    const std::string method = question.is_object() ? text_member(question, "method") : "";
    if (!host || !mcp::can_answer(call->capabilities, method))
      co_return fail(ErrorKind::NotSupported,
                     "The server " + server + " asks for " + text::cleaned_line(method) +
                         ", which this client does not offer.",
                     "Pass everything it needs in the arguments.");
    json params = shown_question(method, question.value("params", json::object()), server);
    mcp::HostAnswer answer = co_await host->ask(method, std::move(params), call->scope);
    if (!answer && call->scope.cancel->cancelled()) co_return call_cancelled();
    if (!answer)
      co_return fail(ErrorKind::BackendError,
                     "The client did not answer " + method + " of the server " + server + ": " +
                         text::cleaned_line(answer.error().message),
                     "Pass what the server needs in the arguments.");
    answers[key] = std::move(*answer);
  }
  co_return answers;
}

// --- resources and completion

json Hub::resources() const {
  return table(List::Resources).listing;
}

json Hub::resource_templates() const {
  return table(List::Resources).templates;
}

std::shared_ptr<Client> Hub::server_of(const std::string& uri) const {
  if (const auto found = table(List::Resources).by_name.find(uri);
      found != table(List::Resources).by_name.end())
    return found->second.client;
  for (const auto& client : clients_)
    for (const json& each : client->offer().templates)
      if (fits_template(each["uriTemplate"].get<std::string>(), uri)) return client;
  return nullptr;
}

bool Hub::knows_resource(const std::string& uri) const {
  return server_of(uri) != nullptr;
}

asio::awaitable<mcp::ProxiedResult> Hub::read_resource(std::string uri,
                                                       std::shared_ptr<mcp::ProxiedCall> call) {
  const auto client = server_of(uri);
  if (!client) co_return fail(ErrorKind::InvalidArgument, "Unknown resource " + uri + ".");
  const json params = {{"uri", uri}};
  co_return co_await request(client, "resources/read", params, call);
}

Result<mcp::Watch> Hub::watch_resource(const std::string& uri) {
  const auto client = server_of(uri);
  if (!client) return fail(ErrorKind::FileNotFound, "Unknown resource " + uri + ".");
  if (!client->reports_changes_of_resources())
    return fail(ErrorKind::NotSupported, uri + " does not support subscriptions: the server " +
                                             client->config().name +
                                             " reports no changes. Read it when you need it.");
  return [client, uri](io::CancelScope scope, std::function<void()> changed) {
    return client->watch_resource(uri, std::move(scope), std::move(changed));
  };
}

bool Hub::completes(const json& ref) const {
  if (!ref.is_object()) return false;
  if (text_member(ref, "type") == "ref/prompt") return find_prompt(text_member(ref, "name")).has_value();
  return server_of_ref(clients_, text_member(ref, "uri")) != nullptr;
}

asio::awaitable<mcp::ProxiedResult> Hub::complete(json params, std::shared_ptr<mcp::ProxiedCall> call) {
  json& ref = params["ref"];
  std::shared_ptr<Client> client;
  if (text_member(ref, "type") == "ref/prompt") {
    CO_TRY(const auto target, find_prompt(text_member(ref, "name")));
    client = target.client;
    ref["name"] = target.item;
  } else {
    client = server_of_ref(clients_, text_member(ref, "uri"));
  }
  if (!client) co_return fail(ErrorKind::InvalidArgument, "No server has this template.");
  if (!client->capabilities().contains("completions"))
    co_return json{{"completion", {{"values", json::array()}, {"total", 0}, {"hasMore", false}}}};
  params.erase("_meta");  // of the client's request
  co_return co_await request(client, "completion/complete", std::move(params), call);
}

void Hub::roots_changed() {
  for (const auto& client : clients_) client->roots_changed();
}

json Hub::health() const {
  json servers = json::array();
  for (const auto& client : clients_) servers.push_back(client->health());
  json health = {{"servers", std::move(servers)}};
  json problems = json::array();
  for (const ConfigProblem& problem : problems_) problems.push_back(problem.describe());
  for (const auto& [list, offers] : tables_)
    for (const std::string& conflict : offers.conflicts) problems.push_back(conflict);
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
  CO_TRY(auto target, co_await find_when_settled(List::Tools, wanted, call->scope));
  if (name == kDescribe) {
    for (const json& item : target.client->offer().tools)
      if (item["name"] == target.item) co_return text_result(item);
    co_return fail(ErrorKind::InvalidArgument, "The tool " + wanted + " no longer exists.");
  }
  json given = arguments.value("arguments", json::object());
  if (!given.is_object())
    co_return fail(ErrorKind::InvalidArgument, "'arguments' is not an object.",
                   "Pass the tool's arguments as an object.");
  co_return co_await pass_on(std::move(target), List::Tools, std::move(given), call);
}

}  // namespace leanbridge::upstream
