#include "type_pattern.hpp"

#include "leanbridge/index/type_fit.hpp"
#include "leanbridge/search/theorem.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace leanbridge::search {

namespace {

using Kind = TermToken::Kind;

constexpr std::size_t kMaxConstants = 16;
constexpr std::size_t kMaxLoogleBytes = 1000;
constexpr std::size_t kMaxFilters = 6;

bool opens(const TermToken& token) {
  return token.is("(") || token.is("{") || token.is("[") || token.is("⦃") || token.is("⟨");
}
bool closes(const TermToken& token) {
  return token.is(")") || token.is("}") || token.is("]") || token.is("⦄") || token.is("⟩");
}

// The first token outside all brackets that is one of `wanted`; the size if none is.
std::size_t find_outside(Tokens tokens, std::initializer_list<std::string_view> wanted,
                         std::size_t from = 0) {
  int depth = 0;
  for (std::size_t i = from; i < tokens.size(); ++i) {
    if (depth == 0 &&
        std::any_of(wanted.begin(), wanted.end(), [&](auto each) { return tokens[i].is(each); }))
      return i;
    depth += opens(tokens[i]) ? 1 : closes(tokens[i]) ? -1 : 0;
  }
  return tokens.size();
}

bool binds(const TermToken& token) {
  static constexpr std::string_view kBinders[] = {"∀", "∃", "∑", "∏", "⋃", "⋂"};
  return (token.kind == Kind::Word && token.text == "fun") ||
         (token.kind == Kind::Symbol &&
          std::find(std::begin(kBinders), std::end(kBinders), token.text) != std::end(kBinders));
}

void add_once(std::vector<std::string>& list, std::string_view item) {
  if (!item.empty() && list.size() < kMaxConstants && std::find(list.begin(), list.end(), item) == list.end())
    list.emplace_back(item);
}

std::string writable(std::string name) {
  for (std::size_t at; (at = name.find("✝")) != std::string::npos;)
    name.replace(at, std::string_view("✝").size(), "_i");
  return name;
}

// Splits a statement into variables, premises and conclusion, and renders it as a pattern.
class StatementReader {
 public:
  StatementReader(Tokens tokens, Variables known) : variables_(std::move(known)), rest_(tokens) {}

  TypePattern read() {
    skip_declaration();
    if (!rest_.empty() && rest_[0].is("⊢")) {
      rest_ = rest_.subspan(1);
      loogle_ = "⊢ ";
    }
    while (take_quantifier() || take_signature()) {
    }
    TypePattern pattern;
    pattern.conclusion = conclusion_of(rest_, variables_);
    pattern.text = rendered_all(pattern);
    ascribes_ = true;
    const std::string text = rendered_all(pattern);
    if (!pattern.constants.empty() && text.size() <= kMaxLoogleBytes) pattern.loogle = loogle_ + text;
    return pattern;
  }

 private:
  // Skips `theorem foo`, and the proof after `:=`.
  void skip_declaration() {
    rest_ = rest_.first(find_outside(rest_, {":="}));
    if (rest_.size() < 2 || rest_[0].kind != Kind::Word) return;
    const std::string& word = rest_[0].text;
    if (word == "theorem" || word == "lemma" || word == "def")
      rest_ = rest_.subspan(2);
    else if (word == "example")
      rest_ = rest_.subspan(1);
  }

  // `∀ a b : T,` `∀ (a : T) {b : U},` `∀ x ∈ s,`
  bool take_quantifier() {
    if (rest_.empty() || !rest_[0].is("∀")) return false;
    const std::size_t comma = find_outside(rest_, {","});
    if (comma == rest_.size()) return false;
    Tokens binders = rest_.subspan(1, comma - 1);
    rest_ = rest_.subspan(comma + 1);
    while (!binders.empty() && opens(binders[0])) {
      const std::size_t end = after_bracket(binders, 0);
      take_binder(binders.subspan(1, end >= 2 ? end - 2 : 0), binders[0].is("["));
      binders = binders.subspan(end);
    }
    if (!binders.empty()) take_binder(binders, false);
    return true;
  }

  // `{a b : T} (h : P) [Add T] : conclusion`
  bool take_signature() {
    std::size_t at = 0;
    while (at < rest_.size() && opens(rest_[at]) && !rest_[at].is("⟨")) at = after_bracket(rest_, at);
    if (at == 0 || at >= rest_.size() || !rest_[at].is(":")) return false;
    for (std::size_t begin = 0; begin < at;) {
      const std::size_t end = after_bracket(rest_, begin);
      take_binder(rest_.subspan(begin + 1, end - begin - 2), rest_[begin].is("["));
      begin = end;
    }
    rest_ = rest_.subspan(at + 1);
    return true;
  }

  void take_binder(Tokens binder, bool instance) {
    const std::size_t colon = instance ? 0 : find_outside(binder, {":", "∈", ">", "<", "≤", "≥", "≠"});
    std::vector<std::string> names;
    for (std::size_t i = 0; i < colon && !instance; ++i)
      if (binder[i].kind == Kind::Word) names.push_back(binder[i].text);
    const Tokens type = colon < binder.size() && binder[colon].is(":") ? binder.subspan(colon + 1) : Tokens();
    const bool premise = !type.empty() && names.size() == 1 &&
                         (names[0].starts_with('h') ||
                          find_outside(type, {"=", "≤", "<", "≠", "∣", "↔", "∈", "≥", ">"}) < type.size());
    if (premise) {
      premises_.push_back(type);
      variables_.emplace(names[0], "");
      return;
    }
    const bool simple = type.size() == 1 && !constant_in(type[0]).empty();
    for (const std::string& name : names) variables_.emplace(name, simple ? constant_in(type[0]) : "");
  }

  std::string constant_in(const TermToken& token) const {
    if (token.kind == Kind::Symbol) return std::string(constant_of(token.text));
    if (token.kind != Kind::Word || is_variable(token.text) || is_lean_keyword(token.text)) return "";
    const std::string_view known = constant_of(token.text);  // ℕ is a letter
    return std::string(known.empty() ? token.text : known);
  }

  bool is_variable(const std::string& word) const {
    return variables_.contains(word) || (looks_like_variable(word) && constant_of(word).empty());
  }

  std::string rendered_all(TypePattern& pattern) {
    std::string text;
    for (const Tokens premise : premises_) text += rendered(premise, pattern) + " → ";
    return text + rendered(rest_, pattern);
  }

  // Renders tokens as a pattern and adds their constants to `pattern`.
  std::string rendered(Tokens tokens, TypePattern& pattern) {
    std::string text;
    std::set<std::string> bound;
    bool binding = false;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const TermToken& token = tokens[i];
      if (i > 0 && token.after_blank) text += ' ';
      if (binding && (token.is(",") || token.is("=>") || token.is("↦") || token.is(":") || token.is("∈")))
        binding = false;
      if (binding && token.kind == Kind::Word) bound.insert(token.text);
      if (binds(token)) binding = true;
      text += rendered(token, bound, pattern);
    }
    return text;
  }

  std::string rendered(const TermToken& token, const std::set<std::string>& bound, TypePattern& pattern) {
    if (token.kind == Kind::Symbol) {
      add_once(pattern.constants, constant_of(token.text));
      return token.text;
    }
    if (token.kind != Kind::Word || bound.contains(token.text)) return token.text;
    // A field of a variable, `l.length`, does not tell its constant.
    const std::string root = token.text.substr(0, token.text.find('.'));
    if (root != token.text && is_variable(root)) return bound.contains(root) ? token.text : "_";
    if (!is_variable(token.text)) {
      const std::string constant = constant_in(token);
      add_once(pattern.constants, constant);
      return constant.empty() ? token.text : constant;
    }
    const std::string variable = "?" + writable(token.text);
    const auto type = variables_.find(token.text);
    if (type == variables_.end() || type->second.empty()) return variable;
    add_once(pattern.constants, type->second);
    if (!ascribes_) return variable;
    return "(" + variable + " : " + std::exchange(type->second, "") + ")";  // once is enough
  }

  Variables variables_;
  std::vector<Tokens> premises_;
  Tokens rest_;
  std::string loogle_;
  bool ascribes_ = false;  ///< write `(?a : Nat)` at the first occurrence
};

// Loosest first: the first one outside brackets is the head.
constexpr std::initializer_list<std::string_view> kLevels[] = {
    {"↔"},      {"∨"},
    {"∧"},      {"=", "≠", "≤", "<", "≥", ">", "∣", "∈", "∉", "⊆", "⊂", "≃", "≈", "≡"},
    {"∪", "∩"}, {"++", "::"},
    {"+", "-"}, {"*", "/", "%", "×"},
    {"^"},      {"∘"}};

}  // namespace

std::size_t after_bracket(Tokens tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    depth += opens(tokens[i]) ? 1 : closes(tokens[i]) ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return tokens.size();
}

std::string conclusion_of(Tokens tokens, const Variables& variables) {
  while (!tokens.empty() && tokens[0].is("⊢")) tokens = tokens.subspan(1);
  if (find_outside(tokens, {"↔"}) < tokens.size()) return "Iff";
  for (std::size_t arrow; (arrow = find_outside(tokens, {"→"})) < tokens.size();)
    tokens = tokens.subspan(arrow + 1);
  while (!tokens.empty() && tokens[0].is("∀")) {
    const std::size_t comma = find_outside(tokens, {","});
    tokens = comma < tokens.size() ? tokens.subspan(comma + 1) : Tokens();
    for (std::size_t arrow; (arrow = find_outside(tokens, {"→"})) < tokens.size();)
      tokens = tokens.subspan(arrow + 1);
  }
  // All of it is in one pair of brackets.
  if (tokens.size() > 2 && tokens[0].is("(") && after_bracket(tokens, 0) == tokens.size() &&
      closes(tokens.back()))
    return conclusion_of(tokens.subspan(1, tokens.size() - 2), variables);
  if (tokens.empty()) return "";
  if (tokens[0].is("∃")) return "Exists";
  for (const auto& level : kLevels) {
    const std::size_t at = find_outside(tokens, level);
    if (at < tokens.size()) return std::string(constant_of(tokens[at].text));
  }
  if (tokens[0].is("¬")) return "Not";
  const TermToken& head = tokens[0];
  if (head.kind != Kind::Word || variables.contains(head.text) || is_lean_keyword(head.text)) return "";
  if (const std::string_view known = constant_of(head.text); !known.empty()) return std::string(known);
  return looks_like_variable(head.text) ? "" : head.text;
}

namespace {

// The tokens as text, in Lean's symbols.
std::string written_text(Tokens tokens) {
  std::string text;
  for (const TermToken& token : tokens) {
    if (token.after_blank && !text.empty()) text += ' ';
    text += token.text;
  }
  return text;
}

}  // namespace

TypePattern pattern_of(Tokens tokens, Variables known) {
  TypePattern pattern = StatementReader(tokens, std::move(known)).read();
  pattern.patterns = {written_text(tokens)};
  return pattern;
}

TypePattern pattern_of_filters(Tokens tokens) {
  TypePattern all;
  // The commas of `∀ x,` and `∃ x,` do not separate filters.
  std::size_t begin = 0;
  bool refused = false;
  const auto take = [&](std::size_t end) {
    const Tokens filter = tokens.subspan(begin, end - begin);
    if (filter.empty()) return;
    if (!all.loogle.empty()) all.loogle += ", ";
    if (filter.size() == 1 && filter[0].kind == Kind::String) {
      all.loogle += filter[0].text;
      if (const std::string part = filter[0].text.substr(1, filter[0].text.size() - 2); !part.empty())
        all.name_parts.push_back(part);
      return;
    }
    TypePattern one = pattern_of(filter);
    // A filter may lack constants if another filter has some.
    all.loogle += one.loogle.empty() ? one.text : one.loogle;
    refused = refused || one.text.size() > kMaxLoogleBytes;
    if (!all.text.empty() && !one.text.empty()) all.text += ", ";
    all.text += one.text;
    for (const std::string& constant : one.constants) add_once(all.constants, constant);
    if (all.patterns.size() < kMaxFilters) all.patterns.push_back(std::move(one.patterns.front()));
    if (all.conclusion.empty()) all.conclusion = one.conclusion;
  };
  int quantifiers = 0;
  for (std::size_t i = 0, depth = 0; i < tokens.size(); ++i) {
    if (depth == 0 && binds(tokens[i]) && tokens[i].kind == Kind::Symbol) ++quantifiers;
    if (depth == 0 && tokens[i].is(",")) {
      if (quantifiers > 0) {
        --quantifiers;
      } else {
        take(i);
        begin = i + 1;
      }
    }
    if (opens(tokens[i])) ++depth;
    if (closes(tokens[i]) && depth > 0) --depth;
  }
  take(tokens.size());
  const bool has_string =
      std::any_of(tokens.begin(), tokens.end(), [](const TermToken& t) { return t.kind == Kind::String; });
  if (refused || (all.constants.empty() && !has_string)) all.loogle.clear();
  return all;
}

// --- matching a type with a pattern

namespace {

constexpr std::size_t kMaxPattern = 80;
constexpr std::size_t kMaxType = 400;

constexpr double kWhole = 0.9;  // at least, if the pattern matches the conclusion
constexpr double kPart = 0.85;  // the pattern matches a part
constexpr double kAlike = 0.6;  // times the share of common constants

// Dice's coefficient of the multisets of constants and operators.
double likeness(Tokens left, Tokens right) {
  std::map<std::string, int> counts;
  std::size_t of_left = 0, of_right = 0, common = 0;
  const auto says = [](const TermToken& token) {
    return (token.kind == Kind::Symbol && !constant_of(token.text).empty()) || token.kind == Kind::Word ||
           token.kind == Kind::Number;
  };
  for (const TermToken& token : left)
    if (says(token)) ++counts[token.text], ++of_left;
  for (const TermToken& token : right)
    if (says(token)) {
      ++of_right;
      if (auto& count = counts[token.text]; count > 0) --count, ++common;
    }
  return of_left + of_right == 0
             ? 0
             : 2.0 * static_cast<double>(common) / static_cast<double>(of_left + of_right);
}

std::vector<TermToken> bounded(std::string_view text, std::size_t most) {
  auto tokens = term_tokens(text);
  if (tokens.size() > most) tokens.resize(most);
  return tokens;
}

}  // namespace

ReadType::ReadType(std::string_view type) : text(type) {
  const auto given = bounded(type, kMaxType);
  // A signature without its name begins with the binders or, without binders, with the colon.
  Tokens statement = given;
  if (!statement.empty() && statement[0].is(":")) statement = statement.subspan(1);
  pattern = pattern_of(statement);
  tokens = bounded(pattern.text, kMaxType);
}

double score_of_fit(double fit) {
  if (fit >= index::kWholeFit)
    return kWhole + (1 - kWhole) * (fit - index::kWholeFit) / (1 - index::kWholeFit);
  return fit >= index::kPartFit ? kPart : 0;
}

WantedType::WantedType(const TypePattern& wanted)
    : pattern_(bounded(wanted.text, kMaxPattern)), patterns_(wanted.patterns) {}

double WantedType::match(const ReadType& type) const {
  if (type.tokens.empty()) return 0;
  if (const double score = score_of_fit(patterns_.fit(type.text)); score > 0) return score;
  return pattern_.empty() ? 0 : kAlike * likeness(pattern_, type.tokens);
}

double type_match(const TypePattern& wanted, std::string_view type) {
  return WantedType(wanted).match(ReadType(type));
}

}  // namespace leanbridge::search
