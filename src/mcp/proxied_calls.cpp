// Session: tools and prompts of a ToolProvider, passed through.

#include "leanbridge/base/json.hpp"
#include "leanbridge/base/log.hpp"
#include "leanbridge/mcp/session.hpp"
#include "leanbridge/mcp/tool_result.hpp"

#include "params.hpp"

#include <algorithm>

namespace leanbridge::mcp {

using nlohmann::json;

namespace {

// A foreign tool's own limits hold; this one only keeps a forgotten call from staying for ever.
constexpr auto kLongestForeignCall = std::chrono::hours(1);

// Lets bursts through, and then only as much as a client can use.
class TokenBucket {
 public:
  bool open() {
    const auto now = io::Clock::now();
    const double earned = std::chrono::duration<double>(now - last_).count() * kPerSecond;
    last_ = now;
    allowance_ = std::min(kBurst, allowance_ + earned);
    if (allowance_ < 1) return false;
    allowance_ -= 1;
    return true;
  }

 private:
  static constexpr double kPerSecond = 20;
  static constexpr double kBurst = 50;
  double allowance_ = kBurst;
  io::Clock::time_point last_ = io::Clock::now();
};

json text_block(std::string text) {
  return {{"type", "text"}, {"text", std::move(text)}};
}

// Strict clients fail on kinds of content that their revision does not have.
json fit_block(json block, const std::string& revision) {
  if (!block.is_object()) return block;
  const std::string type = text_member(block, "type");
  if (type == "audio" && revision < "2025-03-26")
    return text_block("[audio of type " + text_member(block, "mimeType") +
                      ", which this client's revision of MCP does not have]");
  if (type == "resource_link" && revision < "2025-06-18")
    return text_block("[" + text_member(block, "name") + "](" + text_member(block, "uri") + ")");
  return block;
}

}  // namespace

json fit_result(json result, const std::string& revision) {
  const bool modern = revision.empty();
  if (modern) return result;
  result.erase("resultType");
  if (result.contains("_meta") && result["_meta"].is_object()) {
    result["_meta"].erase(kMetaServerInfo);
    if (result["_meta"].empty()) result.erase("_meta");
  }
  if (result.contains("structuredContent") && !result["structuredContent"].is_object())
    result.erase("structuredContent");
  if (result.contains("content") && result["content"].is_array())
    for (json& block : result["content"]) block = fit_block(std::move(block), revision);
  if (result.contains("messages") && result["messages"].is_array())
    for (json& message : result["messages"])
      if (message.is_object() && message.contains("content"))
        message["content"] = fit_block(std::move(message["content"]), revision);
  return result;
}

std::shared_ptr<ProxiedCall> Session::begin_proxied(const json& params,
                                                    const std::shared_ptr<rpc::Responder>& responder) {
  auto call = std::make_shared<ProxiedCall>(ProxiedCall{io::CancelScope(kLongestForeignCall), {}});
  responder->on_cancel([cancel = call->scope.cancel](const std::string&) { cancel->cancel(); });
  if (const json token = progress_token(params); !token.is_null()) {
    auto gate = std::make_shared<TokenBucket>();
    call->on_progress = [weak = weak_from_this(), open = std::weak_ptr(responder), token, gate](json told) {
      const auto self = weak.lock();
      const auto asked = open.lock();
      if (!self || !asked || !asked->open() || asked->cancelled() || !gate->open()) return;
      told["progressToken"] = token;
      self->peer_.notify("notifications/progress", std::move(told));
    };
  }
  return call;
}

void Session::call_proxied(Era era, const std::string& name, json arguments, const json& params,
                           rpc::Responder responder) {
  if (calls_under_way_ >= options_.max_calls) {
    const Error error(ErrorKind::RateLimited,
                      std::to_string(calls_under_way_) + " calls are under way already.",
                      "Wait for some of them to end, then call again.");
    return responder.result(complete(era, to_tool_error(error)));
  }
  auto shared = std::make_shared<rpc::Responder>(std::move(responder));
  auto call = begin_proxied(params, shared);
  ++calls_under_way_;
  asio::co_spawn(context_, run_proxied(era, name, std::move(arguments), call, shared),
                 [self = shared_from_this()](const std::exception_ptr&) { --self->calls_under_way_; });
}

asio::awaitable<void> Session::run_proxied(Era era, std::string name, json arguments,
                                           std::shared_ptr<ProxiedCall> call,
                                           std::shared_ptr<rpc::Responder> responder) {
  const auto start = io::Clock::now();
  ForeignResult result = co_await options_.provider->call_tool(name, std::move(arguments), call);
  CallCounts& counts = tools_.counts(name);
  ++counts.calls;
  const double ms = std::chrono::duration<double, std::milli>(io::Clock::now() - start).count();
  counts.latency.add(ms);
  if (call->scope.cancel->cancelled())
    ++counts.cancelled;
  else if (!result)
    ++counts.errors;
  if (!result) {
    responder->result(complete(era, to_tool_error(result.error())));
    co_return;
  }
  if (!result->contains("content") || !(*result)["content"].is_array()) (*result)["content"] = json::array();
  const std::string revision = era == Era::Modern ? "" : legacy_revision_;
  responder->result(complete(era, fit_result(std::move(*result), revision)));
}

void Session::get_proxied_prompt(Era era, const std::string& name, const json& params,
                                 rpc::Responder responder) {
  if (calls_under_way_ >= options_.max_calls)
    return responder.error({rpc::kInternalError, "Too many calls are under way already.", nullptr});
  auto shared = std::make_shared<rpc::Responder>(std::move(responder));
  auto call = begin_proxied(params, shared);
  ++calls_under_way_;
  asio::co_spawn(context_, run_proxied_prompt(era, name, params.value("arguments", json()), call, shared),
                 [self = shared_from_this()](const std::exception_ptr&) { --self->calls_under_way_; });
}

asio::awaitable<void> Session::run_proxied_prompt(Era era, std::string name, json arguments,
                                                  std::shared_ptr<ProxiedCall> call,
                                                  std::shared_ptr<rpc::Responder> responder) {
  ForeignResult result = co_await options_.provider->get_prompt(name, std::move(arguments), call);
  if (!result) {
    const Error& error = result.error();
    const bool of_caller = error.kind == ErrorKind::InvalidArgument;
    json data = {{"kind", wire_name(error.kind)}, {"hint", error.hint}};
    responder->error({of_caller ? rpc::kInvalidParams : rpc::kInternalError, error.message, std::move(data)});
    co_return;
  }
  const std::string revision = era == Era::Modern ? "" : legacy_revision_;
  responder->result(complete(era, fit_result(std::move(*result), revision)));
}

void Session::list_changed(List list) {
  const char* method =
      list == List::Tools ? "notifications/tools/list_changed" : "notifications/prompts/list_changed";
  if (!legacy_revision_.empty() && !on_ready_) peer_.notify(method, nullptr);
  for (const auto& [serial, listener] : listeners_)
    if (list == List::Tools ? listener.tools : listener.prompts)
      peer_.notify(method, {{"_meta", listener.meta}});
}

}  // namespace leanbridge::mcp
