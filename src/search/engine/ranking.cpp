// Merges answers and computes the score, which docs/search.md explains.

#include "leanbridge/index/type_fit.hpp"
#include "leanbridge/search/theorem.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

namespace leanbridge::search {

namespace {

// What the kinds of sources weigh: those that match types; those that know meanings; and the local index, by
// names and structure and by text. What was not asked does not count.
constexpr double kType = 0.40;
constexpr double kSemantic = 0.30;
constexpr double kIndex = 0.20 + 0.10;

// What a type scores that fits the pattern as a whole, at least; in part; or only has some of its constants.
constexpr double kWhole = 0.9, kPart = 0.85, kAlike = 0.6;
constexpr double kByLoogle = kWhole;  // at least, for hits that Loogle matched
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

double score_of(const index::TypePatterns::Comparison& type) {
  return std::max(score_of_fit(type.fit), kAlike * type.likeness);
}

class Scorer {
 public:
  Scorer(const Query& query, const std::vector<Theorem>& theorems) : query_(query) {
    if (query.type && !query.type->patterns.empty()) wanted_.emplace(query.type->patterns);
    for (const Theorem& theorem : theorems)
      for (const auto& [source, place] : theorem.ranks) {
        has_index_ = has_index_ || source == kLocal;
        has_meanings_ = has_meanings_ || knows_meanings(source);
      }
  }

  void score(Theorem& theorem) const {
    double worth = 0, sum = 0;
    if (wanted_) {
      worth += kType;
      const auto type = wanted_->compare(theorem.hit.type);
      theorem.type_readable = type.readable;
      theorem.type_score =
          std::max({theorem.by_pattern ? kByLoogle : 0, score_of_fit(theorem.hit.fit), score_of(type)});
      sum += kType * theorem.type_score;
    }
    if (has_meanings_) {
      worth += kSemantic;
      sum += kSemantic * semantic(theorem);
    }
    if (has_index_) {
      worth += kIndex;
      sum += kIndex * theorem.index_score;
    }
    theorem.score = is_named(theorem) || theorem.closes_goal ? 1 : worth > 0 ? sum / worth : 0;
    const double agreeing = static_cast<double>(theorem.ranks.empty() ? 0 : theorem.ranks.size() - 1);
    theorem.confidence = std::min(1.0, theorem.score * (1 + kAgreement * agreeing));
    if (theorem.only_fallback) theorem.confidence *= kFallback;
  }

 private:
  bool is_named(const Theorem& theorem) const {
    return query_.kind == QueryKind::Name && query_.names.size() == 1 && query_.names[0] == theorem.hit.name;
  }

  // One good rank counts much, each further one adds to it.
  static double semantic(const Theorem& theorem) {
    double unlikely = 1;
    for (const auto& [source, place] : theorem.ranks)
      if (knows_meanings(source))
        unlikely *= 1 - kOneSource * (kRankOffset + 1) / (kRankOffset + static_cast<double>(place));
    return 1 - unlikely;
  }

  const Query& query_;
  std::optional<index::TypePatterns> wanted_;
  bool has_index_ = false, has_meanings_ = false;
};

}  // namespace

void rank(std::vector<Theorem>& theorems, const Query& query) {
  const Scorer scorer(query, theorems);
  for (Theorem& theorem : theorems) scorer.score(theorem);
  std::sort(theorems.begin(), theorems.end(), [](const Theorem& left, const Theorem& right) {
    if (left.confidence != right.confidence) return left.confidence > right.confidence;
    if (left.hit.name.size() != right.hit.name.size()) return left.hit.name.size() < right.hit.name.size();
    return left.hit.name < right.hit.name;
  });
}

std::size_t keep_fitting(std::vector<Theorem>& theorems, const Query& query) {
  if (!query.type_filters || !query.type || query.type->patterns.empty()) return 0;
  const auto fits = [](const Theorem& theorem) { return theorem.type_score >= kPart; };
  if (std::none_of(theorems.begin(), theorems.end(), fits)) return 0;
  return std::erase_if(theorems, [&](const Theorem& theorem) {
    return !fits(theorem) && theorem.score < 1 && theorem.type_readable;
  });
}

double type_match(const TypePattern& wanted, std::string_view type) {
  return score_of(index::TypePatterns(wanted.patterns).compare(type));
}

namespace {

constexpr std::string_view kRoot = "_root_.";

std::string full_name(std::string name) {
  if (name.starts_with(kRoot)) name.erase(0, kRoot.size());
  return name;
}

// Replaces the field if the new value is more trusted.
void take(std::string& field, Trust& from, std::string value, Trust trust) {
  if (value.empty() || (from >= trust && !field.empty())) return;
  field = std::move(value);
  from = trust;
}

void take_place(Theorem& theorem, const Hit& hit, Trust trust) {
  Hit& own = theorem.hit;
  const bool better = trust > theorem.place_from;
  const auto fill = [better](std::string& field, const std::string& value) {
    if (!value.empty() && (better || field.empty())) field = value;
  };
  fill(own.module, hit.module);
  fill(own.kind, hit.kind);
  if (!hit.file.empty() && (better || own.file.empty())) {
    own.file = hit.file;
    own.line = hit.line;
  }
  if (better) theorem.place_from = trust;
}

void join(Theorem& theorem, const Hit& hit, Trust trust, Trust type_trust) {
  take(theorem.hit.type, theorem.type_from, hit.type, type_trust);
  take(theorem.hit.docstring, theorem.docstring_from, hit.docstring, trust);
  take_place(theorem, hit, trust);
  if (theorem.hit.informal.empty()) theorem.hit.informal = hit.informal;
  if (theorem.hit.informal_name.empty()) theorem.hit.informal_name = hit.informal_name;
  if (theorem.hit.id.empty()) theorem.hit.id = hit.id;
}

}  // namespace

std::vector<Theorem> merge(const std::vector<Ranked>& answers) {
  std::vector<Theorem> theorems;
  std::unordered_map<std::string, std::size_t> by_name;
  for (const Ranked& answer : answers) {
    const Trust trust = answer.index ? Trust::Index : Trust::Backend;
    for (std::size_t i = 0; i < answer.hits.size(); ++i) {
      const std::string name = full_name(answer.hits[i].name);
      if (name.empty()) continue;
      const auto [place, is_new] = by_name.emplace(name, theorems.size());
      if (is_new) {
        theorems.emplace_back();
        theorems.back().hit.name = name;
        theorems.back().only_fallback = true;
      }
      Theorem& theorem = theorems[place->second];
      const Hit& hit = answer.hits[i];
      join(theorem, hit, trust, hit.printed ? Trust::Printed : trust);
      // The index may have been asked twice, by words and by type.
      auto& best = theorem.ranks.emplace(answer.source, i + 1).first->second;
      best = std::min(best, i + 1);
      theorem.hit.fit = std::max(theorem.hit.fit, hit.fit);
      if (const double score = hit.score.value_or(0); answer.index && score >= theorem.index_score) {
        theorem.index_score = score;
        theorem.hit.why = hit.why;
      }
      theorem.by_pattern = theorem.by_pattern || answer.by_pattern;
      theorem.closes_goal = theorem.closes_goal || (answer.closes_goal && i == 0);
      theorem.only_fallback = theorem.only_fallback && answer.fallback;
    }
  }
  return theorems;
}

void apply_lean_facts(Theorem& theorem, std::string type, std::string module, std::string docstring) {
  take(theorem.hit.type, theorem.type_from, std::move(type), Trust::Lean);
  take(theorem.hit.docstring, theorem.docstring_from, std::move(docstring), Trust::Lean);
  if (!module.empty()) theorem.hit.module = std::move(module);
}

}  // namespace leanbridge::search
