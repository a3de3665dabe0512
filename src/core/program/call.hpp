#pragma once
/// `leanbridge call`, `tools` and `help`, and calls that other commands make.

#include "core/io/condition.hpp"
#include "core/mcp/tool.hpp"
#include "options.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace leanbridge::app {

class Runtime;

/// Calls one tool. Prints its JSON on stdout and its progress on stderr if that is a terminal. Returns 0 for
/// success; 1 for a tool error; 2 for wrong usage; 130 when interrupted.
int call(const Options& options);

/// The same for lean_goal, and for lean_multi_attempt with words that are tactics, at the options' place.
int goal(const Options& options);
int try_tactics(const Options& options);

/// Explains the tool of the options, or prints all commands and tools as JSON.
int help_with_tools(const Options& options);

/// Lists the tools that the options select, for people or as in tools/list.
int list_tools(const Options& options);

/// Work to do before a call. It does not count towards the call's timeout, and is cancelled with the call.
using Preparation = std::function<asio::awaitable<void>(std::shared_ptr<io::CancelSource>)>;

/// Receives each answer of run_calls(), in order.
using TakeAnswer = std::function<void(Result<nlohmann::json>)>;

/// Runs the loop until the tool has answered each call, with progress on stderr if that is a terminal, then
/// stops Lean. False if a signal arrived: the remaining calls are not made.
bool run_calls(Runtime& runtime, const mcp::Tool& tool, std::vector<nlohmann::json> arguments,
               TakeAnswer take);

/// Makes file names in arguments absolute, from the current folder. Leaves them if the current folder is the
/// project, since tools resolve them there.
void resolve_files(Runtime& runtime, nlohmann::json& arguments);

/// Makes one call as run_calls() does. Sets `interrupted` if a signal arrived.
Result<nlohmann::json> run_one(Runtime& runtime, const mcp::Tool& tool, nlohmann::json arguments,
                               bool& interrupted, Preparation before = nullptr);

}  // namespace leanbridge::app
