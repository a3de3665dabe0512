#include "lean_quoting.hpp"

#include "command_words.hpp"
#include "core/base/try.hpp"
#include "lean_lexer.hpp"
#include "lean_names.hpp"
#include "lines.hpp"
#include "utf8.hpp"

#include <algorithm>

namespace leanbridge::text {

namespace {

bool is_command(std::string_view word) {
  return word.front() == '#' || is_command_word(word, kAlone);
}

bool is_alphabetic(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Whether Lean may find a command in a text that it may split into other tokens than the lexer, so that a
// literal or comment may be code.
bool may_hold_command(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool inside = at > 0 && is_alphabetic(text[at - 1]);
    if (inside || !(text[at] == '#' || is_alphabetic(text[at]))) continue;
    const std::string_view rest = text.substr(at);
    const auto end = std::find_if_not(rest.begin() + 1, rest.end(), is_alphabetic);
    const std::string_view word = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    if (word == "#" || !is_command(word)) continue;
    // `range.end` is a name, `1.end` is not.
    const std::size_t name = text.find_last_not_of("._'!?0123456789", at == 0 ? 0 : at - 1);
    const bool in_name =
        at > 1 && text[at - 1] == '.' && name != std::string_view::npos && is_alphabetic(text[name]);
    if (!in_name) return true;
  }
  return false;
}

// To Lean, a number ends with its digits, and a command may begin right there: `1theorem`.
bool begins_command_behind_digits(std::string_view number) {
  const bool prefixed = number.size() > 1 && number[0] == '0' &&
                        std::string_view("xXbBoO").find(number[1]) != std::string_view::npos;
  const bool hexadecimal = prefixed && (number[1] == 'x' || number[1] == 'X');
  std::size_t at = prefixed ? 2 : 0;
  at = std::min(number.find_first_not_of(hexadecimal ? "0123456789abcdefABCDEF_" : "0123456789._", at),
                number.size());
  for (; at < number.size(); ++at)
    if (is_command(number.substr(at))) return true;
  return false;
}

// Lean reads `'` and the text behind it as a character even if it turns out to be none, and then continues
// one or two code points further on.
bool begins_command_behind_quote(std::string_view rest) {
  for (int skipped = 0; skipped < 3 && !rest.empty(); ++skipped) {
    LeanLexer lexer(rest);
    const auto token = lexer.next();
    if (token && token->begin == 0 && token->kind == LeanTokenKind::Word &&
        is_command(rest.substr(0, token->end)))
      return true;
    do rest.remove_prefix(1);
    while (!rest.empty() && is_continuation_byte(rest.front()));
  }
  return false;
}

// Whether it has an escape that Lean's quotedCharFn (src/Lean/Parser/Basic.lean) does not know. A string gap
// may contain an error, too.
bool has_unknown_escape(std::string_view literal) {
  constexpr std::string_view kHex = "0123456789abcdefABCDEF";
  for (std::size_t at = literal.find('\\'); at != std::string_view::npos; at = literal.find('\\', at + 2)) {
    const char c = at + 1 < literal.size() ? literal[at + 1] : '\0';
    const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : 0;
    const std::string_view code = literal.substr(std::min(at + 2, literal.size()), digits);
    const bool known = digits == 0
                           ? std::string_view("\\\"'rnt").find(c) != std::string_view::npos
                           : code.size() == digits && code.find_first_not_of(kHex) == std::string_view::npos;
    if (!known) return true;
  }
  return false;
}

// Whether Lean may read other tokens here: in a hole of a string, after an error in a literal, and where one
// of its symbols includes the first character: `//-1`, `]'h'`.
bool is_doubtful(const LeanToken& token, std::string_view word, bool after_symbol) {
  switch (token.kind) {
    case LeanTokenKind::String:
      return word.front() != 'r' && (word.find('{') != std::string_view::npos || has_unknown_escape(word));
    case LeanTokenKind::Char:
      return after_symbol || word == "'''" || has_unknown_escape(word) ||
             (word[1] == '\\' && word.size() > 4 && word[2] != 'x' && word[2] != 'u');
    case LeanTokenKind::LineComment:
    case LeanTokenKind::BlockComment:
      return after_symbol;
    case LeanTokenKind::Symbol:
      return word == "'";
    default:
      return false;
  }
}

bool has_control(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < ' '; });
}

bool is_word(std::string_view part) {
  LeanLexer lexer(part);
  const auto token = lexer.next();
  return token && token->kind == LeanTokenKind::Word && token->begin == 0 && token->end == part.size() &&
         part.front() != '#' && !has_control(part) && part.find('.') == std::string_view::npos &&
         !has_quotes(part);
}

tl::unexpected<Error> not_a_name(const std::string& name) {
  return fail(ErrorKind::InvalidArgument, "'" + name.substr(0, 80) + "' is not the name of a declaration.",
              "Pass one name, such as Nat.add_comm; for a term use lean_check_type.");
}

// Puts a part between « and ». An error if the part itself contains guillemets or control characters.
Result<std::string> quoted(std::string_view part, const std::string& name) {
  const std::string_view inner = unquoted(part);
  if (inner.empty() || has_control(inner) || has_quotes(inner)) return not_a_name(name);
  return std::string(kOpenQuote).append(inner).append(kCloseQuote);
}

// "column 4", with the line if there are several; both from 1, in characters.
std::string place_in(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const int number = line_number(text, offset);
  const std::string_view line = before.substr(before.rfind('\n') + 1);
  const std::string column = "column " + std::to_string(count_code_points(line) + 1);
  return number == 1 ? column : "line " + std::to_string(number) + ", " + column;
}

tl::unexpected<Error> not_a_term(const std::string& why) {
  return fail(ErrorKind::InvalidArgument, "The expression is not one term: " + why + ".",
              "Pass one term; commands cannot be run here.");
}

// Reads an expression token by token, and finds reasons why it is not a single term.
class TermScan {
 public:
  // Adds a line break, into which unterminated tokens extend.
  explicit TermScan(const std::string& expression)
      : expression_(expression), source_(expression + "\n"), symbol_end_(source_.size()) {}

  // Why it is not a single term; empty: no reason is known.
  std::string problem() {
    LeanLexer lexer(source_);
    while (const auto token = lexer.next()) {
      const std::string_view word = std::string_view(source_).substr(token->begin, token->end - token->begin);
      is_empty_ = is_empty_ && is_comment(token->kind);
      std::string why = shape_problem(*token, word);
      if (why.empty()) why = command_problem(*token, word);
      if (why.empty() && token->kind == LeanTokenKind::Symbol && !take_bracket(word))
        why = "its brackets do not match";
      if (!why.empty()) return why;
    }
    if (is_empty_) return "it is empty";
    if (is_doubtful_ && may_hold_command(expression_))
      return "Lean may read a command in one of its strings, characters or comments";
    return open_.empty() ? "" : "its brackets do not match";
  }

 private:
  // A reason in the form of the token, which excludes it from every term.
  std::string shape_problem(const LeanToken& token, std::string_view word) const {
    // Only some versions of Lean read `/--/` as an empty comment.
    if (token.kind == LeanTokenKind::DocComment || word.starts_with("/--"))
      return "it contains a documentation comment";
    if (token.end > expression_.size()) {
      const std::string what = token.kind == LeanTokenKind::BlockComment ? "comment"
                               : token.kind == LeanTokenKind::String     ? "string"
                                                                         : "name";
      return "the " + what + " that begins at " + place_in(expression_, token.begin) + " is not terminated";
    }
    if (token.kind == LeanTokenKind::Word && has_control(word)) return "it contains a name with a line break";
    return {};
  }

  std::string command_problem(const LeanToken& token, std::string_view word) {
    const bool after_symbol = token.begin == symbol_end_;
    is_doubtful_ = is_doubtful_ || is_doubtful(token, word, after_symbol);
    // No symbol of Lean continues after one of these.
    const bool alone = word == "(" || word == "[" || word == "{" || word == "," || word == "⟨";
    if (token.kind == LeanTokenKind::Symbol && !alone) symbol_end_ = token.end;
    if (hides_command(token, word, after_symbol))
      return "Lean may read a command in or after `" + std::string(word) + "`";
    // `#[1, 2]` and `#v[1, 2]` are terms.
    const bool literal = (word == "#" || word == "#v") && source_[token.end] == '[';
    const bool may_begin = token.kind == LeanTokenKind::Word || word == "#";
    if (!literal && may_begin && is_command(word)) return "`" + std::string(word) + "` begins a command";
    return {};
  }

  bool hides_command(const LeanToken& token, std::string_view word, bool after_symbol) const {
    // `→r` is a symbol.
    const bool may_be_split = token.kind == LeanTokenKind::Word && after_symbol && word.size() > 1 &&
                              static_cast<unsigned char>(source_[token.begin - 1]) >= 0x80;
    if (may_be_split && is_command(word.substr(1))) return true;
    if (token.kind == LeanTokenKind::Number && begins_command_behind_digits(word)) return true;
    return word == "'" && !(after_symbol && source_[token.begin - 1] == ']') &&
           begins_command_behind_quote(std::string_view(source_).substr(token.end));
  }

  // Returns false if the word closes a bracket other than the innermost open one.
  bool take_bracket(std::string_view word) {
    if (word == "(" || word == "[" || word == "{") open_ += word[0];
    if (word == "@[") open_ += '[';
    if (word != ")" && word != "]" && word != "}") return true;
    const char wanted = word == ")" ? '(' : word == "]" ? '[' : '{';
    if (open_.empty() || open_.back() != wanted) return false;
    open_.pop_back();
    return true;
  }

  const std::string& expression_;
  const std::string source_;
  std::string open_;        // brackets that are not closed yet
  std::size_t symbol_end_;  // the end of the previous token, if that is a symbol
  bool is_empty_ = true, is_doubtful_ = false;
};

}  // namespace

Result<std::string> quote_name(std::string name) {
  const std::size_t first = name.find_first_not_of(" \t\n");
  const std::size_t last = name.find_last_not_of(" \t\n");
  if (first == std::string::npos) return not_a_name(name);
  name = name.substr(first, last - first + 1);
  if (name.front() == '@') name.erase(0, 1);
  std::string result;
  for (const std::string_view part : parts_of(name)) {
    const bool plain =
        !part.empty() && is_word(part) && !is_command(part) && !is_command_word(part, kInTerms);
    TRY(const auto spelt, plain ? Result<std::string>(part) : quoted(part, name));
    result += (result.empty() ? "" : ".") + spelt;
  }
  return result;
}

Result<std::string> parenthesize_term(const std::string& expression, std::size_t indent) {
  if (const std::string problem = TermScan(expression).problem(); !problem.empty())
    return not_a_term(problem);
  std::string term = "(";
  for (const char c : expression) {
    term += c;
    if (c == '\n') term.append(indent, ' ');
  }
  // Close on a separate line, so that a comment on the last line does not swallow the parenthesis.
  return term + "\n" + std::string(indent, ' ') + ")";
}

bool is_lean_name(std::string_view name) {
  if (name.empty() || name.front() == '#' || name.back() == '.' || name.front() == '.') return false;
  if (std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; }))
    return false;
  const auto marks = [&](std::string_view mark) {
    int count = 0;
    for (std::size_t at = name.find(mark); at != std::string_view::npos; at = name.find(mark, at + 1))
      ++count;
    return count;
  };
  if (marks(kOpenQuote) != marks(kCloseQuote)) return false;
  LeanLexer lexer(name);
  const auto token = lexer.next();
  return token && token->kind == LeanTokenKind::Word && token->begin == 0 && token->end == name.size();
}

}  // namespace leanbridge::text
