#include "lean_terms.hpp"

#include "leanbridge/text/lean_lexer.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace leanbridge::search {

namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// Longest first: the first match wins.
constexpr Pair kSpellings[] = {
    {"\\leftrightarrow", "↔"},
    {"\\subseteq", "⊆"},
    {"\\forall", "∀"},
    {"\\exists", "∃"},
    {"\\oplus", "+"},
    {"\\lambda", "fun"},
    {"\\vdash", "⊢"},
    {"\\times", "*"},
    {"\\cdot", "*"},
    {"\\circ", "∘"},
    {"\\land", "∧"},
    {"\\lnot", "¬"},
    {"\\and", "∧"},
    {"\\leq", "≤"},
    {"\\geq", "≥"},
    {"\\neq", "≠"},
    {"\\iff", "↔"},
    {"\\lor", "∨"},
    {"\\not", "¬"},
    {"\\mid", "∣"},
    {"\\cup", "∪"},
    {"\\cap", "∩"},
    {"\\le", "≤"},
    {"\\ge", "≥"},
    {"\\ne", "≠"},
    {"\\to", "→"},
    {"\\or", "∨"},
    {"\\in", "∈"},
    {"<->", "↔"},
    {"<=>", "↔"},
    {"->", "→"},
    {"<=", "≤"},
    {">=", "≥"},
    {"!=", "≠"},
    {"/\\", "∧"},
    {"\\/", "∨"},
    {"|-", "⊢"},
    {"⊕", "+"},
    {"·", "*"},
    {"⋅", "*"},
    {"−", "-"},
    {"λ", "fun"},
    {"++", "++"},
    {"::", "::"},
    {":=", ":="},
    {"=>", "=>"},
    {"==", "=="},
    {"&&", "&&"},
    {"||", "||"},
};

constexpr Pair kConstants[] = {
    {"+", "HAdd.hAdd"},
    {"*", "HMul.hMul"},
    {"-", "HSub.hSub"},
    {"/", "HDiv.hDiv"},
    {"^", "HPow.hPow"},
    {"%", "HMod.hMod"},
    {"=", "Eq"},
    {"≠", "Ne"},
    {"≤", "LE.le"},
    {"<", "LT.lt"},
    {"≥", "GE.ge"},
    {">", "GT.gt"},
    {"∧", "And"},
    {"∨", "Or"},
    {"¬", "Not"},
    {"↔", "Iff"},
    {"∃", "Exists"},
    {"∣", "Dvd.dvd"},
    {"∈", "Membership.mem"},
    {"∉", "Membership.mem"},
    {"∪", "Union.union"},
    {"∩", "Inter.inter"},
    {"⊆", "HasSubset.Subset"},
    {"⊂", "HasSSubset.SSubset"},
    {"++", "HAppend.hAppend"},
    {"::", "List.cons"},
    {"×", "Prod"},
    {"∘", "Function.comp"},
    {"ℕ", "Nat"},
    {"ℤ", "Int"},
    {"ℚ", "Rat"},
    {"ℝ", "Real"},
    {"ℂ", "Complex"},
    {"≃", "Equiv"},
    {"∅", "EmptyCollection.emptyCollection"},
    {"==", "BEq.beq"},
    {"&&", "and"},
    {"||", "or"},
    {"≡", "Nat.ModEq"},
    {"∑", "Finset.sum"},
    {"∏", "Finset.prod"},
    {"⁻¹", "Inv.inv"},
    {"\\", "SDiff.sdiff"},
    {"≈", "HasEquiv.Equiv"},
};

constexpr std::string_view kKeywords[] = {"fun",   "let",  "in",   "if",   "then", "else",
                                          "match", "with", "Type", "Prop", "Sort", "have",
                                          "show",  "from", "by",   "at",   "do"};

struct CodePoint {
  char32_t value = 0;
  std::size_t size = 1;
};

// The code point at `at` of valid UTF-8; of anything else, one byte.
CodePoint code_point(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  const std::size_t size = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (size == 1 || at + size > text.size()) return {first, 1};
  char32_t value = first & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) value = (value << 6) | (byte(at + i) & 0x3FU);
  return {value, size};
}

bool is_ascii_letter(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char32_t c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char32_t c) {
  if (c < 0x80) return is_ascii_letter(c);
  if (c == U'λ' || c == U'Π' || c == U'Σ' || c == U'×' || c == U'÷') return false;
  return (c >= 0xC0 && c <= 0x24F) || (c >= 0x370 && c <= 0x3FF) || (c >= 0x1F00 && c <= 0x1FFE) ||
         (c >= 0x2100 && c <= 0x214F) || (c >= 0x1D49C && c <= 0x1D59F) ||
         // Other scripts, for prose: Cyrillic to Georgian, Chinese, Japanese, Korean.
         (c >= 0x400 && c <= 0x10FF) || (c >= 0x3040 && c <= 0x9FFF) || (c >= 0xAC00 && c <= 0xD7AF);
}

bool is_subscript(char32_t c) {
  return (c >= 0x2080 && c <= 0x2089) || (c >= 0x2090 && c <= 0x209C) || (c >= 0x1D62 && c <= 0x1D6A);
}

// Whether it may continue a word. A dagger marks inaccessible names.
bool continues_word(char32_t c) {
  return is_letter(c) || is_digit(c) || is_subscript(c) || c == '_' || c == '\'' || c == U'✝';
}

std::size_t end_of_part(std::string_view text, std::size_t at) {
  if (text.substr(at).starts_with("«")) {
    const std::size_t close = text.find("»", at);
    return close == std::string_view::npos ? text.size() : close + std::string_view("»").size();
  }
  while (at < text.size()) {
    const CodePoint c = code_point(text, at);
    if (!continues_word(c.value)) break;
    at += c.size;
  }
  return at;
}

bool begins_part(std::string_view text, std::size_t at) {
  return at < text.size() && (text.substr(at).starts_with("«") || text[at] == '_' ||
                              is_letter(code_point(text, at).value) || is_digit(code_point(text, at).value));
}

// Words may be dotted. A hyphen joins words of prose (Cauchy-Schwarz, p-adic, 2-categories); elsewhere it is
// a minus.
std::size_t end_of_word(std::string_view text, std::size_t begin) {
  std::size_t at = end_of_part(text, begin);
  while (at < text.size()) {
    const std::size_t next = at + 1;
    const bool dot = text[at] == '.' && begins_part(text, next);
    const std::size_t end = begins_part(text, next) ? end_of_part(text, next) : next;
    const std::string_view before = text.substr(begin, at - begin), after = text.substr(next, end - next);
    const bool prefix = before.size() == 1 && after.size() >= 4;
    const bool hyphen = text[at] == '-' && looks_like_prose(after) &&
                        (prefix || (before.size() >= 2 && after.size() >= 2 && looks_like_prose(before)));
    if (!dot && !hyphen) break;
    at = end;
  }
  return at;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<TermToken> run() {
    while (at_ < text_.size()) {
      if (text::is_white_space(text_[at_])) {
        blank_ = true;
        ++at_;
        continue;
      }
      scan();
    }
    return std::move(tokens_);
  }

 private:
  using Kind = TermToken::Kind;

  void take(Kind kind, std::size_t end, std::string_view text = {}) {
    TermToken token;
    token.kind = kind;
    token.text = text.empty() ? std::string(text_.substr(at_, end - at_)) : std::string(text);
    token.begin = at_;
    token.end = end;
    token.after_blank = std::exchange(blank_, false);
    tokens_.push_back(std::move(token));
    at_ = end;
  }

  void scan() {
    const char c = text_[at_];
    const CodePoint point = code_point(text_, at_);
    if (c == '"') {
      const std::size_t close = text_.find('"', at_ + 1);
      if (close != std::string_view::npos) return take(Kind::String, close + 1);
    }
    if (c == '?' && at_ + 1 < text_.size() && begins_part(text_, at_ + 1) &&
        !is_digit(code_point(text_, at_ + 1).value))
      return take(Kind::Meta, end_of_part(text_, at_ + 1));
    if (is_digit(point.value)) {
      std::size_t end = at_;
      while (end < text_.size() && is_digit(code_point(text_, end).value)) ++end;
      return take(Kind::Number, end);
    }
    // No spelling begins with a letter; most of a text does.
    for (const auto& [spelling, symbol] : kSpellings)
      if (!is_ascii_letter(point.value) && text_.substr(at_).starts_with(spelling))
        return take(symbol == "fun" ? Kind::Word : Kind::Symbol, at_ + spelling.size(), symbol);
    if (text_.substr(at_).starts_with("⁻¹")) return take(Kind::Symbol, at_ + std::string_view("⁻¹").size());
    if (begins_part(text_, at_)) {
      const std::size_t end = end_of_word(text_, at_);
      return take(text_.substr(at_, end - at_) == "_" ? Kind::Hole : Kind::Word, end);
    }
    take(Kind::Symbol, at_ + point.size);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool blank_ = false;
  std::vector<TermToken> tokens_;
};

}  // namespace

std::vector<TermToken> term_tokens(std::string_view text) {
  return Scanner(text).run();
}

std::string_view constant_of(std::string_view symbol) {
  for (const auto& [known, constant] : kConstants)
    if (known == symbol) return constant;
  return {};
}

bool is_operator(const TermToken& token) {
  using Token = TermToken::Kind;
  if (token.kind == Token::Meta || token.kind == Token::Hole) return true;
  if (token.kind == Token::Word) return token.text == "fun";
  if (token.kind != Token::Symbol) return false;
  static constexpr std::string_view kOthers[] = {"→", "⊢", "∀", "∑", "∏", "↦", "=>",
                                                 "⟨", "⋃", "⋂", "•", "⊔", "⊓", "≅"};
  return !constant_of(token.text).empty() ||
         std::find(std::begin(kOthers), std::end(kOthers), token.text) != std::end(kOthers);
}

int tightness(const TermToken& token) {
  using Level = std::pair<int, std::string_view>;
  static constexpr Level kLevels[] = {
      {0, ","},  {0, ":"},  {0, "=>"},  {0, "↦"},  {0, "∀"},   {0, "∃"},  {20, "↔"}, {25, "→"},
      {30, "∨"}, {35, "∧"}, {35, "×"},  {40, "¬"}, {50, "="},  {50, "≠"}, {50, "≤"}, {50, "<"},
      {50, "≥"}, {50, ">"}, {50, "∣"},  {50, "∈"}, {50, "∉"},  {50, "⊆"}, {50, "⊂"}, {50, "≃"},
      {50, "≈"}, {50, "≡"}, {50, "=="}, {65, "∪"}, {65, "++"}, {65, "+"}, {65, "-"}, {67, "::"},
      {70, "∩"}, {70, "*"}, {70, "/"},  {70, "%"}, {75, "^"},  {90, "∘"}};
  if (token.kind == TermToken::Kind::Symbol)
    for (const auto& [level, symbol] : kLevels)
      if (symbol == token.text) return level;
  return kApplication;
}

bool looks_like_name(std::string_view word) {
  if (word.find("«") != std::string_view::npos || word.find('.') != std::string_view::npos) return true;
  if (word.find('_') != std::string_view::npos && word != "_") return true;
  bool lower = false;
  for (const char c : word) {
    if (lower && c >= 'A' && c <= 'Z') return true;
    lower = c >= 'a' && c <= 'z';
  }
  return false;
}

bool looks_like_variable(std::string_view word) {
  if (word.empty() || word == "π") return false;
  const CodePoint first = code_point(word, 0);
  if (!is_letter(first.value) || (first.value >= 0x2100 && first.value <= 0x214F)) return false;
  for (std::size_t at = first.size; at < word.size();) {
    const CodePoint c = code_point(word, at);
    if (!is_digit(c.value) && !is_subscript(c.value) && c.value != '\'' && c.value != U'✝') return false;
    at += c.size;
  }
  return true;
}

bool looks_like_prose(std::string_view word) {
  if (looks_like_name(word)) return false;
  for (std::size_t at = 0; at < word.size();) {
    const CodePoint c = code_point(word, at);
    const bool inside = at > 0 && (c.value == '\'' || c.value == '-');
    if (!is_letter(c.value) && !inside) return false;
    at += c.size;
  }
  return !word.empty();
}

bool is_lean_keyword(std::string_view word) {
  return std::find(std::begin(kKeywords), std::end(kKeywords), word) != std::end(kKeywords);
}

}  // namespace leanbridge::search
