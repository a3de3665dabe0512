#pragma once
/// Lean's own search for a goal, as a source of lean_theorem_search. Private to this module.

#include "core/ide/open_file.hpp"
#include "core/tools/common/typed_tool.hpp"
#include "search/sources/engine.hpp"
#include "search_environment.hpp"

namespace leanbridge::tools {

/// The theorems with which `exact?` closes the goal at the position; if it cannot, those of `rw?`. They run
/// in a scratch document. The note is Lean's suggestion.
search::LiveSource proof_search(SearchEnvironment& environment, std::shared_ptr<mcp::Call> call,
                                FilePosition at, std::filesystem::path project);

/// Leaves out those of the first hits that Lean knows at the goal, but can neither apply there nor rewrite or
/// simplify with: they only look alike. Returns how many. Takes a few seconds at most; what is not tried by
/// then stays.
asio::awaitable<std::size_t> leave_out_unusable(SearchEnvironment& environment,
                                                std::shared_ptr<mcp::Call> call, FilePosition at,
                                                std::vector<search::Theorem>& theorems);

}  // namespace leanbridge::tools
