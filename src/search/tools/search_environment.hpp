#pragma once
/// The services that the tools of search use. Private to this part.

#include "core/tools/tools.hpp"
#include "search/index/local_index.hpp"
#include "search/sources/services.hpp"

namespace leanbridge::tools {

/// Outlives all calls.
struct SearchEnvironment : Environment {
  index::LocalIndex& index;
  search::Services& search;
};

/// All tools of search.
std::vector<mcp::Tool> search_tools(SearchEnvironment& environment);

}  // namespace leanbridge::tools
