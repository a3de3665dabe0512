#pragma once
/// Searches by the shape of types: the full-text index names the statements that may fit a pattern, which are
/// then matched.

#include "index/store/store.hpp"
#include "question.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace leanbridge::index {

struct PatternMatches {
  std::vector<Found> found;  ///< in no order
  bool bounded = false;      ///< not all that might fit was compared
};

/// What fits all patterns of the lookup. `plan` is that of its words. Throws Failure.
PatternMatches search_patterns(const std::vector<std::shared_ptr<Store>>& stores, const Lookup& lookup,
                               const Filter& filter, const QueryPlan& plan,
                               const std::function<std::size_t(const std::string&)>& documents_with);

}  // namespace leanbridge::index
