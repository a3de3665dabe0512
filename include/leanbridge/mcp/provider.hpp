#pragma once
/// Tools and prompts that somebody else describes and answers: passed through as they are, with schemas and
/// results that this program did not make. A Session shows them beside its own; who provides them is not
/// known here.

#include "leanbridge/mcp/tool.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <string>

namespace leanbridge::mcp {

/// A foreign call under way.
struct ProxiedCall {
  io::CancelScope scope;
  /// `params` of notifications/progress without the token; empty where the client wants none. Goes to the
  /// client unchanged, but for messages that come too fast for it.
  std::function<void(nlohmann::json params)> on_progress;
};

/// A result object as the client shall see it, or why there is none.
using ForeignResult = Result<nlohmann::json>;

/// Everything is called on the loop's thread. Outlives all sessions.
class ToolProvider {
 public:
  virtual ~ToolProvider() = default;

  /// The entries for tools/list, in a stable order. Their names are legal, and none is a name of our own.
  virtual nlohmann::json tools() const = 0;
  /// True where `name`, in any of its spellings, means a tool from there, or one that is only unclear.
  virtual bool knows_tool(const std::string& name) const = 0;
  /// Errors that the model can act on. `arguments` is an object.
  virtual asio::awaitable<ForeignResult> call_tool(std::string name, nlohmann::json arguments,
                                                   std::shared_ptr<ProxiedCall> call) = 0;

  virtual nlohmann::json prompts() const = 0;
  virtual bool knows_prompt(const std::string& name) const = 0;
  /// `arguments` is an object or null. InvalidArgument: the client's fault.
  virtual asio::awaitable<ForeignResult> get_prompt(std::string name, nlohmann::json arguments,
                                                    std::shared_ptr<ProxiedCall> call) = 0;
};

/// A foreign result as a client of this revision can read it: what is of the other era is taken away, and
/// content of kinds that the revision does not know becomes a text that says so. `revision` empty: the modern
/// era.
nlohmann::json fit_result(nlohmann::json result, const std::string& revision);

}  // namespace leanbridge::mcp
