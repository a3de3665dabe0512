#pragma once
/// What the program does beside serving. Each returns the exit code for main.

#include "leanbridge/io/condition.hpp"
#include "leanbridge/mcp/tool.hpp"

#include "app/options.hpp"

#include <functional>
#include <memory>

namespace leanbridge::app {

class Runtime;

/// One call of a tool: its JSON on stdout, progress on stderr where that is a terminal. 0; 1 for a tool's
/// error; 2 for wrong usage; 130 when interrupted.
int call(const Options& options);

/// The tools that the options select: for people, or as tools/list has them.
int list_tools(const Options& options);

/// Looks at everything that a session needs, and says of each what is wrong and what to do. 1 when something
/// is wrong.
int doctor(const Options& options);

/// Brings the local index up to date, with progress on stderr where that is a terminal. 0; 1 where it cannot
/// be complete; 130 when interrupted: what was read so far stays.
int index_build(const Options& options);

/// The same before a search, on its loop: nothing is printed but progress, and one line where the search will
/// find less or was interrupted.
asio::awaitable<void> complete_index(Runtime& runtime, std::shared_ptr<io::CancelSource> cancel);

/// What goes before a call and takes its own time. Interrupted as the call is.
using Preparation = std::function<asio::awaitable<void>(std::shared_ptr<io::CancelSource>)>;

/// Runs the loop until the tool has answered, with progress on stderr where that is a terminal, and stops
/// Lean. `interrupted`: a signal came.
Result<nlohmann::json> run_one(Runtime& runtime, const mcp::Tool& tool, nlohmann::json arguments,
                               bool& interrupted, Preparation before = nullptr);

/// Where the local index is and how much it holds. 0, whether there is one or not; 1 where that cannot be
/// found out.
int index_status(const Options& options);

/// Finds theorems and prints them: a table on a terminal, else lines of fields between tabs. 0; 1 where there
/// is none, or for an error; 2 for wrong usage; 130 when interrupted.
int search(const Options& options);

/// Removes what searches have kept on disk. 0; 1 where that fails.
int cache_clear(const Options& options);

}  // namespace leanbridge::app
