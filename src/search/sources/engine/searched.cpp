#include "core/base/joined.hpp"
#include "search/sources/engine.hpp"
#include <fmt/format.h>

#include <algorithm>

namespace leanbridge::search {

namespace {

// Adds an item to a list unless it is there.
void add_new(std::vector<std::string>& list, std::string item) {
  if (std::ranges::find(list, item) == list.end()) list.push_back(std::move(item));
}

}  // namespace

std::string searched_line(const std::vector<SourceReport>& reports) {
  const bool index_asked = std::ranges::any_of(
      reports, [](const SourceReport& report) { return report.source == kLocal && !report.fallback_for; });
  std::vector<std::string> answered, services, lacking;
  for (const SourceReport& report : reports) {
    const bool is_index = report.source == kLocal;
    if (report.failure == Failure::Offline) {
      add_new(lacking, "offline");
    } else if (!report.failure) {
      const bool stands_in = !index_asked && report.fallback_for;
      add_new(is_index || report.source == kProofSearch ? answered : services,
              report.source + (stands_in ? " in place of " + *report.fallback_for : ""));
      if (report.partial) add_new(lacking, is_index ? "index incomplete" : report.source + " partial");
    } else if (report.failure != Failure::Disabled && report.failure != Failure::Skipped) {
      std::string status = wire::name_of(*report.failure);
      std::replace(status.begin(), status.end(), '_', ' ');
      add_new(lacking, report.source + " " + status);
    }
  }
  // Sources that are switched off matter only to a reader who has nothing but the index.
  const bool only_index = services.empty();
  if (!only_index) std::erase(lacking, "offline");
  answered.insert(answered.end(), services.begin(), services.end());
  std::string line = answered.empty() ? "nothing" : joined(answered);
  if (lacking.empty()) return line;
  const bool others_lack =
      std::ranges::any_of(lacking, [](const std::string& one) { return one != "index incomplete"; });
  if (answered.size() == 1 && only_index && others_lack && index_asked) line += " only";
  return line + fmt::format(" ({})", fmt::join(lacking, ", "));
}

}  // namespace leanbridge::search
