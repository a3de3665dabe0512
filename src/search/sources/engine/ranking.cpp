// Merges answers and computes the score that docs/search.md explains.

#include "search/index/type_fit.hpp"
#include "search/sources/theorem.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace leanbridge::search {

namespace {

// The weights of the kinds of sources: those that match types; those that know meanings; and the local index,
// by names and structure and by text. Sources that were not asked do not count.
constexpr double kType = 0.40;
constexpr double kSemantic = 0.30;
constexpr double kIndex = 0.20 + 0.10;

// The scores of types: at least kWhole if it fits the pattern as a whole, kPart if a part fits, and up to
// kAlike if it only has some of its constants.
constexpr double kWhole = 0.9, kPart = 0.85, kAlike = 0.6;
constexpr double kByLoogle = kWhole;  // at least; for hits that Loogle matched
constexpr double kRankOffset = 3;     // rank 1 counts 1, rank 2 0.8, rank 5 0.5
constexpr double kOneSource = 0.7;    // value of the first rank of one source
constexpr double kAgreement = 0.1;    // confidence gained per further source
constexpr double kFallback = 0.9;     // factor for hits of fallbacks only

// Whether a source orders by meaning; Loogle does not order by relevance.
bool knows_meanings(std::string_view source) {
  const SourceKind kind = source_kind(source);
  return kind != SourceKind::Loogle && kind != SourceKind::Local && kind != SourceKind::ProofSearch;
}

double score_of_fit(double fit) {
  if (fit >= index::kWholeFit)
    return kWhole + (1 - kWhole) * (fit - index::kWholeFit) / (1 - index::kWholeFit);
  return fit >= index::kPartFit ? kPart : 0;
}

// One good rank counts for much; each further one adds to it.
double semantic(const Theorem& theorem) {
  double unlikely = 1;
  for (const auto& [source, place] : theorem.ranks)
    if (knows_meanings(source))
      unlikely *= 1 - kOneSource * (kRankOffset + 1) / (kRankOffset + static_cast<double>(place));
  return 1 - unlikely;
}

}  // namespace

void rank(std::vector<Theorem>& theorems, const Query& query) {
  std::optional<index::TypePatterns> wanted;
  if (query.type && !query.type->lookup.patterns.empty()) wanted.emplace(query.type->lookup.patterns);
  bool has_index = false, has_meanings = false;
  for (const Theorem& theorem : theorems)
    for (const auto& [source, place] : theorem.ranks) {
      has_index = has_index || source == kLocal;
      has_meanings = has_meanings || knows_meanings(source);
    }
  const double worth = (wanted ? kType : 0) + (has_meanings ? kSemantic : 0) + (has_index ? kIndex : 0);
  for (Theorem& theorem : theorems) {
    double sum = 0;
    if (wanted) {
      const auto type = wanted->compare(theorem.signature);
      theorem.type_readable = type.readable;
      theorem.type_score = std::max({theorem.by_pattern ? kByLoogle : 0, score_of_fit(theorem.fit),
                                     score_of_fit(type.fit), kAlike * type.likeness});
      sum = kType * theorem.type_score;
    }
    sum += kSemantic * semantic(theorem);
    sum += kIndex * theorem.score;
    const bool is_named =
        query.kind == QueryKind::Name && query.names.size() == 1 && query.names[0] == theorem.name;
    theorem.relevance = is_named || theorem.closes_goal ? 1 : worth > 0 ? sum / worth : 0;
    const double agreeing = static_cast<double>(theorem.ranks.empty() ? 0 : theorem.ranks.size() - 1);
    theorem.confidence = std::min(1.0, theorem.relevance * (1 + kAgreement * agreeing));
    if (theorem.only_fallback) theorem.confidence *= kFallback;
  }
  std::ranges::sort(theorems, [](const Theorem& a, const Theorem& b) {
    return std::tuple(-a.confidence, a.name.size(), std::string_view(a.name)) <
           std::tuple(-b.confidence, b.name.size(), std::string_view(b.name));
  });
}

void keep_fitting(std::vector<Theorem>& theorems, const Query& query) {
  if (!query.type_filters || !query.type || query.type->lookup.patterns.empty()) return;
  const auto fits = [](const Theorem& theorem) { return theorem.type_score >= kPart; };
  if (std::ranges::none_of(theorems, fits)) return;
  std::erase_if(theorems, [&](const Theorem& theorem) {
    return !fits(theorem) && theorem.relevance < 1 && theorem.type_readable;
  });
}

namespace {

// Replaces the field if the new value is more trusted.
void take(std::string& field, Trust& from, std::string value, Trust trust) {
  if (value.empty() || (from >= trust && !field.empty())) return;
  field = std::move(value);
  from = trust;
}

void join(Theorem& theorem, Theorem& hit, Trust trust) {
  take(theorem.signature, theorem.type_from, std::move(hit.signature),
       hit.approximate ? Trust::Printed : trust);
  take(theorem.docstring, theorem.docstring_from, std::move(hit.docstring), trust);
  const bool better = trust > theorem.place_from;
  const auto fill = [](bool replace, std::string& field, std::string& value) {
    if (value.empty() || (!replace && !field.empty())) return false;
    field = std::move(value);
    return true;
  };
  fill(better, theorem.module, hit.module);
  fill(better, theorem.kind, hit.kind);
  if (fill(better, theorem.file, hit.file)) theorem.line = hit.line;
  theorem.place_from = std::max(theorem.place_from, trust);
  fill(false, theorem.informal, hit.informal);
  theorem.fit = std::max(theorem.fit, hit.fit);
}

}  // namespace

std::vector<Theorem> merge(std::vector<Found> answers) {
  constexpr std::string_view kRoot = "_root_.";
  std::vector<Theorem> theorems;
  std::unordered_map<std::string, std::size_t> by_name;
  for (Found& answer : answers) {
    const bool is_index = answer.source == kLocal;
    for (std::size_t i = 0; i < answer.hits.size(); ++i) {
      Theorem& hit = answer.hits[i];
      if (hit.name.starts_with(kRoot)) hit.name.erase(0, kRoot.size());
      if (hit.name.empty()) continue;
      const auto [place, is_new] = by_name.emplace(hit.name, theorems.size());
      if (is_new) {
        theorems.emplace_back().name = hit.name;
        theorems.back().only_fallback = true;
      }
      Theorem& theorem = theorems[place->second];
      join(theorem, hit, is_index ? Trust::Index : Trust::Backend);
      // The index may have been asked twice, by words and by type.
      auto& best = theorem.ranks.emplace(answer.source, i + 1).first->second;
      best = std::min(best, i + 1);
      if (is_index && hit.score >= theorem.score) {
        theorem.score = hit.score;
        theorem.why = std::move(hit.why);
      }
      theorem.by_pattern |= answer.by_pattern;
      theorem.closes_goal |= answer.closes_goal && i == 0;
      theorem.only_fallback &= answer.fallback;
    }
  }
  return theorems;
}

void apply_lean_facts(Theorem& theorem, std::string type, std::string module, std::string docstring) {
  take(theorem.signature, theorem.type_from, std::move(type), Trust::Lean);
  take(theorem.docstring, theorem.docstring_from, std::move(docstring), Trust::Lean);
  if (!module.empty()) theorem.module = std::move(module);
}

}  // namespace leanbridge::search
