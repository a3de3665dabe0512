#include "proxied_calls.hpp"

#include "core/base/json.hpp"
#include "host.hpp"
#include "tool_result.hpp"

#include <algorithm>

namespace leanbridge::mcp {

using nlohmann::json;

namespace {

// Other servers have their own limits; this one only ends forgotten calls.
constexpr auto kMaxProxiedCall = std::chrono::hours(1);

// Lets bursts through, then limits the rate to one that a client can use.
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

// Replaces a kind of content that the revision lacks: strict clients fail on those.
json fit_block(json block, const std::string& revision) {
  if (!block.is_object()) return block;
  const std::string type = text_member(block, "type");
  if (type == "audio" && revision < "2025-03-26")
    return text_block("[audio of type " + text_member(block, "mimeType") +
                      ", which this client's MCP revision does not support]");
  if (type == "resource_link" && revision < "2025-06-18")
    return text_block("[" + text_member(block, "name") + "](" + text_member(block, "uri") + ")");
  return block;
}

// Modern results say how long they may be kept; older servers' results do not.
asio::awaitable<ProxiedResult> read_for(Era era, ToolProvider* provider, std::string uri,
                                        std::shared_ptr<ProxiedCall> call) {
  ProxiedResult result = co_await provider->read_resource(std::move(uri), std::move(call));
  if (result && !asks_for_input(*result)) limit_age(era, *result, 0);
  co_return result;
}

}  // namespace

bool asks_for_input(const json& result) {
  return result.is_object() && text_member(result, "resultType") == "input_required";
}

void limit_age(Era era, json& result, int ttl_ms) {
  if (era != Era::Modern) return;
  result.emplace("ttlMs", ttl_ms);
  result.emplace("cacheScope", "private");
}

json fit_result(json result, const std::string& revision) {
  const bool modern = revision.empty();
  if (modern) return result;
  for (const char* member : {"resultType", "ttlMs", "cacheScope"}) result.erase(member);
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

ProxiedCalls::ProxiedCalls(std::shared_ptr<Connection> connection, ToolRegistry& tools)
    : connection_(std::move(connection)), provider_(connection_->options().provider), tools_(tools) {}

std::shared_ptr<ProxiedCall> ProxiedCalls::begin(Era era, const json& params,
                                                 const std::shared_ptr<rpc::Responder>& responder) {
  auto call = std::make_shared<ProxiedCall>(ProxiedCall{.scope = io::CancelScope(kMaxProxiedCall)});
  call->era = era;
  if (era == Era::Legacy) {
    call->capabilities = askable(connection_->client_capabilities());
  } else {
    call->capabilities = askable(params["_meta"][kMetaClientCapabilities]);
    for (const char* member : {"inputResponses", "requestState"})
      if (params.contains(member)) call->input[member] = params[member];
  }
  responder->on_cancel([cancel = call->scope.cancel](const std::string&) { cancel->cancel(); });
  if (const json token = progress_token(params); !token.is_null()) {
    auto gate = std::make_shared<TokenBucket>();
    call->on_progress = [weak = std::weak_ptr(connection_), open = std::weak_ptr(responder), token,
                         gate](json told) {
      const auto connection = weak.lock();
      const auto asked = open.lock();
      if (!connection || !asked || !asked->open() || asked->cancelled() || !gate->open()) return;
      told["progressToken"] = token;
      connection->notify_about(asked->id(), "notifications/progress", std::move(told));
    };
  }
  return call;
}

void ProxiedCalls::start(CallSlot slot, asio::awaitable<void> work) {
  asio::co_spawn(connection_->context(), std::move(work),
                 [self = shared_from_this(), slot = std::move(slot)](const std::exception_ptr&) {});
}

void ProxiedCalls::call_tool(Era era, const std::string& name, json arguments, const json& params,
                             rpc::Responder responder) {
  auto slot = connection_->call_slots().take();
  if (!slot) return responder.result(connection_->complete(era, to_tool_error(slot.error())));
  auto shared = std::make_shared<rpc::Responder>(std::move(responder));
  auto call = begin(era, params, shared);
  start(std::move(*slot), run_tool(era, name, std::move(arguments), call, shared));
}

asio::awaitable<void> ProxiedCalls::run_tool(Era era, std::string name, json arguments,
                                             std::shared_ptr<ProxiedCall> call,
                                             std::shared_ptr<rpc::Responder> responder) {
  const auto start = io::Clock::now();
  ProxiedResult result = co_await provider_->call_tool(name, std::move(arguments), call);
  CallCounts& counts = tools_.counts(name);
  ++counts.calls;
  const double ms = std::chrono::duration<double, std::milli>(io::Clock::now() - start).count();
  counts.latency.add(ms);
  if (call->scope.cancel->cancelled())
    ++counts.cancelled;
  else if (!result)
    ++counts.errors;
  if (!result && call->refusal && era == Era::Modern) {
    responder->error(std::move(*call->refusal));
    co_return;
  }
  if (!result) {
    responder->result(connection_->complete(era, to_tool_error(result.error())));
    co_return;
  }
  if (asks_for_input(*result) && era == Era::Modern) {
    responder->result(connection_->complete(era, std::move(*result)));
    co_return;
  }
  if (!result->contains("content") || !(*result)["content"].is_array()) (*result)["content"] = json::array();
  json fitting = fit_result(std::move(*result), connection_->revision_of(era));
  responder->result(connection_->complete(era, std::move(fitting)));
}

void ProxiedCalls::get_prompt(Era era, const std::string& name, const json& params,
                              rpc::Responder responder) {
  auto work = [provider = provider_, name, arguments = params.value("arguments", json())](
                  std::shared_ptr<ProxiedCall> call) { return provider->get_prompt(name, arguments, call); };
  start_request(era, params, std::move(responder), rpc::kInvalidParams, std::move(work));
}

void ProxiedCalls::read_resource(Era era, const std::string& uri, const json& params,
                                 rpc::Responder responder) {
  auto work = [provider = provider_, uri,
               era](std::shared_ptr<ProxiedCall> call) -> asio::awaitable<ProxiedResult> {
    return read_for(era, provider, uri, std::move(call));
  };
  const int not_found = era == Era::Modern ? rpc::kInvalidParams : kLegacyResourceNotFound;
  start_request(era, params, std::move(responder), not_found, std::move(work));
}

void ProxiedCalls::complete(Era era, const json& params, rpc::Responder responder) {
  auto work = [provider = provider_, params](std::shared_ptr<ProxiedCall> call) {
    return provider->complete(params, call);
  };
  start_request(era, params, std::move(responder), rpc::kInvalidParams, std::move(work));
}

void ProxiedCalls::start_request(Era era, const json& params, rpc::Responder responder, int refused_code,
                                 Work work) {
  auto slot = connection_->call_slots().take();
  if (!slot)
    return responder.error({rpc::kInternalError, "Too many calls are already in progress.", nullptr});
  auto shared = std::make_shared<rpc::Responder>(std::move(responder));
  auto call = begin(era, params, shared);
  start(std::move(*slot), run_request(era, std::move(work), refused_code, call, shared));
}

asio::awaitable<void> ProxiedCalls::run_request(Era era, Work work, int refused_code,
                                                std::shared_ptr<ProxiedCall> call,
                                                std::shared_ptr<rpc::Responder> responder) {
  ProxiedResult result = co_await work(call);
  if (!result && call->refusal && era == Era::Modern) {
    responder->error(std::move(*call->refusal));
    co_return;
  }
  if (!result) {
    const Error& error = result.error();
    const bool of_caller = error.kind == ErrorKind::InvalidArgument;
    json data = {{"kind", wire_name(error.kind)}, {"hint", error.hint}};
    responder->error({of_caller ? refused_code : rpc::kInternalError, error.message, std::move(data)});
    co_return;
  }
  json fitting = fit_result(std::move(*result), connection_->revision_of(era));
  responder->result(connection_->complete(era, std::move(fitting)));
}

}  // namespace leanbridge::mcp
