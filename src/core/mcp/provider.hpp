#pragma once
/// Tools, prompts and resources of other servers, passed through with schemas and results that this program
/// did not make. A Session lists them beside its own without knowing who provides them.

#include "core/rpc/message.hpp"
#include "resource.hpp"
#include "revision.hpp"
#include "tool.hpp"
#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace leanbridge::mcp {

/// A proxied call under way.
struct ProxiedCall {
  io::CancelScope scope;
  /// Receives `params` of notifications/progress without the token and forwards them unchanged, at a limited
  /// rate. Empty if the client wants no progress.
  std::function<void(nlohmann::json params)> on_progress = {};
  Era era = Era::Legacy;
  /// The kinds of requests that the client lets a server make (askable()): from this request in the modern
  /// era, otherwise from `initialize`.
  nlohmann::json capabilities = nlohmann::json::object();
  /// In the modern era, the answers to an earlier `input_required` and the state to hand back with them:
  /// `inputResponses` and `requestState`, if present.
  nlohmann::json input = nlohmann::json::object();
  /// Set by the provider besides its error: the error to send to a modern client unchanged.
  std::optional<rpc::RpcError> refusal = std::nullopt;
};

/// A result object for the client, or the error.
using ProxiedResult = Result<nlohmann::json>;

/// Called on the loop's thread. Must outlive all sessions.
class ToolProvider {
 public:
  virtual ~ToolProvider() = default;

  /// The entries for tools/list, in a stable order, with legal names that differ from our own.
  virtual nlohmann::json tools() const = 0;
  /// Whether `name`, in any of its spellings, is the name of one of these tools, or is ambiguous among them.
  virtual bool knows_tool(const std::string& name) const = 0;
  /// `arguments` is an object. Returns errors that the model can act on.
  virtual asio::awaitable<ProxiedResult> call_tool(std::string name, nlohmann::json arguments,
                                                   std::shared_ptr<ProxiedCall> call) = 0;

  virtual nlohmann::json prompts() const = 0;
  virtual bool knows_prompt(const std::string& name) const = 0;
  /// `arguments` is an object or null. InvalidArgument means that the client made a mistake.
  virtual asio::awaitable<ProxiedResult> get_prompt(std::string name, nlohmann::json arguments,
                                                    std::shared_ptr<ProxiedCall> call) = 0;

  /// The entries for resources/list and resources/templates/list.
  virtual nlohmann::json resources() const = 0;
  virtual nlohmann::json resource_templates() const = 0;
  /// Whether the URI is that of a resource, or fits a template.
  virtual bool knows_resource(const std::string& uri) const = 0;
  virtual asio::awaitable<ProxiedResult> read_resource(std::string uri,
                                                       std::shared_ptr<ProxiedCall> call) = 0;
  /// NotSupported if its server reports no changes.
  virtual Result<Watch> watch_resource(const std::string& uri) = 0;

  /// Whether `ref` (of completion/complete) refers to a prompt or a template of these.
  virtual bool completes(const nlohmann::json& ref) const = 0;
  /// `params` are those of completion/complete.
  virtual asio::awaitable<ProxiedResult> complete(nlohmann::json params,
                                                  std::shared_ptr<ProxiedCall> call) = 0;

  /// Called when the client says that its roots have changed.
  virtual void roots_changed() = 0;
};

/// Whether a modern result has the type `input_required`.
bool asks_for_input(const nlohmann::json& result);

/// Says in the modern era how long the client may keep a result, unless the result says it itself.
void limit_age(Era era, nlohmann::json& result, int ttl_ms);

/// Adapts a result of another server to the client's revision: removes members of the other era and replaces
/// kinds of content the revision lacks by a text that says so. `revision` is empty in the modern era.
nlohmann::json fit_result(nlohmann::json result, const std::string& revision);

}  // namespace leanbridge::mcp
