#pragma once
/// `leanbridge search` and `leanbridge index`. The commands return the exit code for main.

#include "core/io/condition.hpp"
#include "core/program/options.hpp"
#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>
#include <vector>

namespace leanbridge::app {

class Runtime;

/// Brings the local index up to date, with progress on stderr if that is a terminal. Returns 0; 1 if the
/// index cannot be completed; 130 when interrupted, which keeps what was indexed so far.
int index_build(const Options& options);

/// Does the work of index_build() before a search, on the search's loop. Prints only progress, and one line
/// if the index stays incomplete or the build is interrupted.
asio::awaitable<void> complete_index(Runtime& runtime, std::shared_ptr<io::CancelSource> cancel);

/// Shows the location and the content of the local index. Returns 0 whether or not there is one; 1 if that
/// cannot be determined.
int index_status(const Options& options);

/// Why sources have not answered: each reason once, with those that have it. `sources`: of a full answer of
/// lean_theorem_search.
std::vector<std::string> reasons_in(const nlohmann::json& sources);

/// Finds theorems and prints them: a table on a terminal, tab-separated lines otherwise. Returns 0 for
/// success; 1 if there are none, or for an error; 2 for wrong usage; 130 when interrupted.
int search(const Options& options);

}  // namespace leanbridge::app
