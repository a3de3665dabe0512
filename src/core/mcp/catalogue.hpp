#pragma once
/// Lists tools, prompts, resources and skills; gets prompts and skills, reads resources, completes arguments.

#include "connection.hpp"
#include "proxied_calls.hpp"
#include "tool_registry.hpp"
#include <nlohmann/json.hpp>

#include <memory>
#include <string>

namespace leanbridge::mcp {

/// Kept alive by the reads under way.
class Catalogue : public std::enable_shared_from_this<Catalogue> {
 public:
  Catalogue(std::shared_ptr<Connection> connection, const ToolRegistry& tools,
            std::shared_ptr<ProxiedCalls> proxied);

  void list_tools(Era era, const nlohmann::json& params, rpc::Responder responder);
  void list_prompts(Era era, const nlohmann::json& params, rpc::Responder responder);
  void get_prompt(Era era, const nlohmann::json& params, rpc::Responder responder);
  void list_resources(Era era, const nlohmann::json& params, rpc::Responder responder);
  void list_templates(Era era, const nlohmann::json& params, rpc::Responder responder);
  void read_resource(Era era, const nlohmann::json& params, rpc::Responder responder);
  void list_skills(Era era, const nlohmann::json& params, rpc::Responder responder);
  void get_skill(Era era, const nlohmann::json& params, rpc::Responder responder);
  /// completion/complete. The answer has no values for an argument of ours of unknown kind.
  void complete(Era era, const nlohmann::json& params, rpc::Responder responder);

 private:
  using ProviderList = nlohmann::json (ToolProvider::*)() const;
  /// Answers a list method with its single page: our entries, and then those of the provider; null: it has no
  /// such list.
  void answer_page(Era era, const char* member, nlohmann::json page, ProviderList others,
                   const nlohmann::json& params, rpc::Responder responder);
  /// `params` are the request's: a modern client names its capabilities in each request.
  bool client_shows_apps(Era era, const nlohmann::json& params) const;
  asio::awaitable<void> run_read(Era era, NamedResource named, std::string uri, std::shared_ptr<Call> call,
                                 std::shared_ptr<rpc::Responder> responder);

  asio::awaitable<void> run_completion(Era era, ArgumentKind kind, std::string typed,
                                       std::shared_ptr<Call> call, std::shared_ptr<rpc::Responder> responder);
  void answer_completions(Era era, const Completions& completions, rpc::Responder& responder);

  std::shared_ptr<Connection> connection_;
  const ToolRegistry& tools_;
  std::shared_ptr<ProxiedCalls> proxied_;
};

}  // namespace leanbridge::mcp
