#include "search/sources/query.hpp"

#include "core/base/ascii.hpp"
#include "core/base/joined.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/utf8.hpp"
#include "core/text/word_list.hpp"
#include "search/index/written_term.hpp"
#include <boost/algorithm/string/replace.hpp>

#include <algorithm>
#include <cctype>
#include <span>
#include <utility>

namespace leanbridge::search {

namespace {

using index::TermWord;
using Kind = TermWord::WordType;
using Words = std::span<const TermWord>;

constexpr std::string_view kStopWords =
    " a an the of is are be for and or if then iff to on in by with that this all any every each some there "
    "from into its it as when how what which i we need has have than not no where such lemma theorem show "
    "prove about says using ";
// Functions of Lean's library that are stop words.
constexpr std::string_view kFunctions = " some not and or all any ";
constexpr std::string_view kKeywords =
    " fun let in if then else match with Type Prop Sort have show from by at do ";

// Whether a word consists of letters and perhaps hyphens, so that it is not a name.
bool is_plain(const TermWord& word) {
  const std::string& text = word.text;
  if (word.kind != Kind::Name || text == "_" || index::looks_like_name(text)) return false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const bool mark = at > 0 && std::string_view("'-?!").find(text[at]) != std::string_view::npos;
    if (byte < 0x80 && std::isalpha(byte) == 0 && !mark) return false;
    // Excludes the signs of U+2100 to U+2FFF, and pictures.
    const std::string_view next = std::string_view(text).substr(at + 1, 1);
    if ((byte == 0xE2 && next != "\x80") || (byte == 0xF0 && next == "\x9F")) return false;
  }
  return true;
}

std::size_t letters(const TermWord& word) {
  return text::count_code_points(word.text);
}

// The words of a query on one line. A hyphen joins words of prose (Cauchy-Schwarz, p-adic); elsewhere it is a
// minus sign.
std::vector<TermWord> words_of(std::string_view text) {
  std::vector<TermWord> joined;
  auto words = index::term_words(text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].kind == Kind::LineEnd) continue;
    const bool hyphen = words[i].is("-") && !joined.empty() && i + 1 < words.size() &&
                        !words[i].after_blank && !words[i + 1].after_blank && is_plain(joined.back()) &&
                        is_plain(words[i + 1]);
    const std::size_t before = hyphen ? letters(joined.back()) : 0,
                      after = hyphen ? letters(words[i + 1]) : 0;
    if ((before == 1 && after >= 4) || (before >= 2 && after >= 2)) {
      joined.back().text += "-" + words[++i].text;
      joined.back().end = words[i].end;
    } else {
      joined.push_back(std::move(words[i]));
    }
  }
  return joined;
}

std::string_view source_of(std::string_view text, Words words) {
  return words.empty() ? std::string_view()
                       : text.substr(words.front().begin, words.back().end - words.front().begin);
}

// Whether it is `theorem foo (a b : Nat) : ...`, as in a file.
bool is_declaration(Words words) {
  if (words.size() < 3 || words[0].kind != Kind::Name) return false;
  const std::string& word = words[0].text;
  const TermWord& next = words[word == "example" ? 1 : 2];
  return (text::is_theorem_keyword(word) || word == "example") &&
         (next.is("(") || next.is("{") || next.is("[") || next.is(":"));
}

// Collapses white space, optionally keeping line breaks.
std::string tidy(std::string_view text, bool keep_lines) {
  std::string tidied;
  char pending = 0;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0') {
      if (keep_lines && c == '\n')
        pending = '\n';
      else if (pending == 0)
        pending = ' ';
      continue;
    }
    if (pending != 0 && !tidied.empty()) tidied += pending;
    pending = 0;
    tidied += c;
  }
  return tidied;
}

// Removes TeX from a title: of a formula, only the letters count as words, so `$L^p$ spaces` becomes "Lp
// spaces".
std::string without_tex(const std::string& text) {
  if (std::ranges::count(text, '$') < 2) return text;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      while (i + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[i + 1]))) ++i;
      plain += ' ';
    } else if (std::string_view("${}^_").find(text[i]) == std::string_view::npos) {
      // The text before the hyphen of `$\varepsilon$-NFA` is gone.
      const bool joins_nothing =
          text[i] == '-' && (plain.empty() || plain.back() == ' ') && text.substr(i + 1, 1) != " ";
      plain += joins_nothing ? ' ' : text[i];
    }
  }
  return plain;
}

// Whether it is a single word with `*` that is not a product: `Nat.*`, but not `a*b`.
bool is_glob(std::string_view text) {
  if (text.find('*') == std::string_view::npos || text.find(' ') != std::string_view::npos) return false;
  bool name = false;
  for (const TermWord& word : index::term_words(text)) {
    const bool part = word.kind == Kind::Name || word.kind == Kind::Number;
    if (!part && !word.is("*") && !word.is(".")) return false;
    name = name || word.is(".") ||
           (word.kind == Kind::Name && word.text.find_first_of("0123456789'") > 1 && letters(word) > 1);
  }
  return name;
}

// A run of prose in a text that may also contain a term. One or two words may be functions (`deriv sin`);
// more words, stop words and long words are prose.
struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;
};
constexpr std::size_t kLongWord = 9;  // names of Lean without capitals are shorter than this
std::vector<Run> prose_runs(Words words) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < words.size();) {
    std::size_t end = i, longest = 0;
    bool small = false;
    const auto belongs = [&](std::size_t at) {
      if (at >= words.size() || !is_plain(words[at]) || text::contains(kKeywords, words[at].text))
        return false;
      const bool before_word =
          at + 1 < words.size() && is_plain(words[at + 1]) && letters(words[at + 1]) >= 2;
      const bool is_article = words[at].text == "a" && at > i && before_word;
      return letters(words[at]) >= 2 || is_article;
    };
    for (; belongs(end); ++end) {
      const std::string word = lower_case(words[end].text);
      const bool capital = word != words[end].text;  // `Injective` is a name in a term
      if (!capital || end > i) longest = std::max(longest, letters(words[end]));
      small = small || (text::contains(kStopWords, word) && letters(words[end]) >= 2);
    }
    const std::size_t count = end - i;
    // `some a = some b` is a term.
    if (count == 1 && text::contains(kFunctions, words[i].text)) small = false;
    if (count >= 3 || small || (count == 2 && longest >= 7) || longest >= kLongWord) runs.push_back({i, end});
    i = std::max(end, i + 1);
  }
  return runs;
}

bool is_operator(const TermWord& word) {
  return word.is_operator();
}
bool is_text(const TermWord& word) {
  return word.kind == Kind::Text;
}
bool is_hole(const TermWord& word) {
  return word.kind == Kind::Meta || word.text == "_";
}
bool any(Words words, bool (*is_one)(const TermWord&)) {
  return std::ranges::any_of(words, is_one);
}

// Strips the sentence's punctuation around a term.
Words without_punctuation(Words words) {
  const auto is_punctuation = [](const TermWord& word) {
    return word.kind == Kind::Symbol && word.text.find_first_not_of(",.:?!;`") == std::string::npos;
  };
  while (!words.empty() && is_punctuation(words.front())) words = words.subspan(1);
  while (!words.empty() && is_punctuation(words.back())) words = words.first(words.size() - 1);
  return words;
}

// The longest part between prose that contains an operator.
Words term_between(Words words, std::vector<Run> prose) {
  Words best;
  std::size_t begin = 0;
  prose.push_back({words.size(), words.size()});
  for (const Run& run : prose) {
    const Words part = without_punctuation(words.subspan(begin, run.begin - begin));
    if (part.size() > best.size() && part.size() >= 2 && any(part, is_operator)) best = part;
    begin = run.end;
  }
  return best;
}

void take_words(Query& query, Words words) {
  for (const TermWord& each : words) {
    if (each.kind != Kind::Name || each.text == "_") continue;
    if (index::looks_like_name(each.text)) {
      query.names.push_back(each.text);
    } else if (std::string word = lower_case(each.text);
               letters(each) >= 2 && !text::contains(kStopWords, word)) {
      if (std::ranges::find(query.words, word) == query.words.end()) query.words.push_back(std::move(word));
    }
  }
}

// --- types

using Filters = std::vector<std::string_view>;

// Loogle's filters, which are separated by commas; the commas of `∀ x,` and `∃ x,` do not count.
Filters filters_of(std::string_view text, Words words) {
  Filters filters;
  std::size_t begin = 0;
  int quantifiers = 0, depth = 0;
  for (std::size_t i = 0; i <= words.size(); ++i) {
    const bool comma = i < words.size() && depth == 0 && words[i].is(",");
    if (i == words.size() || (comma && quantifiers-- <= 0)) {
      if (i > begin) filters.push_back(source_of(text, words.subspan(begin, i - begin)));
      begin = i + 1;
      quantifiers = 0;
    } else if (depth == 0) {
      constexpr std::string_view kBinders = " ∀ ∃ ∃! ∑ ∏ ∑' ∏' ∑ᶠ ∏ᶠ ∫ ∫⁻ ⨍ ∀ᶠ ∃ᶠ ∀ᵐ ∃ᵐ ⋃ ⋂ ⨆ ⨅ ";
      if (words[i].kind == Kind::Symbol && text::contains(kBinders, words[i].text)) ++quantifiers;
    }
    if (i < words.size()) depth = std::max(0, depth + words[i].nesting());
  }
  return filters;
}

TypePattern pattern_of(const Filters& filters) {
  constexpr std::size_t kMaxLoogleBytes = 1000, kMaxFilters = 6;
  TypePattern all;
  index::Lookup& lookup = all.lookup;
  bool has_text = false;
  for (const std::string_view filter : filters) {
    std::string loogle(filter);
    const bool is_text =
        filter.size() >= 2 && filter.starts_with('"') && filter.find('"', 1) == filter.size() - 1;
    has_text = has_text || is_text;
    if (is_text) {
      if (filter.size() > 2) lookup.name_parts.emplace_back(filter.substr(1, filter.size() - 2));
    } else {
      const auto words = index::term_words(filter);
      auto read = index::read_term(filter);
      // Loogle may know a notation that is unknown here, but then its variables are unknown, too.
      if (read)
        loogle = read->pattern;
      else if (!any(words, is_hole))
        loogle.clear();
      for (std::string& constant : read ? read->constants : index::constants_among(words))
        if (std::ranges::find(lookup.constants, constant) == lookup.constants.end())
          lookup.constants.push_back(std::move(constant));
      if (lookup.patterns.size() < kMaxFilters) lookup.patterns.emplace_back(filter);
      if (read && lookup.conclusion.empty()) lookup.conclusion = read->conclusion;
    }
    if (!loogle.empty()) all.loogle += (all.loogle.empty() ? "" : ", ") + loogle;
  }
  if (all.loogle.size() > kMaxLoogleBytes || (lookup.constants.empty() && !has_text)) all.loogle.clear();
  lookup.words = joined(lookup.name_parts, " ");
  return all;
}

void analyse_text(Query& query, Words words) {
  const std::string_view text = query.text;
  const auto take_pattern = [&](const Filters& filters) {
    query.kind = QueryKind::Pattern;
    query.type = pattern_of(filters);
    query.type_filters = true;
  };
  if (std::ranges::all_of(words, [](const TermWord& word) { return word.kind == Kind::Symbol; })) return;
  if (is_declaration(words)) return take_pattern({text});
  const auto prose = prose_runs(words);
  if (prose.empty() && (any(words, is_operator) || any(words, is_text)))
    return take_pattern(filters_of(text, words));
  if (const Words term = term_between(words, prose); !term.empty()) {
    query.kind = QueryKind::Mixed;
    query.type = pattern_of({source_of(text, term)});
    const auto offset = static_cast<std::size_t>(term.data() - words.data());
    take_words(query, words.first(offset));
    take_words(query, words.subspan(offset + term.size()));
    return;
  }
  take_words(query, words);
  const bool brackets = any(words, [](const TermWord& word) { return word.is("("); });
  if (prose.empty() && brackets && !query.names.empty())
    return take_pattern({text});  // `List.map f (List.map g l)`
  const bool one_word = words.size() == 1 && is_plain(words[0]);
  query.kind = query.names.empty()   ? (one_word ? QueryKind::Name : QueryKind::Keywords)
               : query.words.empty() ? QueryKind::Name
                                     : QueryKind::Mixed;
  if (query.kind == QueryKind::Name && query.names.empty()) query.names.push_back(words[0].text);
}

// --- proof states as text, as agents paste them: each line has names, then their type

// The position of the first `⊢` or `|-`, and its size in bytes.
std::pair<std::size_t, std::size_t> turnstile_in(std::string_view text) {
  const std::size_t sign = text.find("⊢"), ascii = text.find("|-");
  return sign < ascii ? std::pair(sign, std::string_view("⊢").size()) : std::pair(ascii, std::size_t{2});
}

}  // namespace

wire::Names<QueryKind> names_of(QueryKind) {
  return {{QueryKind::Name, "name"}, {QueryKind::Keywords, "keywords"}, {QueryKind::Pattern, "pattern"},
          {QueryKind::Goal, "goal"}, {QueryKind::Glob, "glob"},         {QueryKind::Mixed, "mixed"}};
}

std::string first_goal(std::string_view text) {
  const auto [at, size] = turnstile_in(text);
  if (at == std::string::npos) return "";
  // The target ends at a blank line, or before the next goal.
  std::size_t end = at + size;
  for (bool first = true; end < text.size(); first = false) {
    const std::size_t line_end = std::min(text.find('\n', end), text.size());
    const std::string_view line = text.substr(end, line_end - end);
    if (!first && (trimmed(line).empty() || line.find_first_of(" \t") != 0)) break;
    end = std::min(line_end + 1, text.size());
  }
  std::string goal;
  for (std::string_view before = text.substr(0, at); !before.empty();) {
    const std::size_t line_end = std::min(before.find('\n'), before.size());
    const std::string_view line = trimmed(before.substr(0, line_end));
    before.remove_prefix(std::min(line_end + 1, before.size()));
    if (!line.empty() && !line.starts_with("case ")) goal.append(line).append("\n");
  }
  return goal.append("⊢ ").append(trimmed(text.substr(at + size, end - at - size)));
}

Query analyse(std::string_view given) {
  std::string text = without_tex(text::replace_invalid(text::beginning_of(given, kMaxQueryBytes)));
  Query query;
  if (text.starts_with("#find ")) text.erase(0, 6);  // as Loogle does
  // In Lean this is the sum of types, which a query never means.
  for (const char* sum : {"⊕", "\\oplus"}) boost::replace_all(text, sum, "+");
  const bool turnstile = turnstile_in(text).first != std::string::npos;
  query.text = tidy(text, turnstile);
  if (!turnstile && is_glob(query.text)) {
    query.kind = QueryKind::Glob;
    query.glob = query.text;
    return query;
  }
  const auto words = words_of(query.text);
  if (turnstile && !any(words, is_hole) && !any(words, is_text)) {
    // The lines of a state and their indentation are significant.
    query.kind = QueryKind::Goal;
    query.text = first_goal(text);
    query.type = pattern_of({query.text});
    return query;
  }
  analyse_text(query, words);
  return query;
}

std::optional<TypePattern> read_type_pattern(std::string_view given) {
  const Query query = analyse(given);
  if (query.kind == QueryKind::Goal) return query.type;
  TypePattern pattern = pattern_of(filters_of(query.text, index::term_words(query.text)));
  if (pattern.loogle.empty() && pattern.lookup.constants.empty()) return std::nullopt;
  return pattern;
}

std::string phrase_form(const Query& query) {
  if (query.kind != QueryKind::Glob) return query.text;
  std::string words = query.glob;
  for (char& c : words)
    if (c == '*' || c == '.' || c == '_') c = ' ';
  return tidy(words, false);
}

std::string loogle_form(const Query& query) {
  if (query.type && !query.type->loogle.empty()) return query.type->loogle;
  std::vector<std::string> filters;
  for (const std::string& name : query.names) {
    const std::string_view last = text::last_part(name);
    // `Real.sin` is a constant that types contain; `Nat.add_comm` is a name to search for.
    const bool constant = last != name && last.find('_') == std::string::npos;
    filters.push_back(constant ? name : "\"" + name + "\"");
  }
  std::string part;
  for (const char c : query.glob + "*") {
    if (c != '*')
      part += c;
    else if (const std::string whole = std::exchange(part, ""); whole.size() > 1)
      filters.push_back("\"" + whole + "\"");
  }
  return joined(filters, ", ");
}

std::string goal_form(const Query& query) {
  return query.kind == QueryKind::Goal ? query.text : std::string();
}

wire::Names<LocalForm> names_of(LocalForm) {
  return {{LocalForm::Words, "words"}, {LocalForm::Type, "type"}};
}

std::vector<LocalQuestion> local_questions(const Query& query) {
  std::vector<LocalQuestion> questions;
  index::Lookup words;
  words.words = joined(query.names, " ");
  if (!query.words.empty()) words.words += (words.words.empty() ? "" : " ") + joined(query.words, " ");
  if (query.kind == QueryKind::Keywords)
    words.words = query.text;  // the index knows which words are
                               // uninformative
  words.glob = query.glob;
  const std::string asked = words.glob.empty() ? words.words : words.glob;
  if (!asked.empty()) questions.push_back({LocalForm::Words, asked, std::move(words)});
  if (!query.type) return questions;
  index::Lookup shape = query.type->lookup;
  // Without a constant, every type would be an instance.
  if (shape.constants.empty() && shape.conclusion.empty()) {
    shape.patterns.clear();
    if (shape.name_parts.empty()) return questions;
  }
  const std::string& loogle = query.type->loogle;
  questions.push_back(
      {LocalForm::Type, loogle.empty() ? joined(shape.patterns, ", ") : loogle, std::move(shape)});
  return questions;
}

}  // namespace leanbridge::search
