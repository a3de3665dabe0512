#pragma once
/// What the program does besides serving. The commands return the exit code for main.

#include "leanbridge/io/condition.hpp"
#include "leanbridge/mcp/tool.hpp"

#include "app/options.hpp"

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

/// Checks everything that a session needs, and reports what is wrong and what to do. Returns 1 if a check
/// fails.
int doctor(const Options& options);

/// Tries what leanbridge assumes of elan, Lake and Lean (docs/assumptions.md) on the toolchain of this
/// machine, in a temporary folder, and prints a line for each assumption, or JSON without names of this
/// machine. Returns 0; 1 if one does not hold; 3 if one could not be tried; 130 when interrupted.
int doctor_probe(const Options& options);

/// Brings the local index up to date, with progress on stderr if that is a terminal. Returns 0; 1 if the
/// index cannot be completed; 130 when interrupted, which keeps what was indexed so far.
int index_build(const Options& options);

/// Does the same before a search, on the search's loop. Prints only progress, and one line if the index stays
/// incomplete or the build is interrupted.
asio::awaitable<void> complete_index(Runtime& runtime, std::shared_ptr<io::CancelSource> cancel);

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

/// Shows where the local index is and what it contains. Returns 0 whether or not there is one; 1 if that
/// cannot be determined.
int index_status(const Options& options);

/// Finds theorems and prints them: a table on a terminal, tab-separated lines otherwise. Returns 0; 1 if
/// there are none, or for an error; 2 for wrong usage; 130 when interrupted.
int search(const Options& options);

/// Tries at every sorry of the files what lean_fill tries, and prints a line for each, or JSON. Returns 0; 1
/// if one is left open, or for an error; 2 for wrong usage; 130 when interrupted.
int fill(const Options& options);

/// Prints which imports the files do not need and which they lack, or JSON, and writes that if it is wanted.
/// Returns 0; 1 if one could be changed and was not, or for an error; 2 for wrong usage; 3 if not every
/// import could be tried; 130 when interrupted.
int imports(const Options& options);

/// Checks many items, or with --merge joins the verdicts of earlier runs. Prints a line of JSON per item.
/// Returns 0; 1 with --strict if one is not ok; 2 for wrong usage; 3 if not all were judged.
int check(const Options& options);

/// Prints what a server over HTTP does: its clients, calls, documents and workers. Returns 0; 1 if it does
/// not answer; 2 for wrong usage.
int status(const Options& options);

/// Adds the entry that starts this program to a host's configuration, or removes it: by the host's own
/// program, or by editing its file. Shows what it does, and asks unless --yes was given. Returns 0; 1 if the
/// configuration is not as it should be; 2 for wrong usage; 130 when interrupted.
int setup(const Options& options);

/// Shows a file with its goals and messages on a page for the user's browser, and prints the page's URL on
/// stderr. Returns 0 after a signal; 1 if there is no such file or port; 2 for wrong usage.
int view(const Options& options);

/// Judges whether a solution proves what a challenge states, and prints the verdict; or records a baseline.
/// Returns 0 if certified, 1 if refused, 2 for wrong usage, 3 if incomplete, 130 when interrupted.
int certify(const Options& options);

/// Prints what the working tree, or a second revision, does to the declarations of the project: verdict
/// first, then by file. Returns 0 if no sorry and no axiom is new, 1 if one is, 2 for wrong usage, 3 if not
/// everything could be read, 130 when interrupted.
int diff(const Options& options);

}  // namespace leanbridge::app
