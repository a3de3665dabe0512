#include "catalogue.hpp"

#include "apps.hpp"
#include "core/base/json.hpp"
#include "core/base/log.hpp"
#include "core/io/seconds.hpp"
#include "project_argument.hpp"
#include "tool_result.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

namespace leanbridge::mcp {

using nlohmann::json;

namespace {

constexpr int kProgramTtlMs = 3'600'000;  // for lists that never change while the program runs

bool means_not_found(ErrorKind kind) {
  return kind == ErrorKind::FileNotFound || kind == ErrorKind::OutsideProject ||
         kind == ErrorKind::NotALeanProject || kind == ErrorKind::InvalidArgument;
}

// Resources have no `isError` results, so every failure is a protocol error.
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

Catalogue::Catalogue(std::shared_ptr<Connection> connection, const ToolRegistry& tools,
                     std::shared_ptr<ProxiedCalls> proxied)
    : connection_(std::move(connection)), tools_(tools), proxied_(std::move(proxied)) {}

// --- lists

bool Catalogue::client_shows_apps(Era era, const json& params) const {
  return shows_apps(era == Era::Modern ? params["_meta"][kMetaClientCapabilities]
                                       : connection_->client_capabilities());
}

void Catalogue::answer_page(Era era, const char* member, json page, ProviderList others, const json& params,
                            rpc::Responder responder) {
  if (params.is_object() && params.contains("cursor"))
    return responder.error(invalid_params("Invalid cursor: this list has a single page."));
  const ToolProvider* const provider = connection_->options().provider;
  if (provider && others)
    for (json& each : (provider->*others)()) page.push_back(std::move(each));
  json result = {{member, std::move(page)}};
  limit_age(era, result, provider ? 0 : kProgramTtlMs);
  responder.result(connection_->complete(era, std::move(result)));
}

void Catalogue::list_tools(Era era, const json& params, rpc::Responder responder) {
  json page = tools_.listing();
  if (client_shows_apps(era, params)) link_apps(page, tools_);
  if (era == Era::Modern && connection_->options().project_argument)
    list_project_argument(page, tools_.tools());
  answer_page(era, "tools", std::move(page), &ToolProvider::tools, params, std::move(responder));
  if (era == Era::Modern) connection_->ready();
}

void Catalogue::list_prompts(Era era, const json& params, rpc::Responder responder) {
  json page = json::array();
  for (const Prompt& prompt : connection_->options().prompts) page.push_back(describe(prompt));
  answer_page(era, "prompts", std::move(page), &ToolProvider::prompts, params, std::move(responder));
}

void Catalogue::list_resources(Era era, const json& params, rpc::Responder responder) {
  json page = json::array();
  const bool with_apps = client_shows_apps(era, params);
  for (const Resource& resource : connection_->options().resources)
    if (!resource.is_template() && (with_apps || !resource.is_app())) page.push_back(describe(resource));
  answer_page(era, "resources", std::move(page), &ToolProvider::resources, params, std::move(responder));
}

void Catalogue::list_templates(Era era, const json& params, rpc::Responder responder) {
  json page = json::array();
  for (const Resource& resource : connection_->options().resources)
    if (resource.is_template()) page.push_back(describe(resource));
  answer_page(era, "resourceTemplates", std::move(page), &ToolProvider::resource_templates, params,
              std::move(responder));
}

// --- skills

void Catalogue::list_skills(Era era, const json& params, rpc::Responder responder) {
  json page = json::array();
  for (const Skill& skill : connection_->options().skills) page.push_back(describe(skill));
  answer_page(era, "skills", std::move(page), nullptr, params, std::move(responder));
}

void Catalogue::get_skill(Era era, const json& params, rpc::Responder responder) {
  const std::string uri = text_member(params, "uri");
  for (const Skill& skill : connection_->options().skills) {
    if (skill.uri() != uri) continue;
    json result = {{"skill", describe(skill)}};
    limit_age(era, result, kProgramTtlMs);
    return responder.result(connection_->complete(era, std::move(result)));
  }
  responder.error({rpc::kInvalidParams, "Unknown skill " + uri + ".", json{{"uri", uri}}});
}

// --- completion

namespace {

constexpr auto kCompletionLimit = std::chrono::seconds(2);  // a person is typing

// The kind of an argument of ours; nullopt if the reference is to none of our prompts and resources.
std::optional<ArgumentKind> kind_of(const SessionOptions& options, bool is_prompt, const std::string& wanted,
                                    const std::string& argument) {
  if (!is_prompt) {
    for (const Resource& resource : options.resources)
      if (resource.uri == wanted)
        return resource.is_template() && argument == "path" ? ArgumentKind::File : ArgumentKind::Text;
    return std::nullopt;
  }
  for (const Prompt& prompt : options.prompts) {
    if (prompt.name != wanted) continue;
    for (const PromptArgument& each : prompt.arguments)
      if (each.name == argument) return each.kind;
    return ArgumentKind::Text;
  }
  return std::nullopt;
}

}  // namespace

void Catalogue::complete(Era era, const json& params, rpc::Responder responder) {
  const SessionOptions& options = connection_->options();
  if (!options.provider && !options.complete)
    return responder.error({rpc::kMethodNotFound, "Unknown method completion/complete.", nullptr});
  const json &ref = member(params, "ref"), &argument = member(params, "argument");
  const std::string type = text_member(ref, "type");
  if ((type != "ref/prompt" && type != "ref/resource") || text_member(argument, "name").empty() ||
      !member(argument, "value").is_string())
    return responder.error(
        invalid_params("completion/complete needs params.ref, and params.argument with name and value."));
  const bool is_prompt = type == "ref/prompt";
  const std::string wanted = text_member(ref, is_prompt ? "name" : "uri");
  const auto kind = kind_of(options, is_prompt, wanted, text_member(argument, "name"));
  if (!kind && proxied_->provider_says(&ToolProvider::completes, ref))
    return proxied_->complete(era, params, std::move(responder));
  if (!kind) return responder.error(invalid_params("Unknown " + type.substr(4) + " '" + wanted + "'."));
  auto slot = connection_->call_slots().take();
  if (*kind == ArgumentKind::Text || !options.complete || !slot)
    return answer_completions(era, {}, responder);
  auto call = std::make_shared<Call>(io::CancelScope(kCompletionLimit));
  responder.on_cancel([cancel = call->scope.cancel](const std::string&) { cancel->cancel(); });
  auto shared = std::make_shared<rpc::Responder>(std::move(responder));
  asio::co_spawn(connection_->context(),
                 run_completion(era, *kind, argument["value"].get<std::string>(), call, shared),
                 [self = shared_from_this(), slot = std::move(*slot)](const std::exception_ptr&) {});
}

asio::awaitable<void> Catalogue::run_completion(Era era, ArgumentKind kind, std::string typed,
                                                std::shared_ptr<Call> call,
                                                std::shared_ptr<rpc::Responder> responder) {
  std::vector<std::string> candidates;
  try {
    candidates = co_await connection_->options().complete(kind, typed, call);
  } catch (const std::exception& error) {
    leanbridge::log::error("completion/complete: {}", error.what());
  }
  answer_completions(era, completions_of(std::move(candidates), typed), *responder);
}

void Catalogue::answer_completions(Era era, const Completions& completions, rpc::Responder& responder) {
  const bool has_more = completions.total > completions.values.size();
  json result = {
      {"completion", {{"values", completions.values}, {"total", completions.total}, {"hasMore", has_more}}}};
  responder.result(connection_->complete(era, std::move(result)));
}

// --- one prompt, one resource

void Catalogue::get_prompt(Era era, const json& params, rpc::Responder responder) {
  const std::string name = text_member(params, "name");
  const std::vector<Prompt>& prompts = connection_->options().prompts;
  const auto prompt = std::ranges::find_if(prompts, [&](const Prompt& each) { return each.name == name; });
  if (prompt == prompts.end() && proxied_->provider_says(&ToolProvider::knows_prompt, name))
    return proxied_->get_prompt(era, name, params, std::move(responder));
  if (prompt == prompts.end()) return responder.error(invalid_params("Unknown prompt '" + name + "'."));
  const auto values = check_arguments(*prompt, params.value("arguments", json()));
  if (!values) return responder.error(invalid_params(values.error().message));
  const json message = {{"role", "user"}, {"content", {{"type", "text"}, {"text", prompt->text(*values)}}}};
  json result = {{"description", prompt->description}, {"messages", json::array({message})}};
  responder.result(connection_->complete(era, std::move(result)));
}

void Catalogue::read_resource(Era era, const json& params, rpc::Responder responder) {
  if (era == Era::Modern) connection_->ready();
  const std::string uri = text_member(params, "uri");
  if (uri.empty()) return responder.error(invalid_params("resources/read needs params.uri, a string."));
  const auto named = find_resource(connection_->options().resources, uri);
  if (!named && proxied_->provider_says(&ToolProvider::knows_resource, uri))
    return proxied_->read_resource(era, uri, params, std::move(responder));
  if (!named)
    return responder.error(
        resource_error(era, uri, Error(ErrorKind::InvalidArgument, "Unknown resource " + uri + ".")));
  auto slot = connection_->call_slots().take();
  if (!slot)
    return responder.error(
        resource_error(era, uri, Error(ErrorKind::RateLimited, "Too many calls are already in progress.")));

  auto call = std::make_shared<Call>(io::CancelScope(io::to_duration(connection_->options().timeout_s)));
  call->scope.cancel->client = connection_->client();
  responder.on_cancel([cancel = call->scope.cancel](const std::string&) { cancel->cancel(); });
  auto shared = std::make_shared<rpc::Responder>(std::move(responder));
  asio::co_spawn(connection_->context(), run_read(era, *named, uri, call, shared),
                 [self = shared_from_this(), slot = std::move(*slot)](const std::exception_ptr&) {});
}

asio::awaitable<void> Catalogue::run_read(Era era, NamedResource named, std::string uri,
                                          std::shared_ptr<Call> call,
                                          std::shared_ptr<rpc::Responder> responder) {
  const Result<json> content = co_await guarded_read(named, call);
  if (!content) {
    responder->error(resource_error(era, uri, content.error()));
    co_return;
  }
  const bool is_text = named.resource->is_text();
  json entry = {{"uri", uri},
                {"mimeType", named.resource->mime_type},
                {"text", is_text ? content->get<std::string>() : rpc::dump(*content)}};
  // Without `csp`, the host does not let the page open connections.
  if (named.resource->is_app()) entry["_meta"] = {{"ui", {{"prefersBorder", true}}}};
  json result = {{"contents", json::array({std::move(entry)})}};
  limit_age(era, result, is_text ? kProgramTtlMs : 0);
  responder->result(connection_->complete(era, std::move(result)));
}

}  // namespace leanbridge::mcp
