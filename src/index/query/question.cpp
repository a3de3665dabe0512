#include "question.hpp"

#include "leanbridge/base/ascii.hpp"

#include "vocabulary.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>
#include <utility>

namespace leanbridge::index {

namespace {

constexpr std::size_t kMaxWords = 24;  // of a query
constexpr std::size_t kMaxPhraseWords = 4;

Terms split(std::string_view text, char separator) {
  Terms parts;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    if (end != 0) parts.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return parts;
}

/// The phrases, keyed by their stems: `natur number`.
const std::map<std::string, std::string_view, std::less<>>& phrase_table() {
  static const auto table = [] {
    std::map<std::string, std::string_view, std::less<>> made;
    for (const Phrase& phrase : phrases()) {
      std::string key;
      for (const std::string& word : split(phrase.words, ' ')) key += (key.empty() ? "" : " ") + stem(word);
      made.emplace(std::move(key), phrase.terms);
    }
    return made;
  }();
  return table;
}

std::vector<Alternative> alternatives_of(std::string_view terms) {
  std::vector<Alternative> all;
  for (const std::string& alternative : split(terms, '|')) {
    Alternative one;
    for (const std::string& term : split(alternative, '_')) one.terms.push_back(stem(term));
    all.push_back(std::move(one));
  }
  return all;
}

/// A word of the query: prose, or part of a name.
struct Word {
  std::string text;  ///< lower case
  std::string term;  ///< its stem
  bool in_name = false;
  bool last_of_name = false;
  Terms pieces;  ///< of a camelCase word in a name: get and elem of getElem
};

bool looks_like_name(std::string_view word) {
  if (word.size() > 2 && word.find_first_of("._«") != std::string_view::npos && word.back() != '.')
    return true;
  const bool camel = std::adjacent_find(word.begin(), word.end(), [](char a, char b) {
                       return 'a' <= a && a <= 'z' && 'A' <= b && b <= 'Z';
                     }) != word.end();
  return camel;
}

std::vector<Word> words_of(const std::string& text) {
  std::vector<Word> words;
  for (const std::string& part : split(text, ' ')) {
    if (words.size() >= kMaxWords) break;
    if (looks_like_name(part)) {
      for (const NameWord& word : words_of_name(part))
        words.push_back({word.whole, word.whole, true, false, word.pieces});
      if (!words.empty()) words.back().last_of_name = true;
      continue;
    }
    for (std::size_t at = 0; at < part.size();)
      if (const Symbol* symbol = symbol_at(part, at)) {
        if (!symbol->term.empty())
          words.push_back({std::string(symbol->term), std::string(symbol->term), false, false, {}});
        at += symbol->text.size();
      } else {
        ++at;
      }
    for (std::string& term : prose_terms(part)) {
      if (term == "0") term = "zero";
      if (term == "1") term = "one";
      if (term == "2") term = "two";
      words.push_back({lower_case(part), term, false, false, {}});
    }
  }
  return words;
}

// Stop words are compared as written, because stems are truncated.
bool is_stop_word(const Word& word) {
  return !word.in_name && (is_filler(word.text) || (word.term.size() == 1));
}

// Sets its weight and its cost.
void weigh(Concept& one, const TermStatistics& statistics) {
  std::size_t most = 0;
  for (const Alternative& alternative : one.alternatives) {
    std::size_t least = statistics.declarations;
    for (const std::string& term : alternative.terms) {
      const std::size_t documents = statistics.documents_with(term);
      least = std::min(least, documents);
      one.documents += documents;
    }
    most = std::max(most, least);
  }
  const double all = static_cast<double>(statistics.declarations) + 2;
  const double rarity = std::log(all / (static_cast<double>(most) + 1)) / std::log(all);
  one.weight = std::clamp(0.35 + 0.65 * rarity, 0.35, 1.0);
}

// For a word that is not indexed: adds words that it begins, or that it is a typo of.
void widen(Concept& one, const Word& word, const TermStatistics& statistics) {
  const auto known = [&](const Alternative& alternative) {
    return std::all_of(alternative.terms.begin(), alternative.terms.end(),
                       [&](const std::string& term) { return statistics.documents_with(term) > 0; });
  };
  const bool any_known = std::any_of(one.alternatives.begin(), one.alternatives.end(), known);
  if (word.term.size() >= (word.last_of_name ? 2U : 3U) && (word.last_of_name || !any_known))
    one.alternatives.push_back({{word.term}, true, 0.8});
  if (any_known || word.term.size() < (word.in_name ? 3U : 4U)) return;
  Terms single_words;
  for (const auto& [phrase, terms] : phrase_table())
    if (phrase.find(' ') == std::string::npos) single_words.push_back(phrase);
  for (const std::string& meant : similar_terms(word.term, single_words, 2))
    for (Alternative& alternative : alternatives_of(phrase_table().at(meant))) {
      alternative.weight = 0.7;
      one.alternatives.push_back(std::move(alternative));
    }
  for (std::string& term : statistics.similar(word.term))
    one.alternatives.push_back({{std::move(term)}, false, 0.7});
  // `inject` for inj
  for (std::size_t size = word.term.size() - 1; word.in_name && size >= 3; --size)
    if (Terms begin{word.term.substr(0, size)}; known({begin, false, 1})) {
      one.alternatives.push_back({std::move(begin), false, 0.5});
      break;
    }
  // `addcomm` for add_comm
  for (std::size_t cut = 2; word.in_name && cut + 2 <= word.term.size(); ++cut) {
    Terms halves{word.term.substr(0, cut), word.term.substr(cut)};
    if (known({halves, false, 1})) one.alternatives.push_back({std::move(halves), false, 0.7});
  }
}

// "negation of a negation": `neg` must occur twice in the name.
void repeat(Concept& one) {
  for (Alternative& alternative : one.alternatives)
    if (alternative.terms.size() == 1) alternative.terms.push_back(alternative.terms.front());
}

std::vector<Concept> concepts_of(const std::vector<Word>& words, const TermStatistics& statistics) {
  std::vector<Concept> concepts;
  bool doubled = false;  // after the word "double"
  const bool says_something = !std::all_of(words.begin(), words.end(), is_stop_word);
  for (std::size_t at = 0; at < words.size();) {
    std::size_t used = std::min(kMaxPhraseWords, words.size() - at);
    std::string_view meaning;
    for (; used > 0 && meaning.empty(); --used) {
      std::string key;
      for (std::size_t i = at; i < at + used; ++i) key += (key.empty() ? "" : " ") + words[i].term;
      const auto found = phrase_table().find(key);
      const bool in_name = std::any_of(words.begin() + static_cast<std::ptrdiff_t>(at),
                                       words.begin() + static_cast<std::ptrdiff_t>(at + used),
                                       [](const Word& word) { return word.in_name; });
      if (found != phrase_table().end() && !in_name) meaning = found->second;
      if (!meaning.empty()) break;
    }
    used = std::max<std::size_t>(used, 1);
    const Word& word = words[at];
    at += used;
    if (used == 1 && word.text == "double") doubled = true;
    if (used == 1 && word.text == "twice" && !concepts.empty()) repeat(concepts.back());
    if (used == 1 && says_something && (is_stop_word(word) || word.text == "double" || word.text == "twice"))
      continue;
    Concept one;
    if (!meaning.empty()) one.alternatives = alternatives_of(meaning);
    if (used == 1) one.alternatives.push_back({{word.term}, false, 1});
    if (used == 1 && word.pieces.size() > 1) one.alternatives.push_back({word.pieces, false, 0.9});
    if (used == 1) widen(one, word, statistics);
    const bool little = is_unimportant(word.text) || is_unimportant(word.term);
    one.optional = used == 1 && (word.in_name ? is_filler(word.text) : little);
    weigh(one, statistics);
    if (one.optional) one.weight *= 0.25;
    const auto earlier = std::find_if(concepts.begin(), concepts.end(), [&](const Concept& other) {
      return other.alternatives.front().terms == one.alternatives.front().terms;
    });
    if (earlier != concepts.end()) {
      if (!word.in_name) repeat(*earlier);
    } else {
      concepts.push_back(std::move(one));
      if (std::exchange(doubled, false)) repeat(concepts.back());
    }
  }
  return concepts;
}

Concept constant_concept(const std::string& constant, const std::string& exact, const std::string& last) {
  Concept one;
  const std::string_view part = last_component(constant);
  if (part.size() < constant.size()) {
    one.alternatives.push_back({constant_terms({constant}, "")});
    one.alternatives[0].terms = {exact + constant};
    one.alternatives.push_back({{last + std::string(part)}, false, 0.6});
  } else {
    one.alternatives.push_back({{last + constant}});
  }
  return one;
}

}  // namespace

Terms similar_terms(const std::string& word, const std::vector<std::string>& known, std::size_t count) {
  const std::size_t allowed = word.size() >= 7 ? 2 : 1;
  std::vector<std::pair<std::size_t, std::string>> found;
  std::vector<std::size_t> before, previous, row;  // of the table of distances
  for (const std::string& term : known) {
    const std::size_t difference = std::max(term.size(), word.size()) - std::min(term.size(), word.size());
    if (difference > allowed || term == word) continue;
    previous.resize(term.size() + 1);
    for (std::size_t j = 0; j <= term.size(); ++j) previous[j] = j;
    std::size_t best = 0;
    for (std::size_t i = 1; i <= word.size() && best <= allowed; ++i) {
      row.assign(term.size() + 1, i);
      best = i;
      for (std::size_t j = 1; j <= term.size(); ++j) {
        row[j] = std::min(
            {previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (word[i - 1] == term[j - 1] ? 0U : 1U)});
        if (i > 1 && j > 1 && word[i - 1] == term[j - 2] && word[i - 2] == term[j - 1])
          row[j] = std::min(row[j], before[j - 2] + 1);
        best = std::min(best, row[j]);
      }
      before = std::exchange(previous, row);
    }
    if (best <= allowed && previous.back() <= allowed) found.emplace_back(previous.back(), term);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Terms terms;
  for (auto& [distance, term] : found) {
    if (terms.size() >= count || distance > found[0].first) break;
    if (std::find(terms.begin(), terms.end(), term) == terms.end()) terms.push_back(std::move(term));
  }
  return terms;
}

QueryPlan plan_query(const Lookup& lookup, const TermStatistics& statistics) {
  QueryPlan plan;
  plan.glob = lookup.glob;
  std::string text = lookup.words;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) <= ' '; }, ' ');
  const Terms parts = split(text, ' ');
  if (parts.size() == 1) plan.name = parts[0];
  plan.common = [documents = statistics.documents_with,
                 all = static_cast<double>(statistics.declarations) + 2](const std::string& term) {
    return std::log(static_cast<double>(documents(term)) + 1) / std::log(all);
  };
  const std::vector<Word> words = words_of(text);
  for (const Word& word : words) plan.words.push_back(word.term);
  plan.concepts = concepts_of(words, statistics);
  for (const std::string& constant : lookup.constants)
    plan.concepts.push_back(constant_concept(constant, "=", "~"));
  if (!lookup.conclusion.empty()) plan.concepts.push_back(constant_concept(lookup.conclusion, "^", "^~"));
  // If there are only unimportant words, they are what is meant.
  const bool all_optional =
      std::all_of(plan.concepts.begin(), plan.concepts.end(), [](const Concept& c) { return c.optional; });
  for (Concept& one : plan.concepts) one.optional = one.optional && !all_optional;
  return plan;
}

std::string expression_for(const std::vector<const Concept*>& concepts, const std::string& column) {
  const auto quoted = [](const std::string& term) {
    std::string text = "\"";
    for (const char c : term) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + "\"";
  };
  std::string all;
  for (const Concept* one : concepts) {
    std::string any;
    for (const Alternative& alternative : one->alternatives) {
      std::string each;
      for (const std::string& term : alternative.terms) each += (each.empty() ? "" : " AND ") + quoted(term);
      if (each.empty()) continue;
      if (alternative.prefix) each += "*";
      any += (any.empty() ? "(" : " OR (") + each + ")";
    }
    if (!any.empty()) all += (all.empty() ? "(" : " AND (") + any + ")";
  }
  return column.empty() || all.empty() ? all : column + " : (" + all + ")";
}

// How well a declaration answers a query, 0..1. The score combines:
//
// - coverage: how much of the query it has. Each concept counts with its weight (rare terms are more
//   informative): fully if the name has it, less if only the type or the documentation does;
//
// - economy: how much of its name was asked for. "add comm" means Nat.add_comm rather than Nat.add_left_comm;
//
// - standing, independent of the query: prefers theorems, public and hand-written declarations, undeprecated
//   ones, short names, and common subjects (Nat.add_zero over Fin.add_zero).
//
// coverage * (0.70 + 0.20 economy + 0.10 standing) is scaled to stay below 0.90. The range above is for
// names: 1 for an exact match, 0.92 to 0.99 for a suffix or a match except for case.

namespace {

constexpr double kInName = 1, kNamePrefix = 0.85, kInType = 0.6, kInDocumentation = 0.5, kNotTwice = 0.6;
constexpr double kBelowNames = 0.9;
constexpr double kLikeName = 0.8;  // share of letters from which on a name is one with typing errors

class Candidate {
 public:
  explicit Candidate(const Declaration& declaration)
      : declaration_(declaration), name_(name_terms(declaration.name)) {
    add(name_.own, in_name_);
    add(name_.outer, in_name_);
    add(name_.joined, in_name_);
  }

  double strength(const Concept& one) const {
    double best = 0;
    for (const Alternative& alternative : one.alternatives)
      best = std::max(best, alternative.weight * strength(alternative));
    return best;
  }

  // Pieces of the last component count fully, those of namespaces half.
  double economy(const QueryPlan& plan) const {
    double all = 0, asked = 0;
    const auto count = [&](const Terms& terms, double weight) {
      for (const std::string& term : terms) {
        all += weight;
        if (is_asked(term, plan)) asked += weight;
      }
    };
    count(name_.own, 1);
    count(name_.outer, 0.5);
    return all > 0 ? asked / all : 0;
  }

  double standing(const QueryPlan& plan) const {
    double standing = 1;
    if (declaration_.kind != "theorem" && declaration_.kind != "axiom") standing -= 0.2;
    if (declaration_.kind == "instance") standing -= 0.2;
    if (declaration_.generated) standing -= 0.3;
    if (declaration_.is_private) standing -= 0.4;
    if (declaration_.deprecated) standing -= 0.3;
    const auto pieces = static_cast<double>(name_.own.size() + name_.outer.size());
    const double common = !name_.outer.empty() && plan.common ? plan.common(name_.outer.front()) : 0.5;
    return std::clamp(standing - 0.04 * pieces - 0.4 * (1 - common), 0.0, 1.0);
  }

 private:
  static void add(const Terms& terms, std::unordered_set<std::string>& set) {
    set.insert(terms.begin(), terms.end());
  }

  double strength(const Alternative& alternative) const {
    double least = 1;
    for (std::size_t i = 0; i < alternative.terms.size(); ++i)
      least = std::min(
          least, strength(alternative.terms[i], alternative.prefix && i + 1 == alternative.terms.size()));
    // A term asked for twice must occur twice in the name.
    if (alternative.terms.size() == 2 && alternative.terms[0] == alternative.terms[1] &&
        std::count(name_.own.begin(), name_.own.end(), alternative.terms[0]) < 2)
      return least * kNotTwice;
    return least;
  }
  double strength(const std::string& term, bool prefix) const {
    if (in_name_.contains(term)) return kInName;
    if (prefix && begins_any(name_.own, term)) return kInName;
    if (prefix && begins_any(name_.outer, term)) return kNamePrefix;
    if (in_type().contains(term)) return kInType;
    if (in_documentation().contains(term)) return kInDocumentation;
    return prefix ? kInDocumentation * 0.5 : 0;
  }
  // Tokenized only if the name does not match: this is most of the work.
  const std::unordered_set<std::string>& in_type() const {
    if (!std::exchange(type_is_read_, true)) {
      add(type_terms(declaration_.signature), in_type_);
      for (const std::string& constant : declaration_.constants) add(all_terms_of_name(constant), in_type_);
      add(constant_terms(declaration_.constants, declaration_.conclusion), in_type_);
    }
    return in_type_;
  }
  const std::unordered_set<std::string>& in_documentation() const {
    if (!std::exchange(documentation_is_read_, true))
      add(prose_terms(declaration_.docstring), in_documentation_);
    return in_documentation_;
  }
  static bool begins_any(const Terms& terms, const std::string& begin) {
    return std::any_of(terms.begin(), terms.end(),
                       [&](const std::string& term) { return term.starts_with(begin); });
  }
  static bool is_asked(const std::string& piece, const QueryPlan& plan) {
    if (std::find(plan.words.begin(), plan.words.end(), piece) != plan.words.end()) return true;
    for (const Concept& one : plan.concepts)
      for (const Alternative& alternative : one.alternatives)
        for (const std::string& term : alternative.terms)
          if (term == piece || (alternative.prefix && piece.starts_with(term))) return true;
    return false;
  }

  const Declaration& declaration_;
  NameTerms name_;
  std::unordered_set<std::string> in_name_;
  mutable std::unordered_set<std::string> in_type_, in_documentation_;
  mutable bool type_is_read_ = false, documentation_is_read_ = false;
};

// The least number of wrong, missing, extra and swapped letters.
std::size_t edits_between(std::string_view left, std::string_view right) {
  std::vector<std::size_t> before, previous(right.size() + 1), row;
  for (std::size_t j = 0; j <= right.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    row.assign(right.size() + 1, i);
    for (std::size_t j = 1; j <= right.size(); ++j) {
      row[j] = std::min(
          {previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (left[i - 1] == right[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(previous, row);
  }
  return previous.back();
}

// How much of a name is spelt as asked, 0..1, up to letters that are wrong. Compares as many components as
// the query has.
double likeness_of_name(std::string_view name, std::string_view asked) {
  constexpr std::size_t kMinLetters = 5, kMaxLetters = 60;
  std::size_t begin = name.size();
  for (auto dots = std::count(asked.begin(), asked.end(), '.') + 1; dots > 0 && begin != 0; --dots) {
    const std::size_t dot = begin == 0 ? std::string_view::npos : name.rfind('.', begin - 1);
    begin = dot == std::string_view::npos ? 0 : dot;
  }
  if (begin < name.size() && name[begin] == '.') ++begin;
  const std::string_view same = name.substr(begin);
  const std::size_t longer = std::max(same.size(), asked.size()),
                    shorter = std::min(same.size(), asked.size());
  if (asked.size() < kMinLetters || longer > kMaxLetters || 4 * (longer - shorter) > longer) return 0;
  return 1 - static_cast<double>(edits_between(same, asked)) / static_cast<double>(longer);
}

double score_of_name(const std::string& name, const std::string& asked, double standing) {
  if (name == asked) return 1;
  const std::string small = lower_case(name), wanted = lower_case(asked);
  const bool ends =
      name.size() > asked.size() && name.ends_with(asked) && name[name.size() - asked.size() - 1] == '.';
  if (ends) return 0.95 + 0.04 * standing;
  const bool ends_small = small.size() > wanted.size() && small.ends_with(wanted) &&
                          small[small.size() - wanted.size() - 1] == '.';
  if (small == wanted || ends_small) return 0.92 + 0.03 * standing;
  const double like = likeness_of_name(small, wanted);
  return like >= kLikeName ? kBelowNames * like + 0.01 * standing : 0;
}

}  // namespace

double standing_of(const Declaration& declaration, const QueryPlan& plan) {
  return Candidate(declaration).standing(plan);
}

double score_of(const Declaration& declaration, const QueryPlan& plan) {
  const Candidate candidate(declaration);
  const double standing = candidate.standing(plan);
  const double by_name = plan.name.empty() ? 0 : score_of_name(declaration.name, plan.name, standing);
  double all = 0, have = 0;
  for (const Concept& one : plan.concepts) {
    all += one.weight;
    have += one.weight * candidate.strength(one);
  }
  const double coverage = all > 0 ? have / all : 1;  // a glob alone
  double score = kBelowNames * coverage * (0.7 + 0.2 * candidate.economy(plan) + 0.1 * standing);
  // Prefers the part of a name as typed over its pieces in any order.
  if (plan.name.size() >= 3 && lower_case(declaration.name).find(lower_case(plan.name)) != std::string::npos)
    score = std::min(kBelowNames, score + 0.05);
  return std::max(score, by_name);
}

}  // namespace leanbridge::index
