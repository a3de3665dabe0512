#include "leanbridge/search/query.hpp"

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/text/utf8.hpp"

#include "type_pattern.hpp"

#include <algorithm>

namespace leanbridge::search {

namespace {

using Kind = TermToken::Kind;

constexpr std::string_view kStopWords[] = {
    "a",     "an",    "the",     "of",    "is",    "are",   "be",   "for",  "and",  "or",   "if",
    "then",  "iff",   "to",      "on",    "in",    "by",    "with", "that", "this", "all",  "any",
    "every", "each",  "some",    "there", "from",  "into",  "its",  "it",   "as",   "when", "how",
    "what",  "which", "i",       "we",    "need",  "has",   "have", "than", "not",  "no",   "where",
    "such",  "lemma", "theorem", "show",  "prove", "about", "says", "using"};

bool is_stop_word(std::string_view word) {
  return std::find(std::begin(kStopWords), std::end(kStopWords), word) != std::end(kStopWords);
}

// Functions of Lean's library that are stop words.
bool is_function_word(std::string_view word) {
  static constexpr std::string_view kFunctions[] = {"some", "not", "and", "or", "all", "any"};
  return std::find(std::begin(kFunctions), std::end(kFunctions), word) != std::end(kFunctions);
}

// `theorem foo (a b : Nat) : ...`, as in a file.
bool is_declaration(Tokens tokens) {
  if (tokens.size() < 3 || tokens[0].kind != Kind::Word) return false;
  const std::string& word = tokens[0].text;
  const bool keyword = word == "theorem" || word == "lemma" || word == "example";
  const std::size_t next = word == "example" ? 1 : 2;
  return keyword &&
         (tokens[next].is("(") || tokens[next].is("{") || tokens[next].is("[") || tokens[next].is(":"));
}

bool is_plain(const TermToken& token) {
  return token.kind == Kind::Word && looks_like_prose(token.text);
}

std::size_t letters(const TermToken& token) {
  return text::count_code_points(token.text);
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

// A title may have formulas in TeX, of which only the letters are words: `$L^p$ spaces` is "Lp spaces".
std::string without_tex(const std::string& text) {
  if (std::count(text.begin(), text.end(), '$') < 2) return text;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      while (i + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[i + 1]))) ++i;
      plain += ' ';
    } else if (std::string_view("${}^_").find(text[i]) == std::string_view::npos) {
      plain += text[i];
    }
  }
  return plain;
}

bool has_turnstile(std::string_view text) {
  return text.find("⊢") != std::string_view::npos || text.find("|-") != std::string_view::npos;
}

// A single word with `*` that is not a product: `Nat.*`, but not `a*b`.
bool is_glob(std::string_view text) {
  if (text.find('*') == std::string_view::npos || text.find(' ') != std::string_view::npos) return false;
  bool name = false;
  for (const TermToken& token : term_tokens(text)) {
    const bool part = token.kind == Kind::Word || token.kind == Kind::Number || token.kind == Kind::Hole;
    if (!part && !token.is("*") && !token.is(".")) return false;
    name = name || token.is(".") || (token.kind == Kind::Word && !looks_like_variable(token.text));
  }
  return name;
}

// The runs of prose in a text that may also contain a term. One or two words may be functions (`deriv sin`);
// more words, stop words and long words are prose.
struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;
};
constexpr std::size_t kLongWord = 9;  // Lean's names without capitals are shorter
std::vector<Run> prose_runs(Tokens tokens) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < tokens.size();) {
    std::size_t end = i, words = 0, longest = 0;
    bool small = false;
    const auto belongs = [&](std::size_t at) {
      if (at >= tokens.size() || !is_plain(tokens[at]) || is_lean_keyword(tokens[at].text)) return false;
      const bool before_word =
          at + 1 < tokens.size() && is_plain(tokens[at + 1]) && letters(tokens[at + 1]) >= 2;
      return letters(tokens[at]) >= 2 || (at > i && before_word);  // `a` between words is an article
    };
    for (; belongs(end); ++end) {
      const std::string word = lower_case(tokens[end].text);
      ++words;
      const bool capital = word != tokens[end].text;  // `Injective` is a name in a term
      if (!capital || words > 1) longest = std::max(longest, letters(tokens[end]));
      small = small || (is_stop_word(word) && letters(tokens[end]) >= 2);
    }
    // `some a = some b` is a term.
    if (words == 1 && is_function_word(tokens[i].text)) small = false;
    if (words >= 3 || small || (words == 2 && longest >= 7) || longest >= kLongWord) runs.push_back({i, end});
    i = std::max(end, i + 1);
  }
  return runs;
}

bool holds_operator(Tokens tokens) {
  return std::any_of(tokens.begin(), tokens.end(), is_operator);
}

// Strips the punctuation of the sentence around a term.
Tokens without_punctuation(Tokens tokens) {
  const auto is_punctuation = [](const TermToken& token) {
    return token.is(",") || token.is(".") || token.is(":") || token.is("?") || token.is("!") ||
           token.is(";") || token.is("`");
  };
  while (!tokens.empty() && is_punctuation(tokens.front())) tokens = tokens.subspan(1);
  while (!tokens.empty() && is_punctuation(tokens.back())) tokens = tokens.first(tokens.size() - 1);
  return tokens;
}

// The longest part between prose that contains an operator.
Tokens term_between(Tokens tokens, const std::vector<Run>& prose) {
  Tokens best;
  std::size_t begin = 0;
  const auto consider = [&](std::size_t end) {
    const Tokens part = without_punctuation(tokens.subspan(begin, end - begin));
    if (part.size() > best.size() && part.size() >= 2 && holds_operator(part)) best = part;
  };
  for (const Run& run : prose) {
    consider(run.begin);
    begin = run.end;
  }
  consider(tokens.size());
  return best;
}

void take_words(Query& query, Tokens tokens) {
  for (const TermToken& token : tokens) {
    if (token.kind != Kind::Word) continue;
    if (looks_like_name(token.text)) {
      query.names.push_back(token.text);
    } else if (std::string word = lower_case(token.text); letters(token) >= 2 && !is_stop_word(word)) {
      if (std::find(query.words.begin(), query.words.end(), word) == query.words.end())
        query.words.push_back(std::move(word));
    }
  }
}

void analyse_text(Query& query, Tokens tokens) {
  const bool has_strings =
      std::any_of(tokens.begin(), tokens.end(), [](const TermToken& t) { return t.kind == Kind::String; });
  const bool brackets =
      std::any_of(tokens.begin(), tokens.end(), [](const TermToken& t) { return t.is("("); });
  const bool only_symbols =
      std::all_of(tokens.begin(), tokens.end(), [](const TermToken& t) { return t.kind == Kind::Symbol; });
  if (only_symbols) return;
  if (is_declaration(tokens)) {
    query.kind = QueryKind::Pattern;
    query.type = pattern_of(tokens);
    query.type_filters = true;
    return;
  }
  const auto prose = prose_runs(tokens);
  if (prose.empty() && (holds_operator(tokens) || has_strings)) {
    query.kind = QueryKind::Pattern;
    query.type = pattern_of_filters(tokens);
    query.type_filters = true;
    return;
  }
  take_words(query, tokens);
  if (const Tokens term = term_between(tokens, prose); !term.empty()) {
    query.kind = QueryKind::Mixed;
    query.type = pattern_of(term);
    // Words of the term are not prose.
    query.names.clear();
    query.words.clear();
    const auto offset = static_cast<std::size_t>(term.data() - tokens.data());
    take_words(query, tokens.first(offset));
    take_words(query, tokens.subspan(offset + term.size()));
    return;
  }
  if (prose.empty() && brackets && !query.names.empty()) {  // `List.map f (List.map g l)`
    query.kind = QueryKind::Pattern;
    query.type = pattern_of(tokens);
    query.type_filters = true;
    return;
  }
  if (query.words.empty() && !query.names.empty())
    query.kind = QueryKind::Name;
  else if (query.names.empty())
    query.kind = tokens.size() == 1 && is_plain(tokens[0]) ? QueryKind::Name : QueryKind::Keywords;
  else
    query.kind = QueryKind::Mixed;
  if (query.kind == QueryKind::Name && query.names.empty()) query.names.push_back(tokens[0].text);
}

std::string joined(const std::vector<std::string>& items, std::string_view between) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : std::string(between)) + item;
  return text;
}

}  // namespace

wire::Names<QueryKind> names_of(QueryKind) {
  return {{QueryKind::Name, "name"}, {QueryKind::Keywords, "keywords"}, {QueryKind::Pattern, "pattern"},
          {QueryKind::Goal, "goal"}, {QueryKind::Glob, "glob"},         {QueryKind::Mixed, "mixed"}};
}

Query analyse(std::string_view given) {
  std::string text =
      without_tex(text::replace_invalid(given.substr(0, text::code_point_start(given, kMaxQueryBytes))));
  Query query;
  if (text.starts_with("#find ")) text.erase(0, 6);  // as Loogle does
  const bool turnstile = has_turnstile(text);
  query.text = tidy(text, turnstile);
  if (!turnstile && is_glob(query.text)) {
    query.kind = QueryKind::Glob;
    query.glob = query.text;
    return query;
  }
  const auto tokens = term_tokens(query.text);
  const bool holes = std::any_of(tokens.begin(), tokens.end(), [](const TermToken& t) {
    return t.kind == Kind::Meta || t.kind == Kind::Hole || t.kind == Kind::String;
  });
  if (turnstile && !holes) {
    // The lines of a state and their indentation matter.
    const GoalText goal = first_goal(text);
    query.kind = QueryKind::Goal;
    query.text = goal.text;
    query.type = pattern_of_goal(goal);
    return query;
  }
  analyse_text(query, tokens);
  return query;
}

std::optional<TypePattern> read_type_pattern(std::string_view given) {
  const std::string text =
      text::replace_invalid(given.substr(0, text::code_point_start(given, kMaxQueryBytes)));
  const Query query = analyse(text);
  if (query.kind == QueryKind::Goal) return query.type;
  TypePattern pattern = pattern_of_filters(term_tokens(query.text));
  if (pattern.loogle.empty() && pattern.constants.empty()) return std::nullopt;
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
    const std::string last = name.substr(name.rfind('.') + 1);
    // `Real.sin` is a constant of types; `Nat.add_comm` is searched by name.
    const bool constant = last != name && last.find('_') == std::string::npos;
    filters.push_back(constant ? name : "\"" + name + "\"");
  }
  if (!query.glob.empty()) {
    std::string part;
    for (const char c : query.glob + "*") {
      if (c != '*') {
        part += c;
      } else if (part.size() > 1) {
        filters.push_back("\"" + std::exchange(part, "") + "\"");
      } else {
        part.clear();
      }
    }
  }
  return joined(filters, ", ");
}

std::string goal_form(const Query& query) {
  return query.kind == QueryKind::Goal ? query.text : std::string();
}

std::optional<index::Lookup> word_lookup(const Query& query) {
  index::Lookup lookup;
  if (query.kind == QueryKind::Keywords) {
    lookup.words = query.text;  // the index knows what says little
  } else {
    lookup.words = joined(query.names, " ");
    const std::string words = joined(query.words, " ");
    if (!words.empty()) lookup.words += (lookup.words.empty() ? "" : " ") + words;
  }
  lookup.glob = query.glob;
  if (lookup.words.empty() && lookup.glob.empty()) return std::nullopt;
  return lookup;
}

std::optional<index::Lookup> type_lookup(const Query& query) {
  const auto& type = query.type;
  if (!type) return std::nullopt;
  index::Lookup lookup;
  lookup.name_parts = type->name_parts;
  lookup.words = joined(type->name_parts, " ");
  const bool tells = !type->constants.empty() || !type->conclusion.empty();
  if (tells) {
    lookup.constants = type->constants;
    lookup.conclusion = type->conclusion;
    lookup.patterns = type->patterns;
  }
  if (!tells && lookup.name_parts.empty()) return std::nullopt;
  return lookup;
}

wire::Names<LocalForm> names_of(LocalForm) {
  return {{LocalForm::Words, "words"}, {LocalForm::Type, "type"}};
}

std::vector<LocalQuestion> local_questions(const Query& query) {
  std::vector<LocalQuestion> questions;
  if (auto lookup = word_lookup(query)) {
    const std::string text = lookup->glob.empty() ? lookup->words : lookup->glob;
    questions.push_back({LocalForm::Words, text, std::move(*lookup)});
  }
  if (auto lookup = type_lookup(query)) {
    const std::string& text = query.type->text.empty() ? query.type->loogle : query.type->text;
    questions.push_back({LocalForm::Type, text, std::move(*lookup)});
  }
  return questions;
}

std::string text_key(std::string_view text) {
  return tidy(text, false);
}

// --- proof states as text, as agents paste them: each line has names, then their type

namespace {

constexpr std::string_view kTurnstiles[] = {"⊢", "|-"};

// The position of the first `⊢` and its size in bytes.
std::pair<std::size_t, std::size_t> turnstile(std::string_view text, std::size_t from) {
  std::pair<std::size_t, std::size_t> first{std::string_view::npos, 0};
  for (const std::string_view each : kTurnstiles)
    if (const std::size_t at = text.find(each, from); at < first.first) first = {at, each.size()};
  return first;
}

// The target ends at a blank line, or before the next goal.
std::size_t end_of_target(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size()) {
    const std::size_t line_end = std::min(text.find('\n', end), text.size());
    if (end > begin) {
      const std::string_view line = text.substr(end, line_end - end);
      const bool goes_on = line.starts_with(' ') || line.starts_with('\t');
      if (trimmed(line).empty() || !goes_on) return end;
    }
    end = line_end + 1;
  }
  return text.size();
}

void read_hypothesis(std::string_view line, Variables& locals) {
  const auto tokens = term_tokens(line);
  const auto colon =
      std::find_if(tokens.begin(), tokens.end(), [](const TermToken& token) { return token.is(":"); });
  if (colon == tokens.end()) return;
  const Tokens type(colon + 1, tokens.end());
  std::string constant;
  if (type.size() == 1 && type[0].kind == TermToken::Kind::Word && !is_lean_keyword(type[0].text)) {
    const std::string_view known = constant_of(type[0].text);
    constant = known.empty() ? type[0].text : std::string(known);
    if (looks_like_variable(constant)) constant.clear();
  }
  for (auto name = tokens.begin(); name != colon; ++name)
    if (name->kind == TermToken::Kind::Word) locals.emplace(name->text, constant);
}

}  // namespace

GoalText first_goal(std::string_view text) {
  GoalText goal;
  const auto [at, size] = turnstile(text, 0);
  if (at == std::string_view::npos) return goal;
  const std::size_t end = end_of_target(text, at + size);
  goal.target = trimmed(text.substr(at + size, end - at - size));
  std::string_view before = text.substr(0, at);
  while (!before.empty()) {
    const std::size_t line_end = std::min(before.find('\n'), before.size());
    const std::string_view line = trimmed(before.substr(0, line_end));
    before.remove_prefix(std::min(line_end + 1, before.size()));
    if (line.empty() || line.starts_with("case ")) continue;
    read_hypothesis(line, goal.locals);
    goal.text += std::string(line) + "\n";
  }
  goal.text += "⊢ " + goal.target;
  return goal;
}

TypePattern pattern_of_goal(const GoalText& goal) {
  const auto tokens = term_tokens(goal.target);
  TypePattern pattern = pattern_of(tokens, goal.locals);
  pattern.patterns = {goal.text};
  if (!pattern.loogle.empty() && !pattern.loogle.starts_with("⊢")) pattern.loogle = "⊢ " + pattern.loogle;
  return pattern;
}

}  // namespace leanbridge::search
