#pragma once
/// Other MCP servers as sources of lean_theorem_search.

#include "leanbridge/search/services.hpp"
#include "leanbridge/upstream/hub.hpp"

namespace leanbridge::app {

/// Reports, as problems of the configuration, the entries whose `search` names no service.
void check_search_sources(upstream::Config& config);

/// Adds what has a `search` in its entry. Both must outlive the questions.
void add_search_sources(search::Services& services, upstream::Hub& hub, bool offline);

}  // namespace leanbridge::app
