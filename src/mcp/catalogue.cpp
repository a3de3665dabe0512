// Session: prompts, and resources as they are listed and read.

#include "leanbridge/base/json.hpp"
#include "leanbridge/base/log.hpp"
#include "leanbridge/mcp/answer_bounds.hpp"
#include "leanbridge/mcp/session.hpp"

#include <algorithm>

namespace leanbridge::mcp {

using nlohmann::json;

namespace {

bool means_not_found(ErrorKind kind) {
  return kind == ErrorKind::FileNotFound || kind == ErrorKind::OutsideProject ||
         kind == ErrorKind::NotALeanProject || kind == ErrorKind::InvalidArgument;
}

// Resources have no results that say `isError`: whatever fails is an error of the protocol.
rpc::RpcError resource_error(Era era, const std::string& uri, const Error& error) {
  const int not_found = era == Era::Modern ? rpc::kInvalidParams : kLegacyResourceNotFound;
  json data = {{"uri", uri}, {"kind", wire_name(error.kind)}, {"hint", error.hint}};
  return {means_not_found(error.kind) ? not_found : rpc::kInternalError, error.message, std::move(data)};
}

asio::awaitable<Result<json>> guarded_read(NamedResource named, std::shared_ptr<Call> call) {
  try {
    auto content = co_await named.resource->read(call, named.path);
    if (content) bound_answer(*content);
    co_return content;
  } catch (const std::exception& error) {
    leanbridge::log::error("{}: {}", named.resource->uri, error.what());
    co_return fail(ErrorKind::Internal, named.resource->uri + " failed: " + error.what());
  }
}

}  // namespace

void Session::list_prompts(Era era, const json& params, rpc::Responder responder) {
  json page = json::array();
  for (const Prompt& prompt : options_.prompts) page.push_back(describe(prompt));
  if (options_.provider)
    for (json& prompt : options_.provider->prompts()) page.push_back(std::move(prompt));
  answer_page(era, "prompts", std::move(page), params, std::move(responder));
}

void Session::get_prompt(Era era, const json& params, rpc::Responder responder) {
  const std::string name = text_member(params, "name");
  const auto prompt = std::find_if(options_.prompts.begin(), options_.prompts.end(),
                                   [&](const Prompt& each) { return each.name == name; });
  if (prompt == options_.prompts.end() && options_.provider && options_.provider->knows_prompt(name))
    return get_proxied_prompt(era, name, params, std::move(responder));
  if (prompt == options_.prompts.end())
    return responder.error({rpc::kInvalidParams, "There is no prompt '" + name + "' here.", nullptr});
  const auto values = check_arguments(*prompt, params.value("arguments", json()));
  if (!values) return responder.error({rpc::kInvalidParams, values.error().message, nullptr});
  const json message = {{"role", "user"}, {"content", {{"type", "text"}, {"text", prompt->text(*values)}}}};
  json result = {{"description", prompt->description}, {"messages", json::array({message})}};
  responder.result(complete(era, std::move(result)));
}

void Session::list_resources(Era era, bool templates, const json& params, rpc::Responder responder) {
  json page = json::array();
  for (const Resource& resource : options_.resources)
    if (resource.is_template() == templates) page.push_back(describe(resource));
  answer_page(era, templates ? "resourceTemplates" : "resources", std::move(page), params,
              std::move(responder));
}

void Session::read_resource(Era era, const json& params, rpc::Responder responder) {
  if (era == Era::Modern) ready();
  const std::string uri = text_member(params, "uri");
  if (uri.empty())
    return responder.error({rpc::kInvalidParams, "resources/read needs params.uri, a string.", nullptr});
  const auto named = find_resource(options_.resources, uri);
  if (!named)
    return responder.error(resource_error(
        era, uri, Error(ErrorKind::InvalidArgument, "There is no resource " + uri + " here.")));
  if (calls_under_way_ >= options_.max_calls)
    return responder.error(
        resource_error(era, uri, Error(ErrorKind::RateLimited, "Too many calls are under way already.")));

  const auto limit =
      std::chrono::duration_cast<io::Clock::duration>(std::chrono::duration<double>(options_.timeout_s));
  auto call = std::make_shared<Call>(Call{.scope = io::CancelScope(limit), .progress = {}});
  responder.on_cancel([cancel = call->scope.cancel](const std::string&) { cancel->cancel(); });
  auto shared = std::make_shared<rpc::Responder>(std::move(responder));
  ++calls_under_way_;
  asio::co_spawn(context_, run_read(era, *named, uri, call, shared),
                 [self = shared_from_this()](const std::exception_ptr&) { --self->calls_under_way_; });
}

asio::awaitable<void> Session::run_read(Era era, NamedResource named, std::string uri,
                                        std::shared_ptr<Call> call,
                                        std::shared_ptr<rpc::Responder> responder) {
  const Result<json> content = co_await guarded_read(named, call);
  if (!content) {
    responder->error(resource_error(era, uri, content.error()));
    co_return;
  }
  json entry = {{"uri", uri}, {"mimeType", "application/json"}, {"text", rpc::dump(*content)}};
  json result = {{"contents", json::array({std::move(entry)})}};
  if (era == Era::Modern) {
    result["ttlMs"] = 0;
    result["cacheScope"] = "private";
  }
  responder->result(complete(era, std::move(result)));
}

}  // namespace leanbridge::mcp
