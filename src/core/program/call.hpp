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

/// Calls one tool. Prints its JSON on stdout and its progress on stderr if that is a terminal. Returns 0; 1
/// for a tool error; 2 for wrong usage; 130 when interrupted.
int call(const Options& options);

/// Explains the tool of the options, or prints all commands and tools as JSON.
int help_with_tools(const Options& options);

/// Lists the tools that the options select, for people or as in tools/list.
int list_tools(const Options& options);

/// Work to do before a call, which does not count towards the call's timeout. Cancelled with the call.
using Preparation = std::function<asio::awaitable<void>(std::shared_ptr<io::CancelSource>)>;

/// Gets each answer of run_calls(), in order.
using TakeAnswer = std::function<void(Result<nlohmann::json>)>;

/// Runs the loop until the tool has answered each call, with progress on stderr if that is a terminal, then
/// stops Lean. False if a signal arrived: the rest is not called.
bool run_calls(Runtime& runtime, const mcp::Tool& tool, std::vector<nlohmann::json> arguments,
               TakeAnswer take);

/// Makes files of the current folder that arguments name absolute, unless that is the project, in which they
/// are as tools take them.
void resolve_files(Runtime& runtime, nlohmann::json& arguments);

/// The same for one call. Sets `interrupted` if a signal arrived.
Result<nlohmann::json> run_one(Runtime& runtime, const mcp::Tool& tool, nlohmann::json arguments,
                               bool& interrupted, Preparation before = nullptr);

}  // namespace leanbridge::app
