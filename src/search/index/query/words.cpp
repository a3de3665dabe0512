#include "words.hpp"

#include "core/base/ascii.hpp"
#include "core/olean/notation.hpp"
#include "core/text/lean_names.hpp"
#include "search/index/sqlite.hpp"

#include <algorithm>
#include <cctype>
#include <ranges>
#include <set>

namespace leanbridge::index {

using olean::sign_at;

namespace {

constexpr std::size_t kMaxTerm = 60;      // bytes; longer texts are data, not words
constexpr std::size_t kMaxTerms = 400;    // per text
constexpr std::size_t kMaxText = 20'000;  // bytes read of a text

bool is_upper(char c) {
  return 'A' <= c && c <= 'Z';
}
bool is_lower(char c) {
  return 'a' <= c && c <= 'z';
}
/// The size of the separator at `at`; 0 if there is none. `«»` and the quotes, dashes and arrows of prose
/// separate; other non-ASCII characters are parts of words.
std::size_t separator_at(std::string_view written, std::size_t at) {
  const auto c = static_cast<unsigned char>(written[at]);
  if (c < 0x80) return std::isalnum(c) != 0 ? 0 : 1;
  constexpr auto kMarks = std::to_array<std::string_view>(
      {text::kOpenQuote, text::kCloseQuote, "“", "”", "‘", "’", "–", "—", "…", "·", " "});
  for (const std::string_view mark : kMarks)
    if (written.substr(at, mark.size()) == mark) return mark.size();
  return sign_at(written, at, true).size;
}

// The end of the camelCase piece at `begin`: get of `getElem`, HTTP of `HTTPServer`.
std::size_t end_of_piece(std::string_view word, std::size_t begin) {
  std::size_t at = begin + 1;
  if (is_upper(word[begin]) && at < word.size() && is_upper(word[at])) {
    while (at < word.size() && is_upper(word[at])) ++at;
    return at < word.size() && is_lower(word[at]) ? at - 1 : at;
  }
  while (at < word.size() && !is_upper(word[at])) ++at;
  return at;
}

void add_term(Terms& terms, std::string term) {
  if (!term.empty() && term.size() <= kMaxTerm && terms.size() < kMaxTerms) terms.push_back(std::move(term));
}

// Adds the pieces of a word.
void add_pieces(std::string_view word, Terms& pieces, Terms& joined) {
  if (word.size() > kMaxTerm * 4) return;
  Terms found;
  for (std::size_t begin = 0; begin < word.size();) {
    const std::size_t end = end_of_piece(word, begin);
    found.push_back(stem(lower_case(word.substr(begin, end - begin))));
    begin = end;
  }
  if (found.size() > 1) {
    add_term(joined, stem(lower_case(word)));
    // The h of hAdd is meaningless.
    std::erase_if(found, [](const std::string& piece) { return piece.size() < 2; });
  }
  for (std::string& piece : found) add_term(pieces, std::move(piece));
}

template <class OnWord>
void each_word(std::string_view text, OnWord on_word) {
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t size = at < text.size() ? separator_at(text, at) : 1;
    if (size == 0) {
      ++at;
      continue;
    }
    if (at > begin) on_word(text.substr(begin, at - begin));
    at += size;
    begin = at;
  }
}

}  // namespace

std::string stem(std::string word) {
  if (word.size() < 4 || !std::ranges::all_of(word, is_lower)) return word;
  thread_local sqlite::Stemmer stemmer;
  return stemmer(word);
}

std::string_view number_word(std::string_view digit) {
  return digit == "0" ? "zero" : digit == "1" ? "one" : digit == "2" ? "two" : digit;
}

NameTerms name_terms(std::string_view name) {
  NameTerms terms;
  name = name.substr(0, kMaxText);
  const std::string_view last = text::last_part(name);
  each_word(name.substr(0, name.size() - last.size()),
            [&](std::string_view word) { add_pieces(word, terms.outer, terms.joined); });
  each_word(last, [&](std::string_view word) { add_pieces(word, terms.own, terms.joined); });
  return terms;
}

std::vector<NameWord> words_of_name(std::string_view name) {
  std::vector<NameWord> words;
  each_word(name.substr(0, kMaxText), [&](std::string_view word) {
    NameWord one{stem(lower_case(word)), {}};
    Terms joined;
    add_pieces(word, one.pieces, joined);
    if (!one.pieces.empty()) words.push_back(std::move(one));
  });
  return words;
}

std::string whole_term(std::string_view name) {
  std::string term;
  each_word(text::last_part(name.substr(0, kMaxText)),
            [&](std::string_view word) { term += lower_case(word); });
  return "=" + stem(term).substr(0, kMaxTerm);
}

Terms all_terms_of_name(std::string_view name) {
  NameTerms terms = name_terms(name);
  Terms all = std::move(terms.own);
  all.insert(all.end(), terms.outer.begin(), terms.outer.end());
  all.insert(all.end(), terms.joined.begin(), terms.joined.end());
  return all;
}

Terms type_terms(std::string_view signature) {
  signature = signature.substr(0, kMaxText);
  Terms terms;
  each_word(signature, [&](std::string_view word) {
    if (word.size() > 1)
      add_pieces(word, terms, terms);
    else if ('0' <= word[0] && word[0] <= '9')
      add_term(terms, std::string(number_word(word)));
  });
  for (std::size_t at = 0; at < signature.size();) {
    const auto [size, sign] = sign_at(signature, at, true);
    if (sign) add_term(terms, std::string(sign->word));
    at += std::max<std::size_t>(size, 1);
  }
  return terms;
}

Terms prose_terms(std::string_view text) {
  Terms terms;
  each_word(text.substr(0, kMaxText), [&](std::string_view word) { add_pieces(word, terms, terms); });
  return terms;
}

Terms constant_terms(const std::vector<std::string>& constants, std::string_view conclusion) {
  Terms terms;
  // Adds a sign. A space within «» would split the term.
  const auto add = [&](std::string_view sign, std::string_view name) {
    std::string& term = terms.emplace_back(sign).append(name.substr(0, 200));
    std::replace(term.begin(), term.end(), ' ', '_');
  };
  for (const std::string& constant : constants) {
    if (terms.size() >= kMaxTerms) break;
    add("=", constant);
    add("~", text::last_part(constant));
  }
  if (!conclusion.empty()) {
    add("^", conclusion);
    add("^~", text::last_part(conclusion));
  }
  return terms;
}

Terms split(std::string_view text, char separator) {
  Terms parts;
  for (const auto part : std::views::split(text, separator))
    if (!part.empty()) parts.emplace_back(part.begin(), part.end());
  return parts;
}

std::string as_phrase(std::string_view term) {
  std::string text = "\"";
  for (const char c : term) text.append(c == '"' ? 2 : 1, c);
  return text + "\"";
}

std::string joined_once(const Terms& words) {
  std::string text;
  std::set<std::string_view> seen;
  for (const std::string& word : words) {
    if (!seen.insert(word).second) continue;
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

bool glob_matches(std::string_view glob, std::string_view name) {
  std::size_t star = glob.find('*');
  if (star == std::string_view::npos) return glob == name;
  if (!name.starts_with(glob.substr(0, star))) return false;
  name.remove_prefix(star);
  // Matches each text between stars at its first possible place, which leaves most for the others.
  for (glob.remove_prefix(star + 1); (star = glob.find('*')) != std::string_view::npos;
       glob.remove_prefix(star + 1)) {
    const std::size_t at = name.find(glob.substr(0, star));
    if (at == std::string_view::npos) return false;
    name.remove_prefix(at + star);
  }
  return name.ends_with(glob);
}

}  // namespace leanbridge::index
