#pragma once
/// Tools and prompts of other servers, passed through with schemas and results that this program did not
/// make. A Session lists them beside its own without knowing who provides them.

#include "leanbridge/mcp/tool.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <string>

namespace leanbridge::mcp {

/// A proxied call under way.
struct ProxiedCall {
  io::CancelScope scope;
  /// Receives `params` of notifications/progress without the token and forwards them unchanged, at a limited
  /// rate. Empty if the client wants no progress.
  std::function<void(nlohmann::json params)> on_progress;
};

/// A result object for the client, or why there is none.
using ProxiedResult = Result<nlohmann::json>;

/// Called on the loop's thread. Must outlive all sessions.
class ToolProvider {
 public:
  virtual ~ToolProvider() = default;

  /// The entries for tools/list, in a stable order, with legal names that differ from our own.
  virtual nlohmann::json tools() const = 0;
  /// Whether `name`, in any of its spellings, means one of these tools, or is ambiguous among them.
  virtual bool knows_tool(const std::string& name) const = 0;
  /// `arguments` is an object. Returns errors that the model can act on.
  virtual asio::awaitable<ProxiedResult> call_tool(std::string name, nlohmann::json arguments,
                                                   std::shared_ptr<ProxiedCall> call) = 0;

  virtual nlohmann::json prompts() const = 0;
  virtual bool knows_prompt(const std::string& name) const = 0;
  /// `arguments` is an object or null. InvalidArgument means the client made a mistake.
  virtual asio::awaitable<ProxiedResult> get_prompt(std::string name, nlohmann::json arguments,
                                                    std::shared_ptr<ProxiedCall> call) = 0;
};

/// Adapts a result of another server to the client's revision: removes members of the other era and replaces
/// kinds of content the revision lacks by a text that says so. `revision` is empty in the modern era.
nlohmann::json fit_result(nlohmann::json result, const std::string& revision);

}  // namespace leanbridge::mcp
