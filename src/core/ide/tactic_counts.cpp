#include "tactic_counts.hpp"

#include "core/base/files.hpp"
#include "core/base/hash.hpp"
#include "core/base/json.hpp"
#include <fmt/format.h>

#include <algorithm>

namespace leanbridge::ide {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {
constexpr std::size_t kMaxRows = 200;
constexpr std::size_t kMaxTableBytes = std::size_t{64} << 10;
}  // namespace

fs::path TacticCounts::file_for(const fs::path& cache, const fs::path& project) {
  return cache / fmt::format("fill-{:016x}.json", fnv1a(project.string()));
}

TacticCounts TacticCounts::read(const fs::path& file) {
  TacticCounts counts;
  const auto text = read_regular_file(file, kMaxTableBytes);
  if (!text) return counts;
  const json table = read_json(*text);
  if (!table.is_object()) return counts;
  for (const auto& [tactic, count] : table.items())
    if (count.is_number_unsigned() && counts.counts_.size() < kMaxRows)
      counts.counts_.emplace(tactic, count.get<std::uint64_t>());
  return counts;
}

bool TacticCounts::write(const fs::path& file) const {
  return make_private_folder(file.parent_path()) &&
         replace_own_file(file, json(counts_).dump(0, ' ', false, json::error_handler_t::replace) + "\n");
}

void TacticCounts::add(const std::string& tactic) {
  if (counts_.size() < kMaxRows || counts_.contains(tactic)) ++counts_[tactic];
}

void TacticCounts::sort(Candidates& candidates) const {
  const auto count = [&](const std::string& tactic) {
    const auto found = counts_.find(tactic);
    return found == counts_.end() ? 0 : found->second;
  };
  std::ranges::stable_sort(candidates, [&](const auto& a, const auto& b) { return count(a) > count(b); });
}

}  // namespace leanbridge::ide
