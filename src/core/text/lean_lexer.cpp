#include "lean_lexer.hpp"

#include "command_words.hpp"
#include "lean_names.hpp"
#include "utf8.hpp"
#include "word_list.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <utility>

namespace leanbridge::text {
namespace {

// How deep interpolated strings may be nested in holes of interpolated strings: bounds the recursion.
constexpr int kMaxHoleDepth = 32;

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 0;  // 0 at the end of the text
};

/// The code point at `at`; an invalid byte gives U+FFFD with one byte.
CodePoint decode(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80U) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : lead >= 0xC0U ? 2 : 1;
  if (bytes == 1 || at + bytes > text.size()) return {0xFFFDU, 1};
  std::uint32_t value = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!is_continuation_byte(text[at + i])) return {0xFFFDU, 1};
    value = (value << 6U) | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
  }
  // Reject overlong forms: an overlong digit would begin a number without a digit byte.
  constexpr std::array<std::uint32_t, 5> kMinValue = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kMinValue[bytes]) return {0xFFFDU, 1};
  return {value, bytes};
}

bool is_ascii_digit(std::uint32_t c) {
  return c >= '0' && c <= '9';
}
bool is_ascii_letter(std::uint32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Whether it lies in one of the intervals, of each of which the first and the last character are given.
template <std::size_t N>
bool is_in(const std::array<std::uint32_t, N>& ends, std::uint32_t c) {
  for (std::size_t i = 0; i < N; i += 2)
    if (ends[i] <= c && c <= ends[i + 1]) return true;
  return false;
}

/// Lean's `isLetterLike` (Init/Meta): Greek except λ Π Σ, accented Latin except × ÷, letter-like symbols,
/// script and fraktur letters.
bool is_letter_like(std::uint32_t c) {
  static constexpr auto kLetters = std::to_array<std::uint32_t>(
      {0x3B1,  0x3BA,  0x3BC,  0x3C9,   0x391,   0x39F, 0x3A1, 0x3A2, 0x3A4, 0x3A9, 0x3CA, 0x3FB, 0x1F00,
       0x1FFE, 0x2100, 0x214F, 0x1D49C, 0x1D59F, 0xC0,  0xD6,  0xD8,  0xF6,  0xF8,  0xFF,  0x100, 0x17F});
  return is_in(kLetters, c);
}

/// Lean's `isSubScriptAlnum`.
bool is_subscript(std::uint32_t c) {
  static constexpr auto kSubscripts =
      std::to_array<std::uint32_t>({0x2080, 0x2089, 0x2090, 0x209C, 0x1D62, 0x1D6A, 0x2C7C, 0x2C7C});
  return is_in(kSubscripts, c);
}

bool begins_word(std::uint32_t c) {
  return is_ascii_letter(c) || c == '_' || is_letter_like(c);
}

bool continues_word(std::uint32_t c) {
  return begins_word(c) || is_ascii_digit(c) || c == '\'' || c == '!' || c == '?' || is_subscript(c);
}

constexpr std::uint32_t kOpenName = 0xAB;  // «

/// Lean's own commands that begin with `#`. Any other word with `#` is read as one token.
constexpr auto kHashCommands =
    std::to_array<std::string_view>({"#check",        "#check_failure",  "#check_simp",
                                     "#check_tactic", "#discr_tree_key", "#discr_tree_simp_key",
                                     "#eval",         "#eval!",          "#exit",
                                     "#guard",        "#guard_expr",     "#guard_msgs",
                                     "#guard_panic",  "#import_path",    "#print",
                                     "#reduce",       "#synth",          "#version",
                                     "#where",        "#with_exporting"});

/// Whether the word ends with a keyword, which would be a word of its own if a token ended within this one:
/// `→raxiom`, where `→r` is a token.
bool ends_in_keyword(std::string_view word) {
  if (word.find('.') != std::string_view::npos) return false;
  const auto ends_it = [&](std::string_view keyword) { return word != keyword && word.ends_with(keyword); };
  return std::ranges::any_of(kProofWords, ends_it) ||
         std::ranges::any_of(kCommandWords, [&](const auto& each) {
           return (each.kinds & kAlone) != 0 && ends_it(each.word);
         });
}

}  // namespace

std::size_t size_of_name_character(std::string_view text, std::size_t at) {
  const CodePoint c = decode(text, at);
  return c.bytes > 0 && continues_word(c.value) ? c.bytes : 0;
}

bool begins_name(std::string_view text, std::size_t at) {
  const CodePoint c = decode(text, at);
  return c.bytes > 0 && begins_word(c.value);
}

std::optional<LeanToken> LeanLexer::next() {
  const std::size_t begin = skip_blank(at_);
  if (begin == source_.size()) {
    at_ = begin;
    return std::nullopt;
  }
  const LeanToken token = scan(begin, before_, 0);
  before_ = as_before(token, before_);
  at_ = token.end;
  return token;
}

LeanLexer::Before LeanLexer::as_before(const LeanToken& token, const Before& last) const {
  return {token.kind, token.begin, token.end, is_behind_symbol(token.begin, last)};
}

/// Whether the text at `at` may belong to the token before, since a token of Lean may be longer than ours. No
/// token continues a bracket, a comma or a dot.
bool LeanLexer::is_behind_symbol(std::size_t at, const Before& before) const {
  if (before.end != at || before.kind != LeanTokenKind::Symbol) return false;
  const std::string_view symbol = source_.substr(before.begin, before.end - before.begin);
  return symbol.size() > 1 ? symbol != "⟨" && symbol != "⟩" && symbol != "@["
                           : std::string_view("()[]{},;.").find(symbol[0]) == std::string_view::npos;
}

constexpr std::string_view kLongerToken = "a token may be longer than it seems";

LeanToken LeanLexer::scan(std::size_t begin, const Before& before, int depth) {
  const auto token = [begin](LeanTokenKind kind, std::size_t end) { return LeanToken{kind, begin, end}; };
  if (looking_at(begin, "--") || looking_at(begin, "/-")) return comment(begin, before);
  const CodePoint c = decode(source_, begin);
  if (c.value == '"') return token(LeanTokenKind::String, end_of_string(begin, before, depth));
  if (c.value == '\'') return char_or_quote(begin, before);
  if (is_ascii_digit(c.value)) return token(LeanTokenKind::Number, end_of_number(begin, before));
  if (const auto end = c.value == 'r' ? end_of_raw_string(begin + 1) : std::nullopt) {
    if (is_behind_symbol(begin, before)) doubt(begin, kLongerToken);
    return token(LeanTokenKind::String, *end);
  }
  if (begins_word(c.value) || c.value == kOpenName) {
    const std::size_t end = end_of_word(begin);
    if (is_behind_symbol(begin, before) && ends_in_keyword(source_.substr(begin, end - begin)))
      doubt(begin, kLongerToken);
    return token(LeanTokenKind::Word, end);
  }
  if (c.value == '#' && is_ascii_letter(decode(source_, begin + 1).value)) return hash_token(begin, before);
  if (c.value == 0xFFFDU && !looking_at(begin, "\xEF\xBF\xBD")) doubt(begin, "it is no UTF-8");
  return token(LeanTokenKind::Symbol, end_of_symbol(begin));
}

LeanToken LeanLexer::comment(std::size_t begin, const Before& before) {
  if (is_behind_symbol(begin, before)) doubt(begin, kLongerToken);
  if (looking_at(begin, "--"))
    return {LeanTokenKind::LineComment, begin, std::min(source_.find('\n', begin), source_.size())};
  const bool is_empty = looking_at(begin, "/--/");
  if (is_empty) doubt(begin, "only some versions of Lean read `/--/` as a comment");
  const char mark = at_or_nul(begin + 2);
  const bool is_doc = (mark == '-' || mark == '!') && !is_empty;
  return {is_doc ? LeanTokenKind::DocComment : LeanTokenKind::BlockComment, begin,
          end_of_block_comment(begin + 2, begin)};
}

LeanToken LeanLexer::char_or_quote(std::size_t begin, const Before& before) {
  // `]'` is one token of Lean.
  if (before.end == begin && before.kind == LeanTokenKind::Symbol && source_[begin - 1] == ']')
    return {LeanTokenKind::Symbol, begin, begin + 1};
  const auto end = end_of_char(begin + 1);
  if (!end) return {LeanTokenKind::Symbol, begin, end_of_quote(begin, before)};
  // `∑'` is a token of libraries.
  if (is_behind_symbol(begin, before) && static_cast<unsigned char>(source_[begin - 1]) >= 0x80U)
    doubt(begin, kLongerToken);
  return {LeanTokenKind::Char, begin, *end};
}

std::size_t LeanLexer::skip_blank(std::size_t at) {
  for (; at < source_.size() && is_white_space(source_[at]); ++at)
    if (source_[at] == '\t' || (source_[at] == '\r' && at_or_nul(at + 1) != '\n'))
      doubt(at, "a tab or a carriage return is an error to Lean");
  return at;
}

std::size_t LeanLexer::end_of_block_comment(std::size_t at, std::size_t begin) {
  for (std::size_t nesting = 1; at < source_.size();) {
    if (looking_at(at, "-/")) {
      at += 2;
      if (--nesting == 0) return at;
    } else if (looking_at(at, "/-")) {
      at += 2;
      ++nesting;
    } else {
      ++at;
    }
  }
  doubt(begin, "a comment does not end");
  return source_.size();
}

std::size_t LeanLexer::end_of_string(std::size_t begin, const Before& before, int depth) {
  const auto known = doubt_;
  bool has_hole = false;
  const std::size_t plain = end_of_plain_string(begin, has_hole);
  if (!has_hole) return plain;
  const auto plain_doubt = std::exchange(doubt_, known);
  const std::size_t interpolated = end_of_interpolated_string(begin, depth);
  // These are Lean's own prefixes; without its library (`prelude`) they do not exist.
  const std::string_view word = source_.substr(before.begin, before.end - before.begin);
  const bool is_interpolated = before.kind == LeanTokenKind::Word && !before.after_symbol &&
                               (word == "s!" || word == "m!" || word == "f!") &&
                               source_.find("prelude") == std::string_view::npos;
  if (plain != interpolated) differing_strings_ = true;
  if (is_interpolated) return interpolated;
  if (plain_doubt) doubt(plain_doubt->offset, plain_doubt->why);
  if (plain != interpolated) doubt(begin, "what is in the braces of a string may be code");
  // The lexer has counted any word with `!` before the string as such a prefix.
  return begin > 0 && source_[begin - 1] == '!' ? interpolated : plain;
}

/// `has_hole`: set if a brace in it could begin a hole.
std::size_t LeanLexer::end_of_plain_string(std::size_t begin, bool& has_hole) {
  for (std::size_t at = begin + 1; at < source_.size();) {
    const char c = source_[at];
    if (c == '"') return at + 1;
    if (c == '{') has_hole = true;
    at = c == '\\' ? end_of_escape(at, "\\\"'rnt") : at + 1;
    if (at <= source_.size() && source_[at - 1] == '{' && c == '\\') has_hole = true;
  }
  doubt(begin, "a string does not end");
  return source_.size();
}

std::size_t LeanLexer::end_of_interpolated_string(std::size_t begin, int depth) {
  for (std::size_t at = begin + 1; at < source_.size();) {
    const char c = source_[at];
    if (c == '"') return at + 1;
    if (c == '{' && depth >= kMaxHoleDepth) doubt(begin, "a string has strings in strings");
    if (c == '{' && depth < kMaxHoleDepth)
      at = end_of_hole(at + 1, depth + 1);
    else
      at = c == '\\' ? end_of_escape(at, "{\\\"'rnt") : at + 1;
  }
  doubt(begin, "a string does not end");
  return source_.size();
}

/// The end of an escape such as `\n` in a string, or of a line break that continues the string.
std::size_t LeanLexer::end_of_escape(std::size_t at, std::string_view quotable) {
  const char c = at_or_nul(at + 1);
  const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : 0;
  bool is_valid = quotable.find(c) != std::string_view::npos || c == '\n' || c == '\r' || digits > 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const char digit = at_or_nul(at + 2 + i);
    is_valid = is_valid && std::isxdigit(static_cast<unsigned char>(digit)) != 0;
  }
  if (c == '\n' || c == '\r') {
    const std::size_t behind = source_.find_first_not_of(" \t\r\n", at + 1);
    const std::string_view gap = source_.substr(at + 1, std::min(behind, source_.size()) - at - 1);
    is_valid = std::ranges::count(gap, '\n') == 1;
  }
  if (!is_valid || c == '\0') doubt(at, "an escape in a string is an error to Lean");
  return std::min(at + 2, source_.size());
}

/// The end of `{...}` in an interpolated string. A hole is code: its braces match, and its strings may
/// contain braces.
std::size_t LeanLexer::end_of_hole(std::size_t at, int depth) {
  Before before;
  for (int braces = 1; (at = skip_blank(at)) < source_.size();) {
    if (source_[at] == '{') ++braces;
    if (source_[at] == '}' && --braces == 0) return at + 1;
    const LeanToken token = scan(at, before, depth);
    before = as_before(token, before);
    at = token.end;
  }
  return source_.size();
}

std::optional<std::size_t> LeanLexer::end_of_raw_string(std::size_t at) {
  std::size_t open = at;
  while (at_or_nul(open) == '#') ++open;
  if (at_or_nul(open) != '"') return std::nullopt;
  const std::string_view hashes = source_.substr(at, open - at);
  for (std::size_t quote = source_.find('"', open + 1); quote != std::string_view::npos;
       quote = source_.find('"', quote + 1)) {
    if (looking_at(quote + 1, hashes)) return quote + 1 + hashes.size();
  }
  doubt(at, "a string does not end");
  return source_.size();
}

/// nullopt: the text behind the quote before `at` is no character literal.
std::optional<std::size_t> LeanLexer::end_of_char(std::size_t at) {
  if (at_or_nul(at) == '\'') return std::nullopt;
  if (at_or_nul(at) == '\\') {
    const char c = at_or_nul(at + 1);
    const std::size_t end = at + 2 + (c == 'x' ? 2 : c == 'u' ? 4 : 0);
    return at_or_nul(end) == '\'' ? std::optional(end + 1) : std::nullopt;
  }
  const CodePoint c = decode(source_, at);
  if (c.bytes == 0 || at_or_nul(at + c.bytes) != '\'') return std::nullopt;
  return at + c.bytes + 1;
}

/// The end of a quote that begins no character literal. `''` between blanks and `'` behind a symbol are
/// tokens of libraries (`f '' s`, `∑' n`). Any other is an error, and Lean continues two characters later.
std::size_t LeanLexer::end_of_quote(std::size_t begin, const Before& before) {
  const bool is_double = at_or_nul(begin + 1) == '\'';
  const std::size_t end = begin + (is_double ? 2 : 1);
  const bool is_behind =
      is_double ? before.end < begin
                : is_behind_symbol(begin, before) && static_cast<unsigned char>(source_[begin - 1]) >= 0x80U;
  const CodePoint next = decode(source_, end + 1);
  const bool is_odd = next.value == '"' || next.value == '-' || next.value == '/' || next.value == '\'' ||
                      next.value == '\\' || next.value == kOpenName;
  if (!is_behind || (at_or_nul(end) != ' ' && at_or_nul(end) != '\n') || is_odd)
    doubt(begin, "a quote may begin a character");
  return end;
}

std::size_t LeanLexer::end_of_word(std::size_t at) {
  for (;;) {
    if (decode(source_, at).value == kOpenName) {
      const std::size_t close = source_.find(kCloseQuote, at);
      if (close == std::string_view::npos) {
        doubt(at, "a name in guillemets does not end");
        return source_.size();
      }
      at = close + kCloseQuote.size();
    } else {
      for (CodePoint c = decode(source_, at); c.bytes != 0 && continues_word(c.value);
           c = decode(source_, at))
        at += c.bytes;
    }
    // A dot continues the name only if a component follows, unlike in `h.1`, `x.{u}` and `end.`.
    if (at_or_nul(at) != '.') return at;
    const CodePoint after = decode(source_, at + 1);
    if (!begins_word(after.value) && after.value != kOpenName) return at;
    ++at;
  }
}

/// A token such as `#check`. No name begins with `#`: a known command ends where its word ends, whatever
/// follows. Any other word is a command of a library, unless it directly follows another token (`0#w`).
LeanToken LeanLexer::hash_token(std::size_t begin, const Before& before) {
  std::size_t end = begin + 1;
  for (CodePoint c = decode(source_, end); c.bytes != 0 && continues_word(c.value); c = decode(source_, end))
    end += c.bytes;
  const std::string_view word = source_.substr(begin, end - begin);
  std::size_t longest = 0;
  for (const std::string_view command : kHashCommands)
    if (word.starts_with(command)) longest = std::max(longest, command.size());
  const bool follows = before.end == begin && begin > 0 && !is_remark(before.kind);
  if (longest > 0 && (longest < word.size() || is_behind_symbol(begin, before)))
    doubt(begin, "a command may end within a word");
  else if (longest == 0 && ends_in_keyword(word))
    doubt(begin, "a token may be shorter than it seems");
  if (longest > 0) return {LeanTokenKind::Word, begin, begin + longest};
  return follows ? LeanToken{LeanTokenKind::Symbol, begin, begin + 1}
                 : LeanToken{LeanTokenKind::Word, begin, end};
}

namespace {

constexpr std::string_view kNumberError = "a number may be an error to Lean";

/// The digits of a number that begins with `0` and this mark; empty: the mark names no base.
std::string_view digits_of_base(char mark) {
  switch (mark) {
    case 'b':
    case 'B':
      return "01";
    case 'o':
    case 'O':
      return "01234567";
    case 'x':
    case 'X':
      return "0123456789abcdefABCDEF";
    default:
      return {};
  }
}

}  // namespace

/// The end of the number: a word may begin directly after its digits.
std::size_t LeanLexer::end_of_number(std::size_t at, const Before& before) {
  constexpr std::string_view kDecimal = "0123456789";
  const std::size_t begin = at;
  const bool is_field = before.end == at && before.kind == LeanTokenKind::Symbol &&
                        at_or_nul(at - 1) == '.' && before.end - before.begin == 1;
  if (is_field) return end_of_field_number(at);
  if (const auto digits = digits_of_base(at_or_nul(at + 1)); source_[at] == '0' && !digits.empty())
    return end_of_digits(at + 2, digits, true);
  at = end_of_digits(at, kDecimal, false);
  if (at_or_nul(at) == '.') {
    const CodePoint after = decode(source_, at + 1);
    if (is_ascii_digit(after.value)) {
      at = end_of_digits(at + 1, kDecimal, false);
    } else if (begins_word(after.value) || after.value == kOpenName) {
      doubt(begin, kNumberError);
      return at;
    } else if (after.value != '.') {
      ++at;
    }
  }
  if (at_or_nul(at) != 'e' && at_or_nul(at) != 'E') return at;
  const std::size_t sign = at_or_nul(at + 1) == '-' || at_or_nul(at + 1) == '+' ? 1 : 0;
  if (is_ascii_digit(static_cast<unsigned char>(at_or_nul(at + 1 + sign))))
    return end_of_digits(at + 1 + sign, kDecimal, false);
  doubt(begin, kNumberError);
  return at;
}

/// The end of the number in `x.1`, which has only digits.
std::size_t LeanLexer::end_of_field_number(std::size_t begin) {
  std::size_t at = begin;
  while (is_ascii_digit(static_cast<unsigned char>(at_or_nul(at)))) ++at;
  const char next = at_or_nul(at);
  const bool is_prefix = source_[begin] == '0' && at == begin + 1 && !digits_of_base(next).empty();
  if (is_prefix || next == 'e' || next == 'E' || next == '_') doubt(begin, kNumberError);
  return at;
}

/// Each underscore must be followed by a digit, and so must the beginning if `needs_one`.
std::size_t LeanLexer::end_of_digits(std::size_t at, std::string_view digits, bool needs_one) {
  for (; at < source_.size(); ++at) {
    const bool is_digit = digits.find(source_[at]) != std::string_view::npos;
    if (!is_digit && source_[at] != '_') break;
    needs_one = !is_digit;
  }
  if (needs_one) doubt(at, "a number may be an error to Lean");
  return at;
}

std::size_t LeanLexer::end_of_symbol(std::size_t at) const {
  static constexpr std::string_view kSymbols[] = {":=", "=>", "<;>", "..<", "..", "<|", "|>", "@["};
  static constexpr std::string_view kFirst = ":=<.|@";  // most symbols begin with none of these
  static_assert(std::ranges::all_of(
      kSymbols, [](std::string_view symbol) { return kFirst.find(symbol[0]) != kFirst.npos; }));
  if (kFirst.find(source_[at]) != kFirst.npos)
    for (const std::string_view symbol : kSymbols)
      // `::=` is Lean's `::` followed by `=`.
      if (looking_at(at, symbol) && !(symbol == ":=" && at > 0 && source_[at - 1] == ':'))
        return at + symbol.size();
  return at + decode(source_, at).bytes;
}

namespace {

/// Whether Lean could read the text differently if the string were a token: the string contains a part of a
/// comment or literal, or begins like a name and ends like a symbol.
bool is_odd_token(std::string_view string) {
  const std::size_t begin = string.find_first_not_of(" \n\"");
  if (begin == std::string_view::npos) return false;
  const std::size_t end = string.find_last_not_of(" \n\"") + 1;
  const std::string_view token = string.substr(begin, end - begin);
  if (token.find_first_of(" \n") != std::string_view::npos) return false;
  constexpr auto kMarks =
      std::to_array<std::string_view>({"--", "/-", "-/", "\\\"", "\\x", "\\u", kOpenQuote, kCloseQuote});
  for (const std::string_view mark : kMarks)
    if (token.find(mark) != std::string_view::npos) return true;
  if (token == "s!" || token == "m!" || token == "f!") return true;
  const bool is_name = begins_word(decode(token, 0).value);
  return is_name ? token.ends_with('-') || token.ends_with('/')
                 : token.find('\'', 1) != std::string_view::npos;
}

}  // namespace

bool may_declare_tokens(std::string_view source) {
  const auto has = [&](std::string_view word) { return source.find(word) != std::string_view::npos; };
  if (has("Parser") || std::ranges::any_of(kCommandWords, [&](const CommandWord& each) {
        return (each.kinds & kSyntax) != 0 && (each.kinds & kProgram) == 0 && has(each.word);
      }))
    return true;
  if (!has("elab") && !has("binder_predicate")) return false;
  // People write of elaboration in comments. No token that hides such a command is declared above it.
  LeanLexer lexer(source);
  while (const auto token = lexer.next()) {
    const std::string_view word = source.substr(token->begin, token->end - token->begin);
    if (word == "elab" || word == "binder_predicate") return true;
  }
  return false;
}

std::optional<LexerDoubt> find_doubt(std::string_view source) {
  std::optional<bool> declares;
  std::optional<LexerDoubt> of_token;
  LeanLexer lexer(source);
  while (const auto token = lexer.next()) {
    if (lexer.doubt()) return lexer.doubt();
    if (of_token || token->kind != LeanTokenKind::String) continue;
    const bool is_odd =
        lexer.has_differing_strings() || is_odd_token(source.substr(token->begin, token->end - token->begin));
    if (!is_odd) continue;
    if (!declares) declares = may_declare_tokens(source);
    if (*declares) of_token = LexerDoubt{token->begin, "a string may be a token that the text declares"};
  }
  return lexer.doubt() ? lexer.doubt() : of_token;
}

bool in_comment_or_literal(std::string_view source, std::size_t offset) {
  LeanLexer lexer(source);
  while (const auto token = lexer.next()) {
    if (token->begin >= offset) return false;
    // The `\n` after a line comment is not part of it, but the offset just before it is: typing there extends
    // the comment.
    const bool open_ended = token->kind == LeanTokenKind::LineComment;
    if (offset > token->end || (offset == token->end && !open_ended)) continue;
    return token->kind != LeanTokenKind::Word && token->kind != LeanTokenKind::Number &&
           token->kind != LeanTokenKind::Symbol;
  }
  return false;
}

}  // namespace leanbridge::text
