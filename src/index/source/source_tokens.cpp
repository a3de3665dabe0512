#include "source_tokens.hpp"

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/text/word_list.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace leanbridge::index {
namespace {

using Kind = text::LeanTokenKind;

constexpr std::size_t kMaxMentioned = 40;
constexpr std::size_t kMaxLine = 4000;

constexpr auto kOpening = std::to_array<std::string_view>({"(", "{", "[", "⦃", "⟨", "@["});
constexpr auto kClosing = std::to_array<std::string_view>({")", "}", "]", "⦄", "⟩"});
constexpr auto kKeywords = std::to_array<std::string_view>(
    {"fun",     "λ",        "forall", "exists", "Type",  "Prop", "Sort", "let", "have", "show",
     "in",      "if",       "then",   "else",   "match", "with", "do",   "by",  "at",   "from",
     "extends", "deriving", "where",  "max",    "imax",  "u",    "v",    "w",   "this", "_"});

std::string_view head_of(std::string_view name) {
  return name.substr(0, name.find('.'));
}

}  // namespace

bool opens_bracket(std::string_view symbol) {
  return text::contains(kOpening, symbol);
}
bool closes_bracket(std::string_view symbol) {
  return text::contains(kClosing, symbol);
}

SourceTokens::SourceTokens(std::string_view source) : source_(source) {
  text::LeanLexer lexer(source);
  std::size_t line_start = 0;
  std::size_t scanned = 0;
  std::size_t last_line = std::string_view::npos;
  while (const auto token = lexer.next()) {
    // The last line break before the token.
    if (const std::size_t found = source.substr(scanned, token->begin - scanned).rfind('\n');
        found != std::string_view::npos)
      line_start = scanned + found + 1;
    scanned = token->begin;
    if (text::is_comment(token->kind)) continue;
    tokens_.push_back(*token);
    indents_.push_back(token->begin - line_start);
    const std::string_view before = source.substr(line_start, token->begin - line_start);
    first_.push_back(line_start != last_line && before.find_first_not_of(" \t") == std::string_view::npos);
    last_line = line_start;
  }
}

std::size_t SourceTokens::at(std::size_t offset) const {
  const auto found =
      std::lower_bound(tokens_.begin(), tokens_.end(), offset,
                       [](const text::LeanToken& token, std::size_t at) { return token.begin < at; });
  return static_cast<std::size_t>(found - tokens_.begin());
}

std::string_view SourceTokens::text(std::size_t i) const {
  return i < tokens_.size() ? source_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin)
                            : std::string_view();
}
std::string_view SourceTokens::word(std::size_t i) const {
  return i < tokens_.size() && tokens_[i].kind == Kind::Word ? text(i) : std::string_view();
}
std::string_view SourceTokens::symbol(std::size_t i) const {
  return i < tokens_.size() && tokens_[i].kind == Kind::Symbol ? text(i) : std::string_view();
}
bool SourceTokens::is_doc(std::size_t i) const {
  return i < tokens_.size() && tokens_[i].kind == Kind::DocComment && !text(i).starts_with("/-!");
}
bool SourceTokens::same_line(std::size_t i, std::size_t j) const {
  return j < tokens_.size() && tokens_[i].begin - indents_[i] == tokens_[j].begin - indents_[j];
}

std::size_t SourceTokens::skip_brackets(std::size_t i, std::size_t end) const {
  for (int depth = 0; i < end; ++i) {
    if (opens_bracket(symbol(i))) ++depth;
    if (closes_bracket(symbol(i)) && --depth <= 0) return i + 1;
  }
  return end;
}

std::string SourceTokens::one_line(std::size_t begin, std::size_t end) const {
  std::string line;
  for (std::size_t i = begin; i < end; ++i) {
    if (tokens_[i].kind == Kind::DocComment) continue;
    if (line.size() > kMaxLine) return line + " …";
    const bool apart = i > 0 && tokens_[i].begin != tokens_[i - 1].end;
    if (apart && !line.empty()) line += ' ';
    if (text(i).size() > kMaxLine) return line + " …";
    for (const char c : text(i)) line += c == '\n' || c == '\r' ? ' ' : c;
  }
  return line;
}

std::string docstring(std::string_view comment) {
  comment.remove_prefix(std::min<std::size_t>(3, comment.size()));
  if (comment.ends_with("-/")) comment.remove_suffix(2);
  return std::string(trimmed(comment));
}

std::vector<std::string> mentioned(const SourceTokens& tokens, std::size_t begin, std::size_t end,
                                   std::vector<std::string> bound) {
  static constexpr auto kBinders = std::to_array<std::string_view>({"∀", "∃", "λ", "Σ", "Π", "∃!"});
  std::unordered_set<std::string_view> local(bound.begin(), bound.end());
  std::vector<std::string> found;
  bool binding = false;  // between a binder and the end of its names
  for (std::size_t i = begin; i < end && found.size() < kMaxMentioned; ++i) {
    const std::string_view symbol = tokens.symbol(i), word = tokens.word(i);
    if (text::contains(kBinders, symbol) || word == "fun" || word == "forall" || word == "exists") {
      binding = true;
    } else if (symbol == ":" || symbol == "," || symbol == "=>" || symbol == "↦" || symbol == "∈") {
      binding = false;
    } else if (!word.empty() && binding) {
      local.insert(word);
    } else if (!word.empty() && !text::contains(kKeywords, word) && word.front() != '#') {
      const bool named_argument = tokens.symbol(i + 1) == ":=" && i > 0 && tokens.symbol(i - 1) == "(";
      const bool projection = i > 0 && tokens.symbol(i - 1) == "." && tokens[i - 1].end == tokens[i].begin;
      if (named_argument || projection || local.contains(head_of(word))) continue;
      if (std::find(found.begin(), found.end(), word) == found.end()) found.emplace_back(word);
    }
  }
  return found;
}

}  // namespace leanbridge::index
