#include "lexicon.hpp"

#include <algorithm>
#include <cmath>

namespace leanbridge::index {

namespace {

// Measured on docstrings of Mathlib that were left out of what is learnt.
constexpr int kRounds = 6;
constexpr double kRare = 2;  // added to the count of a part: what was seen once says little
constexpr double kMinLikelihood = 0.02;
constexpr double kLearntInType = 0.1;  // weight of a term that only the type has
constexpr double kAnywhere = 0.2;      // share of words that none of the parts explains
constexpr double kItself = 0.15;       // likelihood of the word that is the part
constexpr double kUnknown = 1e-7;      // likelihood of a word that no docstring has

/// Calls `visit` with each term that says something, once, and its weight. Sources name variables like
/// constants: `n`, `α`.
template <class Visit>
void for_each_part(std::string_view name, std::string_view type, Visit visit) {
  std::vector<std::string_view> seen;
  double weight = 1;
  for (std::string_view text : {name, type}) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(' '), text.size());
      const std::string_view term = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (term.size() < 2 || term[0] < 'a' || term[0] > 'z') continue;
      if (std::ranges::find(seen, term) != seen.end()) continue;
      seen.push_back(term);
      visit(term, weight);
    }
    weight = kLearntInType;
  }
}

}  // namespace

std::uint32_t Lexicon::Vocabulary::id(std::string_view term) {
  const auto [place, is_new] = ids.try_emplace(std::string(term), static_cast<std::uint32_t>(terms.size()));
  if (is_new) terms.emplace_back(term);
  return place->second;
}

void Lexicon::add(const Terms& words, std::string_view name, std::string_view type) {
  Pair pair;
  for (const std::string& word : words)
    if (const std::uint32_t id = words_.id(word); std::ranges::find(pair.words, id) == pair.words.end())
      pair.words.push_back(id);
  // The empty part stands beside all: it takes the words that say nothing about the others.
  pair.parts.emplace_back(parts_.id(""), 1);
  for_each_part(name, type, [&](std::string_view term, double weight) {
    pair.parts.emplace_back(parts_.id(term), weight);
  });
  if (!pair.words.empty()) pairs_.push_back(std::move(pair));
}

std::vector<Meaning> Lexicon::learn() const {
  // The links of a part and a word, and for each pair those between its words and its parts.
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  std::vector<std::uint32_t> links;
  std::vector<double> texts(words_.terms.size());
  double all_words = 0;
  for (const Pair& pair : pairs_)
    for (const std::uint32_t word : pair.words) {
      ++texts[word];
      ++all_words;
      for (const auto& [part, weight] : pair.parts) {
        const auto [place, is_new] =
            numbers.try_emplace((std::uint64_t{part} << 32U) | word, static_cast<std::uint32_t>(ends.size()));
        if (is_new) ends.emplace_back(part, word);
        links.push_back(place->second);
      }
    }
  std::vector<double> likelihood(ends.size(), 1), count(ends.size());
  for (int round = 0; round < kRounds; ++round) {
    std::fill(count.begin(), count.end(), 0);
    const std::uint32_t* link = links.data();
    for (const Pair& pair : pairs_)
      for (std::size_t i = 0; i < pair.words.size(); ++i, link += pair.parts.size()) {
        double sum = 0;
        for (std::size_t j = 0; j < pair.parts.size(); ++j) sum += pair.parts[j].second * likelihood[link[j]];
        for (std::size_t j = 0; j < pair.parts.size(); ++j)
          count[link[j]] += pair.parts[j].second * likelihood[link[j]] / sum;
      }
    std::vector<double> sums(parts_.terms.size(), kRare);
    for (std::size_t i = 0; i < ends.size(); ++i) sums[ends[i].first] += count[i];
    for (std::size_t i = 0; i < ends.size(); ++i) likelihood[i] = count[i] / sums[ends[i].first];
  }
  std::vector<Meaning> meanings;
  for (std::size_t i = 0; i < ends.size(); ++i)
    if (const auto& [part, word] = ends[i]; likelihood[i] >= kMinLikelihood && !parts_.terms[part].empty())
      meanings.push_back({words_.terms[word], parts_.terms[part], likelihood[i]});
  for (std::size_t word = 0; word < texts.size(); ++word)
    meanings.push_back({words_.terms[word], "", texts[word] / all_words});
  return meanings;
}

SentenceLikelihood::SentenceLikelihood(
    const Terms& words, const std::function<std::vector<Meaning>(const std::string&)>& meanings) {
  for (const std::string& word : words) {
    std::unordered_map<std::string, double> best;  // several databases may know the word
    for (const Meaning& meaning : meanings(word))
      best[meaning.part] = std::max(best[meaning.part], meaning.likelihood);
    const std::size_t place = anywhere_.size();
    anywhere_.push_back(best[""] + kUnknown);
    best.erase("");
    for (auto& [part, likelihood] : best) likelihood *= 1 - kItself;
    best[word] += kItself;
    for (const auto& [part, likelihood] : best) by_part_[part].emplace_back(place, likelihood);
  }
}

double SentenceLikelihood::of(std::string_view name, std::string_view type) const {
  std::vector<double> said(anywhere_.size());
  double parts = 0;
  for_each_part(name, type, [&](std::string_view term, double weight) {
    parts += weight;
    if (const auto found = by_part_.find(std::string(term)); found != by_part_.end())
      for (const auto& [word, likelihood] : found->second) said[word] += weight * likelihood;
  });
  double sum = 0;
  for (std::size_t i = 0; i < said.size(); ++i)
    sum += std::log(kAnywhere * anywhere_[i] + (parts > 0 ? (1 - kAnywhere) * said[i] / parts : 0));
  return sum;
}

}  // namespace leanbridge::index
