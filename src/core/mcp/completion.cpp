#include "completion.hpp"

#include "core/base/ascii.hpp"

#include <algorithm>

namespace leanbridge::mcp {

Completions completions_of(std::vector<std::string> candidates, const std::string& typed) {
  std::ranges::sort(candidates);
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  const std::string wanted = lower_case(typed);
  std::erase_if(candidates,
                [&](const std::string& each) { return lower_case(each).find(wanted) == std::string::npos; });
  std::stable_partition(candidates.begin(), candidates.end(),
                        [&](const std::string& each) { return each.starts_with(typed); });
  Completions completions;
  completions.total = candidates.size();
  candidates.resize(std::min(candidates.size(), kMaxCompletions));
  completions.values = std::move(candidates);
  return completions;
}

}  // namespace leanbridge::mcp
