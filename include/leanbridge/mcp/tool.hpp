#pragma once
/// What a tool is: its name, the members of its arguments and of its answer (from which the schemas and the
/// checks are made), and a coroutine that answers.

#include "leanbridge/base/json_struct.hpp"
#include "leanbridge/io/condition.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::mcp {

/// Hints for the host; all four are always sent, since their defaults are the cautious ones. They speak of
/// what the tool does, beside what the project's own files do whenever Lean elaborates them (decision 15).
struct Annotations {
  bool read_only = true;
  bool destructive = false;
  bool idempotent = true;
  bool open_world = false;
};

/// How far a wait has come.
struct Progress {
  double done = 0;
  double total = 0;
  std::string message;
};

/// One call under way.
struct Call {
  io::CancelScope scope;
  bool has_timeout = false;  ///< the scope's deadline is the caller's timeout_s, not the server's own
  /// Set by the tool before it waits; asked about once a second while the client wants progress.
  std::function<std::optional<Progress>()> progress;
};

struct Tool {
  using Handler =
      std::function<asio::awaitable<Result<nlohmann::json>>(std::shared_ptr<Call>, nlohmann::json arguments)>;

  std::string name;
  std::string title;
  std::string group;        ///< "proof", "query", ...: what --tools selects
  std::string description;  ///< at most 3 sentences: when to use it
  wire::Fields arguments;
  wire::Fields output;
  Annotations annotations;
  /// Lean elaborates text of the arguments, which is to say that it runs it: any program. Its annotations are
  /// then those of such a program, whatever `annotations` says, and --no-caller-code leaves it out.
  bool caller_code = false;
  bool waits = true;  ///< takes timeout_s
  Handler handler;
};

/// The hints of the tool as the host gets them.
Annotations hints_of(const Tool& tool);

/// What every tool that waits takes, beside its own arguments.
struct WaitParams {
  std::optional<double> timeout_s;

  static wire::Fields fields();
};

/// The tool as `tools/list` shows it. Of its output only the outermost members that every answer has: hosts
/// put all of this into a model's context.
nlohmann::json describe(const Tool& tool);

/// Runs the handler; what it throws becomes an Internal error.
asio::awaitable<Result<nlohmann::json>> run(const Tool* tool, std::shared_ptr<Call> call,
                                            nlohmann::json arguments);

/// Checks `given` (the `arguments` of tools/call) against the tool: aliases (`file`, `col`) are resolved,
/// unknown, missing and wrongly typed arguments give InvalidArgument that names the argument and what is
/// accepted; so do the members of an object, as `goal_at.line`.
Result<nlohmann::json> check_arguments(const Tool& tool, nlohmann::json given);

/// The arguments of a call from words of a command line, each NAME=VALUE. A value is read as JSON where that
/// fits the argument's type, else it is the string as it stands; a list argument may be given several times.
/// InvalidArgument for a word without `=` and for one argument given twice. What else is wrong is for
/// check_arguments() to say.
Result<nlohmann::json> arguments_from_words(const Tool& tool, const std::vector<std::string>& words);

}  // namespace leanbridge::mcp
