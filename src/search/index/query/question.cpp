#include "question.hpp"

#include "core/base/ascii.hpp"
#include "core/base/similar.hpp"
#include "core/olean/notation.hpp"
#include "search/index/written_term.hpp"
#include "vocabulary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace leanbridge::index {

using olean::sign_at;

namespace {

constexpr std::size_t kMaxWords = 24;  // in a query
constexpr std::size_t kMaxPhraseWords = 4;
// Of the parts that a word may mean: the least likelihood, the least share of the best's, and its weight.
constexpr double kMinMeant = 0.05, kMinShare = 0.4, kTranslated = 0.7;

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
  Terms pieces;  ///< the pieces of a camelCase word in a name: get and elem of getElem
};

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
    // A sign by itself is an operation; within a word it is a hyphen, or a piece of a formula.
    if (const auto [size, sign] = sign_at(part, 0, true); sign != nullptr && size == part.size()) {
      if (!sign->word.empty())
        words.push_back({std::string(sign->word), std::string(sign->word), false, false, {}});
      continue;
    }
    for (const std::string& term : prose_terms(part))
      words.push_back({lower_case(part), std::string(number_word(term)), false, false, {}});
  }
  return words;
}

// Stop words are compared as written, because stems are truncated.
bool is_stop_word(const Word& word) {
  return !word.in_name && (is_filler(word.text) || (word.term.size() == 1));
}

// Sets its weight.
void weigh(Concept& one, const TermStatistics& statistics) {
  std::size_t most = 0;
  for (const Alternative& alternative : one.alternatives) {
    std::size_t least = statistics.declarations;
    for (const std::string& term : alternative.terms) {
      const std::size_t documents = statistics.documents_with(term);
      least = std::min(least, documents);
    }
    one.documents += least;
    most = std::max(most, least);
  }
  const double all = static_cast<double>(statistics.declarations) + 2;
  const double rarity = std::log(all / (static_cast<double>(most) + 1)) / std::log(all);
  one.weight = std::clamp(0.35 + 0.65 * rarity, 0.35, 1.0);
}

// Widens a word that is not indexed: adds words that begin with it, or that it may be a misspelling of.
void widen(Concept& one, const Word& word, const TermStatistics& statistics) {
  const auto known = [&](const Alternative& alternative) {
    return std::ranges::all_of(alternative.terms,
                               [&](const std::string& term) { return statistics.documents_with(term) > 0; });
  };
  const bool any_known = std::ranges::any_of(one.alternatives, known);
  if (word.term.size() >= (word.last_of_name ? 2U : 3U) && (word.last_of_name || !any_known))
    one.alternatives.push_back({{word.term}, true, 0.8});
  if (any_known || word.term.size() < (word.in_name ? 3U : 4U)) return;
  Terms single_words;
  for (const auto& [phrase, terms] : phrases())
    if (phrase.find(' ') == std::string::npos) single_words.push_back(phrase);
  for (const std::string& meant : similar_terms(word.term, single_words, 2))
    for (Alternative& alternative : alternatives_of(phrases().at(meant))) {
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

// Adds the parts of names that say a word, as the index has learnt it: those that are most often meant by it.
void translate(Concept& one, const Word& word, const TermStatistics& statistics) {
  std::vector<std::pair<double, std::string>> found;
  double best = 0;
  for (Meaning& meaning : statistics.meanings(word.term)) {
    if (meaning.part.empty() || meaning.likelihood < kMinMeant) continue;
    const auto documents = static_cast<double>(statistics.documents_with(meaning.part));
    found.emplace_back(meaning.likelihood * std::sqrt(documents), std::move(meaning.part));
    best = std::max(best, found.back().first);
  }
  for (auto& [often, part] : found) {
    const bool is_known = std::ranges::any_of(
        one.alternatives, [&](const Alternative& other) { return other.terms == Terms{part}; });
    if (!is_known && often >= kMinShare * best)
      one.alternatives.push_back({{std::move(part)}, false, kTranslated * often / best});
  }
}

std::vector<Concept> concepts_of(const std::vector<Word>& words, const TermStatistics& statistics,
                                 bool is_sentence) {
  std::vector<Concept> concepts;
  const bool says_something = !std::ranges::all_of(words, is_stop_word);
  for (std::size_t at = 0; at < words.size();) {
    std::size_t used = std::min(kMaxPhraseWords, words.size() - at);
    std::string_view meaning;
    for (; used > 0 && meaning.empty(); --used) {
      std::string key;
      for (std::size_t i = at; i < at + used; ++i) key += (key.empty() ? "" : " ") + words[i].term;
      const auto found = phrases().find(key);
      const bool in_name = std::any_of(words.begin() + static_cast<std::ptrdiff_t>(at),
                                       words.begin() + static_cast<std::ptrdiff_t>(at + used),
                                       [](const Word& word) { return word.in_name; });
      if (found != phrases().end() && !in_name) meaning = found->second;
      if (!meaning.empty()) break;
    }
    used = std::max<std::size_t>(used, 1);
    const Word& word = words[at];
    at += used;
    if (used == 1 && says_something && is_stop_word(word)) continue;
    Concept one;
    if (!meaning.empty()) one.alternatives = alternatives_of(meaning);
    Terms written;
    for (std::size_t i = at - used; i < at; ++i) written.push_back(words[i].term);
    one.alternatives.push_back({std::move(written), false, 1, true});
    if (used == 1 && word.pieces.size() > 1) one.alternatives.push_back({word.pieces, false, 0.9, true});
    if (used == 1 && is_sentence && !word.in_name) translate(one, word, statistics);
    if (used == 1) widen(one, word, statistics);
    const bool little = is_unimportant(word.text) || is_unimportant(word.term);
    one.optional = used == 1 && (word.in_name ? is_filler(word.text) : little);
    weigh(one, statistics);
    if (one.optional) one.weight *= 0.25;
    const bool is_new = std::ranges::none_of(concepts, [&](const Concept& other) {
      return other.alternatives.front().terms == one.alternatives.front().terms;
    });
    if (is_new) concepts.push_back(std::move(one));
  }
  return concepts;
}

// Whether it says what a theorem says. A title does not, most of whose words have capitals.
bool is_sentence(const std::string& text, const std::vector<Word>& words) {
  std::size_t capitals = 0, others = 0;
  for (const std::string& part : split(text, ' '))
    if (!is_filler(lower_case(part))) ++('A' <= part[0] && part[0] <= 'Z' ? capitals : others);
  return capitals <= others && std::ranges::any_of(words, [](const Word& word) {
           return !word.in_name && makes_sentence(word.text);
         });
}

// The words of a constant, as they appear in types.
Concept constant_concept(const std::string& constant) {
  Concept one;
  if (Terms own = name_terms(constant).own; !own.empty())
    one.alternatives.push_back({std::move(own), false, 1, true});
  return one;
}

}  // namespace

Terms similar_terms(const std::string& word, const std::vector<std::string>& known, std::size_t count) {
  const std::size_t allowed = word.size() >= 7 ? 2 : 1;
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& term : known) {
    const std::size_t difference = std::max(term.size(), word.size()) - std::min(term.size(), word.size());
    if (difference > allowed || term == word) continue;
    if (const std::size_t distance = edit_distance(term, word, allowed); distance <= allowed)
      found.emplace_back(distance, term);
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first < b.first; });
  Terms terms;
  for (auto& [distance, term] : found) {
    if (terms.size() >= count || distance > found[0].first) break;
    if (std::ranges::find(terms, term) == terms.end()) terms.push_back(std::move(term));
  }
  return terms;
}

QueryPlan plan_query(const Lookup& lookup, const TermStatistics& statistics) {
  QueryPlan plan;
  std::string text = lookup.words;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) <= ' '; }, ' ');
  const Terms parts = split(text, ' ');
  if (parts.size() == 1) plan.name = parts[0];
  const std::vector<Word> words = words_of(text);
  plan.is_sentence = is_sentence(text, words);
  plan.concepts = concepts_of(words, statistics, plan.is_sentence);
  for (const std::string& constant : lookup.constants) plan.concepts.push_back(constant_concept(constant));
  if (!lookup.conclusion.empty()) plan.concepts.push_back(constant_concept(lookup.conclusion));
  std::erase_if(plan.concepts, [](const Concept& one) { return one.alternatives.empty(); });
  std::string whole = plan.name;
  for (const Word& word : words) {
    plan.asks_theorem = plan.asks_theorem || names_theorem(word.text);
    if (plan.name.empty() && !is_stop_word(word)) whole += word.text;
  }
  if (!whole.empty()) plan.whole = whole_term(whole);
  // If the query has only unimportant words, they count.
  const bool all_optional = std::ranges::all_of(plan.concepts, [](const Concept& c) { return c.optional; });
  for (Concept& one : plan.concepts) one.optional = one.optional && !all_optional;
  return plan;
}

namespace {

// Rows with these concepts are scored, which takes about 8 ms for this many.
constexpr std::size_t kEnoughRows = 6'000;

// The rarest concepts that have enough rows together, or all if they do not.
std::vector<bool> rarest(const std::vector<Concept>& concepts) {
  std::vector<std::size_t> order(concepts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return concepts[a].documents < concepts[b].documents; });
  std::vector<bool> needed(concepts.size(), false);
  std::size_t rows = 0;
  for (const std::size_t i : order) {
    if (rows > 0 && rows + concepts[i].documents > kEnoughRows) break;
    needed[i] = true;
    rows += concepts[i].documents;
  }
  return needed;
}

/// Writes alternatives one after the other, and counts their phrases.
struct ExpressionWriter {
  const Wording wording;
  std::string text = {};
  std::size_t phrases = 0;

  void add(const std::string& part) { text += (text.empty() ? "" : " OR ") + part; }
  void add_whole(const std::string& whole) {
    if (whole.empty()) return;
    add(as_phrase(whole));
    ++phrases;
  }
  /// Returns the numbers of its phrases; none if this wording leaves it out.
  std::vector<std::size_t> add(const Alternative& alternative) {
    std::vector<std::size_t> numbers;
    if (wording == Wording::Written && !alternative.written) return numbers;
    // In the query's own wording, a phrase means its words, and some of them are enough.
    const std::string_view joint = wording == Wording::Written ? " OR " : " AND ";
    std::string all;
    for (const std::string& term : alternative.terms) {
      numbers.push_back(phrases++);
      all.append(all.empty() ? "" : joint).append(as_phrase(term));
    }
    add("(" + all + (alternative.prefix ? "*)" : ")"));
    return numbers;
  }
};

}  // namespace

Expression expression_of(const QueryPlan& plan, Wording wording) {
  Expression expression;
  if (plan.concepts.empty()) return expression;
  ExpressionWriter writer{wording};
  const std::vector<bool> needed = rarest(plan.concepts);
  std::string filter;
  if (std::ranges::find(needed, false) != needed.end()) {
    for (std::size_t i = 0; i < plan.concepts.size(); ++i)
      for (const Alternative& alternative : plan.concepts[i].alternatives)
        if (needed[i]) writer.add(alternative);
    writer.add_whole(plan.whole);
    filter = "(" + std::exchange(writer.text, {}) + ") AND ";
  }
  for (const Concept& one : plan.concepts) {
    auto& numbers = expression.numbers.emplace_back();
    for (const Alternative& alternative : one.alternatives) numbers.push_back(writer.add(alternative));
  }
  writer.add_whole(plan.whole);
  expression.text = filter + "(" + writer.text + ")";
  expression.phrases = writer.phrases;
  return expression;
}

}  // namespace leanbridge::index
