// Hub: three tools instead of all, for models whose context is worth more than a second call.

#include "leanbridge/rpc/message.hpp"
#include "leanbridge/upstream/hub.hpp"
#include "leanbridge/upstream/naming.hpp"

namespace leanbridge::upstream {

using nlohmann::json;

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

bool Hub::is_lazy_tool(const std::string& name) const {
  return options_.lazy && (name == kServers || name == kDescribe || name == kCall);
}

json Hub::lazy_tools() const {
  const json text = {{"type", "string"}};
  const json object = {{"type", "object"}};
  json tools = json::array();
  tools.push_back(tool(kServers, "Other servers",
                       "The other MCP servers and their tools, each with a sentence. Describe a tool with "
                       "upstream_describe before its first call.",
                       {{"server", text}}, json::array(), true));
  tools.push_back(tool(kDescribe, "Describe a tool",
                       "The whole description and the input schema of one tool.", {{"tool", text}}, {"tool"},
                       true));
  tools.push_back(tool(kCall, "Call a tool", "Calls a tool of another server with its arguments.",
                       {{"tool", text}, {"arguments", object}}, {"tool"}, false));
  return tools;
}

asio::awaitable<mcp::ForeignResult> Hub::call_lazy(std::string name, json arguments,
                                                   std::shared_ptr<mcp::ForeignCall> call) {
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
    co_return fail(ErrorKind::InvalidArgument, "There is no tool " + wanted + " any more.");
  }
  json given = arguments.value("arguments", json::object());
  if (!given.is_object())
    co_return fail(ErrorKind::InvalidArgument, "'arguments' is not an object.",
                   "Pass the tool's arguments in it.");
  co_return co_await pass_on(std::move(*target), Kind::Tool, std::move(given), call);
}

}  // namespace leanbridge::upstream
