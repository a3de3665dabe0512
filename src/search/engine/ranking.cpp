// Merges answers and computes the score, which docs/search.md explains.

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/search/theorem.hpp"

#include "search/query/type_pattern.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace leanbridge::search {

namespace {

// The weights of the parts. A query without a type is scored by the others alone.
constexpr double kType = 0.40;
constexpr double kSemantic = 0.30;
constexpr double kStructure = 0.20;
constexpr double kText = 0.10;

constexpr double kByLoogle = 0.9;       // minimum type match for hits that Loogle matched
constexpr double kRankOffset = 3;       // rank 1 counts 1, rank 2 0.8, rank 5 0.5
constexpr double kOneSource = 0.7;      // value of the first rank of one source
constexpr double kAgreement = 0.1;      // confidence gained per further source
constexpr double kFallback = 0.9;       // factor for hits of fallbacks only
constexpr double kInDescription = 0.5;  // a word in the documentation, relative to one in the name

std::string last_part(std::string_view name) {
  return std::string(name.substr(name.rfind('.') + 1));
}

// `Nat.add_comm`, `addComm`: nat add comm.
std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts(1);
  bool lower = false;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (c == '.' || c == '_' || c == ' ' || (upper && lower)) parts.emplace_back();
    lower = c >= 'a' && c <= 'z';
    if (c != '.' && c != '_' && c != ' ') parts.back() += c;
  }
  for (std::string& part : parts) part = lower_case(part);
  std::erase_if(parts, [](const std::string& part) { return part.empty(); });
  return parts;
}

// Lean's names abbreviate words: comm for commutative, add for addition.
bool means(std::string_view word, std::string_view part) {
  constexpr std::size_t kMinLetters = 3;
  if (word == part) return true;
  if (std::min(word.size(), part.size()) < kMinLetters) return false;
  return word.starts_with(part) || part.starts_with(word);
}

bool any_means(std::string_view word, const std::vector<std::string>& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) { return means(word, part); });
}

class Scorer {
 public:
  explicit Scorer(const Query& query) : query_(query), type_(wanted_type(query)) {
    words_ = query.words;
    for (const std::string& name : query.names)
      for (std::string& part : parts_of(name)) words_.push_back(std::move(part));
    for (std::string& part : parts_of(phrase_form(query)))
      if (query.kind == QueryKind::Glob) words_.push_back(std::move(part));
    if (type_ && !type_->text.empty()) wanted_.emplace(*type_);
  }

  void score(Theorem& theorem) const {
    std::optional<ReadType> type;
    if (type_) type.emplace(theorem.hit.type);
    double worth = kSemantic + kStructure + kText;
    double score = kSemantic * semantic(theorem) + kText * text(theorem) +
                   kStructure * structure(theorem, type ? &type->pattern : nullptr);
    if (wanted_) {
      worth += kType;
      theorem.type_score =
          std::max({theorem.by_pattern ? kByLoogle : 0, score_of_fit(theorem.fit), wanted_->match(*type)});
      score += kType * theorem.type_score;
    }
    theorem.score = is_named(theorem) || theorem.closes_goal ? 1 : score / worth;
    const double agreeing = static_cast<double>(theorem.ranks.empty() ? 0 : theorem.ranks.size() - 1);
    theorem.confidence = std::min(1.0, theorem.score * (1 + kAgreement * agreeing));
    if (theorem.only_fallback) theorem.confidence *= kFallback;
  }

 private:
  bool is_named(const Theorem& theorem) const {
    return query_.kind == QueryKind::Name && query_.names.size() == 1 && query_.names[0] == theorem.hit.name;
  }

  // One good rank counts much, each further one adds to it. Loogle does not order by relevance.
  double semantic(const Theorem& theorem) const {
    double unlikely = 1;
    for (const auto& [source, place] : theorem.ranks)
      if (!is_loogle(source))
        unlikely *= 1 - kOneSource * (kRankOffset + 1) / (kRankOffset + static_cast<double>(place));
    return 1 - unlikely;
  }

  // The mean over what the query specifies: namespace, constants, conclusion.
  double structure(const Theorem& theorem, const TypePattern* own) const {
    double sum = 0, parts = 0;
    const std::string& name = theorem.hit.name;
    const auto spaces = parts_of(std::string_view(name).substr(0, name.size() - last_part(name).size()));
    if (!words_.empty()) {
      ++parts;
      sum += std::any_of(words_.begin(), words_.end(),
                         [&](const std::string& word) { return any_means(word, spaces); });
    }
    if (own && !type_->constants.empty()) {
      std::set<std::string> mentioned;
      for (const std::string& constant : own->constants) mentioned.insert(last_part(constant));
      std::size_t common = 0;
      for (const std::string& constant : type_->constants) common += mentioned.count(last_part(constant));
      ++parts;
      sum += static_cast<double>(common) / static_cast<double>(type_->constants.size());
      if (!type_->conclusion.empty()) {
        ++parts;
        sum += last_part(own->conclusion) == last_part(type_->conclusion);
      }
    }
    return parts > 0 ? sum / parts : 0;
  }

  // The share of words in the name (full weight) or the descriptions (half), and how little else the name
  // has.
  double text(const Theorem& theorem) const {
    if (words_.empty()) return 0;
    const auto name = parts_of(theorem.hit.name);
    const auto description = parts_of(
        lower_case(theorem.hit.docstring + " " + theorem.hit.informal_name + " " + theorem.hit.informal));
    double found = 0;
    for (const std::string& word : words_)
      found += any_means(word, name) ? 1 : any_means(word, description) ? kInDescription : 0;
    const auto asked_for = std::count_if(name.begin(), name.end(), [&](const std::string& part) {
      return std::any_of(words_.begin(), words_.end(),
                         [&](const std::string& word) { return means(word, part); });
    });
    const double precision =
        name.empty() ? 0 : static_cast<double>(asked_for) / static_cast<double>(name.size());
    return found / static_cast<double>(words_.size()) * (0.5 + 0.5 * precision);
  }

  const Query& query_;
  const TypePattern* type_;  ///< null: the query has no type
  std::vector<std::string> words_;
  std::optional<WantedType> wanted_;
};

}  // namespace

void rank(std::vector<Theorem>& theorems, const Query& query) {
  const Scorer scorer(query);
  for (Theorem& theorem : theorems) scorer.score(theorem);
  std::sort(theorems.begin(), theorems.end(), [](const Theorem& left, const Theorem& right) {
    if (left.confidence != right.confidence) return left.confidence > right.confidence;
    if (left.hit.name.size() != right.hit.name.size()) return left.hit.name.size() < right.hit.name.size();
    return left.hit.name < right.hit.name;
  });
}

std::size_t keep_fitting(std::vector<Theorem>& theorems, const Query& query) {
  if (!query.type_filters || !query.type || query.type->patterns.empty()) return 0;
  const auto fits = [](const Theorem& theorem) { return theorem.type_score >= kFittingScore; };
  if (std::none_of(theorems.begin(), theorems.end(), fits)) return 0;
  return std::erase_if(theorems, [&](const Theorem& theorem) {
    return !fits(theorem) && theorem.score < 1 && index::TypePatterns::can_read(theorem.hit.type);
  });
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
      const bool printed = i < answer.printed.size() && answer.printed[i];
      join(theorem, answer.hits[i], trust, printed ? Trust::Printed : trust);
      // The index may have been asked twice, by words and by type.
      auto& best = theorem.ranks.emplace(answer.source, i + 1).first->second;
      best = std::min(best, i + 1);
      if (i < answer.fits.size()) theorem.fit = std::max(theorem.fit, answer.fits[i]);
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
