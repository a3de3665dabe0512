#pragma once
/// The fixture corpus, and papers from text.

#include "corpus/records/paper.hpp"

#include <algorithm>

namespace leanbridge::corpus {

inline std::filesystem::path fixture_corpus() {
  return std::filesystem::path(LEANBRIDGE_FIXTURES) / "corpus";
}

inline Paper fixture_paper(const std::string& id) {
  return read_paper(fixture_corpus(), id).value();
}

inline Paper paper_of(std::string_view manifest, std::string_view cards) {
  Paper paper;
  read_manifest(manifest, paper);
  read_cards(cards, paper);
  return paper;
}

inline std::vector<std::string> kinds(const Paper& paper) {
  std::vector<std::string> all;
  for (const Problem& problem : paper.problems)
    all.push_back(problem.file + " " + wire::name_of(problem.kind));
  return all;
}

using Strings = std::vector<std::string>;

}  // namespace leanbridge::corpus
