#pragma once
/// A tool: its name, its arguments and output (from which schemas and checks are derived), and the coroutine
/// that runs it.

#include "core/base/json_struct.hpp"
#include "core/io/operation.hpp"
#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::mcp {

/// Hints for the host. All four are always sent, because their defaults are the cautious ones. They describe
/// the tool itself, not the effects of the project's files whenever Lean elaborates them (decision 15).
struct Annotations {
  bool read_only = true;
  bool destructive = false;
  bool idempotent = true;
  bool open_world = false;
};

using io::Progress;

/// The number of characters (Unicode code points) of a text that an answer shows by default.
inline constexpr std::size_t kDefaultTextBudget = 6000;

/// One call under way.
struct Call : io::Operation {
  explicit Call(io::CancelScope scope) : Operation{std::move(scope), {}} {}

  bool has_timeout = false;  ///< the deadline is the caller's timeout_s, not the server's default
  wire::Detail detail = wire::Detail::Brief;  ///< detail of the answer, by the caller's `verbose`
  /// Characters of each text in the answer; 0: all. A tool that returns a text as a whole sets it to 0.
  std::size_t text_budget = 0;
  /// A folder in the project, for a tool that is given no file; empty: the server's own.
  std::string project;
};

struct Tool {
  using Handler =
      std::function<asio::awaitable<Result<nlohmann::json>>(std::shared_ptr<Call>, nlohmann::json arguments)>;

  std::string name;
  std::string title;
  std::string group;        ///< "proof", "query", ...: selected by --tools
  std::string description;  ///< at most 3 sentences: when to use it
  wire::Fields arguments;
  nlohmann::json defaults = nlohmann::json::object();  ///< the values of absent arguments
  wire::Fields output;
  Annotations annotations;
  /// Lean elaborates text from the arguments, which can run any program. Hosts then get the hints of such a
  /// program instead of `annotations`, and --no-caller-code removes the tool.
  bool caller_code = false;
  bool waits = true;  ///< takes timeout_s
  /// timeout_s is in its schema, because it is often slow; all other tools that wait take it, too
  bool shows_timeout = false;
  bool may_be_task =
      false;  ///< it is often so slow that the request is answered with a task, if the client knows tasks
  /// It is in tools/list even without a choice of groups: hosts pay for every listed tool. Unlisted tools can
  /// be called, too.
  bool listed = true;
  /// The URI of a resource that shows the answers, a page of MCP Apps; may be empty.
  std::string app;
  Handler handler;
};

/// The hints sent to the host.
Annotations hints_of(const Tool& tool);

/// Further arguments of every tool that waits.
struct WaitParams {
  std::optional<double> timeout_s;

  static wire::Fields fields();
};

/// Further arguments of every tool. They are not in the schemas: the server's instructions name them once for
/// all tools.
struct DetailParams {
  bool verbose = false;  ///< the whole answer, with empty fields and with texts above the budget

  static wire::Fields fields();
};

/// The settings of a call that does not set them itself.
struct CallDefaults {
  double timeout_s = 120;
  std::size_t text_budget = kDefaultTextBudget;
};

/// Makes a call with checked arguments. Its deadline counts from now.
std::shared_ptr<Call> new_call(const nlohmann::json& arguments, const CallDefaults& defaults);

/// The tool's entry in `tools/list`. The output schema lists only top-level members that every full answer
/// has, because hosts put all of it into a model's context; members that a brief answer has, too, are
/// required.
nlohmann::json describe(const Tool& tool);

/// Runs the handler, and cuts texts to the call's budget; exceptions become Internal errors.
asio::awaitable<Result<nlohmann::json>> run(const Tool* tool, std::shared_ptr<Call> call,
                                            nlohmann::json arguments);

/// Checks `given`, the `arguments` of tools/call, against the tool and resolves aliases (`file`, `col`).
/// Numbers and truth values may be texts ("7", "true"), as some models write them. Unknown, missing and
/// mistyped arguments give an InvalidArgument that names the argument, with its path for members of objects
/// (`goal_at.line`), what is accepted, and what was probably meant.
Result<nlohmann::json> check_arguments(const Tool& tool, nlohmann::json given);

/// Reads the arguments of a call from command-line words of the form NAME=VALUE, or JSON objects. A value is
/// parsed as JSON if the result fits the argument's type, and is a string otherwise; list arguments may be
/// repeated. InvalidArgument for any other word, broken JSON or a repeated argument; check_arguments() finds
/// all other errors.
Result<nlohmann::json> arguments_from_words(const Tool& tool, const std::vector<std::string>& words);

}  // namespace leanbridge::mcp
