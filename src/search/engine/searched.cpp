#include "leanbridge/search/engine.hpp"

#include <algorithm>

namespace leanbridge::search {

namespace {

// Items of lists, each once.
void add_new(std::vector<std::string>& list, std::string item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(std::move(item));
}

std::string comma_separated(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& item : list) text += (text.empty() ? "" : ", ") + item;
  return text;
}

// "server_error" is "server error" to a reader.
std::string words_for(SourceStatus status) {
  std::string words = wire::name_of(status);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string name_of_index(const SourceReport& report, bool in_its_own_right) {
  const bool stands_in = !in_its_own_right && !report.fallback_for.empty();
  return report.source + (stands_in ? " in place of " + report.fallback_for : "");
}

}  // namespace

std::string searched_line(const std::vector<SourceReport>& reports) {
  const bool index_asked = std::any_of(reports.begin(), reports.end(), [](const SourceReport& report) {
    return report.source == kLocal && report.fallback_for.empty();
  });
  std::vector<std::string> local, services, lacking;
  for (const SourceReport& report : reports) {
    const bool is_index = report.source == kLocal;
    if (report.offline) {
      add_new(lacking, "offline");
    } else if (report.status == SourceStatus::Ok) {
      const bool is_here = is_index || report.source == kProofSearch;
      add_new(is_here ? local : services, name_of_index(report, index_asked));
      if (report.partial) add_new(lacking, is_index ? "index incomplete" : report.source + " partial");
    } else if (report.status != SourceStatus::Disabled && report.status != SourceStatus::Skipped) {
      add_new(lacking, report.source + " " + words_for(report.status));
    }
  }
  // What is off anyway matters only to somebody who has nothing but the index.
  const bool only_index = services.empty();
  if (!only_index) std::erase(lacking, "offline");
  std::vector<std::string> answered = std::move(local);
  answered.insert(answered.end(), services.begin(), services.end());
  std::string line = answered.empty() ? "nothing" : comma_separated(answered);
  if (lacking.empty()) return line;
  const bool others_lack = std::any_of(lacking.begin(), lacking.end(),
                                       [](const std::string& one) { return one != "index incomplete"; });
  if (answered.size() == 1 && only_index && others_lack && index_asked) line += " only";
  return line + " (" + comma_separated(lacking) + ")";
}

}  // namespace leanbridge::search
