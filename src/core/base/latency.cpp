#include "latency.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace leanbridge {

void Latency::add(double ms) {
  const auto bound = std::ranges::lower_bound(kBoundsMs, ms, [](int b, double value) { return b < value; });
  ++counts_[static_cast<std::size_t>(bound - kBoundsMs.begin())];
  ++count_;
  total_ms_ += ms;
  max_ms_ = std::max(max_ms_, ms);
}

nlohmann::json Latency::histogram() const {
  nlohmann::json classes = nlohmann::json::object();
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    const bool last = i == kBoundsMs.size();
    classes[(last ? ">" : "<=") + std::to_string(kBoundsMs[last ? i - 1 : i])] = counts_[i];
  }
  return classes;
}

}  // namespace leanbridge
