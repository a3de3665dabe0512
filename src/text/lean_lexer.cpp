#include "leanbridge/text/lean_lexer.hpp"

#include "leanbridge/text/lean_names.hpp"
#include "leanbridge/text/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace leanbridge::text {
namespace {

// Interpolated strings inside holes of interpolated strings: bounds the recursion.
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

struct Interval {
  std::uint32_t first;
  std::uint32_t last;
};

template <std::size_t N>
bool is_in(const std::array<Interval, N>& intervals, std::uint32_t c) {
  return std::any_of(intervals.begin(), intervals.end(),
                     [c](Interval i) { return i.first <= c && c <= i.last; });
}

/// Lean's `isLetterLike` (Init/Meta): Greek except λ Π Σ, accented Latin except × ÷, letter-like
/// symbols, script and fraktur letters.
bool is_letter_like(std::uint32_t c) {
  static constexpr std::array<Interval, 13> kLetters{{{0x3B1, 0x3BA},
                                                      {0x3BC, 0x3C9},
                                                      {0x391, 0x39F},
                                                      {0x3A1, 0x3A2},
                                                      {0x3A4, 0x3A9},
                                                      {0x3CA, 0x3FB},
                                                      {0x1F00, 0x1FFE},
                                                      {0x2100, 0x214F},
                                                      {0x1D49C, 0x1D59F},
                                                      {0xC0, 0xD6},
                                                      {0xD8, 0xF6},
                                                      {0xF8, 0xFF},
                                                      {0x100, 0x17F}}};
  return is_in(kLetters, c);
}

/// Lean's `isSubScriptAlnum`.
bool is_subscript(std::uint32_t c) {
  static constexpr std::array<Interval, 4> kSubscripts{
      {{0x2080, 0x2089}, {0x2090, 0x209C}, {0x1D62, 0x1D6A}, {0x2C7C, 0x2C7C}}};
  return is_in(kSubscripts, c);
}

bool begins_word(std::uint32_t c) {
  return is_ascii_letter(c) || c == '_' || is_letter_like(c);
}

bool continues_word(std::uint32_t c) {
  return begins_word(c) || is_ascii_digit(c) || c == '\'' || c == '!' || c == '?' || is_subscript(c);
}

constexpr std::uint32_t kOpenName = 0xAB;  // «

}  // namespace

std::optional<LeanToken> LeanLexer::next() {
  const std::size_t begin = skip_blank(at_);
  if (begin == source_.size()) {
    at_ = begin;
    return std::nullopt;
  }
  const LeanToken token = scan(begin, 0);
  at_ = token.end;
  return token;
}

LeanToken LeanLexer::scan(std::size_t begin, int depth) const {
  const auto token = [begin](LeanTokenKind kind, std::size_t end) { return LeanToken{kind, begin, end}; };
  if (looking_at(begin, "--")) {
    return token(LeanTokenKind::LineComment, std::min(source_.find('\n', begin), source_.size()));
  }
  if (looking_at(begin, "/-")) {
    const char mark = at_or_nul(begin + 2);
    const bool is_doc = (mark == '-' || mark == '!') && !looking_at(begin, "/--/");
    return token(is_doc ? LeanTokenKind::DocComment : LeanTokenKind::BlockComment,
                 end_of_block_comment(begin + 2));
  }
  const CodePoint c = decode(source_, begin);
  if (c.value == '"') {
    const bool interpolated = begin > 0 && source_[begin - 1] == '!';  // s!"...", m!"...", f!"..."
    return token(LeanTokenKind::String, end_of_string(begin + 1, interpolated, depth));
  }
  if (c.value == 'r') {
    if (const auto end = end_of_raw_string(begin + 1)) return token(LeanTokenKind::String, *end);
  }
  if (c.value == '\'') {
    if (const auto end = end_of_char(begin + 1)) return token(LeanTokenKind::Char, *end);
  }
  if (is_ascii_digit(c.value)) return token(LeanTokenKind::Number, end_of_number(begin));
  if (begins_word(c.value) || c.value == kOpenName) return token(LeanTokenKind::Word, end_of_word(begin));
  if (c.value == '#' && is_ascii_letter(decode(source_, begin + 1).value)) {
    return token(LeanTokenKind::Word, end_of_word(begin + 1));
  }
  return token(LeanTokenKind::Symbol, end_of_symbol(begin));
}

std::size_t LeanLexer::skip_blank(std::size_t at) const {
  while (at < source_.size() && is_white_space(source_[at])) ++at;
  return at;
}

std::size_t LeanLexer::end_of_block_comment(std::size_t at) const {
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
  return source_.size();
}

std::size_t LeanLexer::end_of_string(std::size_t at, bool interpolated, int depth) const {
  while (at < source_.size()) {
    const char c = source_[at];
    if (c == '"') return at + 1;
    if (c == '\\') {
      at += 2;
    } else if (c == '{' && interpolated && depth < kMaxHoleDepth) {
      at = end_of_hole(at + 1, depth + 1);
    } else {
      ++at;
    }
  }
  return source_.size();
}

/// The end of `{...}` in an interpolated string: code, where braces match and strings may hold braces.
std::size_t LeanLexer::end_of_hole(std::size_t at, int depth) const {
  for (int braces = 1; (at = skip_blank(at)) < source_.size();) {
    if (source_[at] == '{') ++braces;
    if (source_[at] == '}' && --braces == 0) return at + 1;
    at = scan(at, depth).end;
  }
  return source_.size();
}

std::optional<std::size_t> LeanLexer::end_of_raw_string(std::size_t at) const {
  std::size_t open = at;
  while (at_or_nul(open) == '#') ++open;
  if (at_or_nul(open) != '"') return std::nullopt;
  const std::string_view hashes = source_.substr(at, open - at);
  for (std::size_t quote = source_.find('"', open + 1); quote != std::string_view::npos;
       quote = source_.find('"', quote + 1)) {
    if (looking_at(quote + 1, hashes)) return quote + 1 + hashes.size();
  }
  return source_.size();
}

std::optional<std::size_t> LeanLexer::end_of_char(std::size_t at) const {
  if (at_or_nul(at) == '\\') {
    // '\n' '\'' '\x41' '\u03b1': the escaped character, then up to four digits.
    for (std::size_t end = at + 2; end <= at + 6; ++end) {
      if (at_or_nul(end) == '\'') return end + 1;
    }
    return std::nullopt;
  }
  const CodePoint c = decode(source_, at);
  if (c.bytes == 0 || c.value == '\n' || at_or_nul(at + c.bytes) != '\'') return std::nullopt;
  return at + c.bytes + 1;
}

std::size_t LeanLexer::end_of_word(std::size_t at) const {
  for (;;) {
    if (decode(source_, at).value == kOpenName) {
      const std::size_t close = source_.find(kCloseQuote, at);
      if (close == std::string_view::npos) return source_.size();
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

std::size_t LeanLexer::end_of_number(std::size_t at) const {
  while (at < source_.size()) {
    const auto c = static_cast<unsigned char>(source_[at]);
    const bool fraction = c == '.' && is_ascii_digit(static_cast<unsigned char>(at_or_nul(at + 1)));
    if (!is_ascii_digit(c) && !is_ascii_letter(c) && c != '_' && !fraction) return at;
    ++at;
  }
  return at;
}

std::size_t LeanLexer::end_of_symbol(std::size_t at) const {
  static constexpr std::string_view kSymbols[] = {":=", "=>", "<;>", "..<", "..", "<|", "|>", "@["};
  static constexpr std::string_view kFirst = ":=<.|@";  // most symbols are none of these
  static_assert(std::all_of(std::begin(kSymbols), std::end(kSymbols),
                            [](std::string_view symbol) { return kFirst.find(symbol[0]) != kFirst.npos; }));
  if (kFirst.find(source_[at]) != kFirst.npos)
    for (const std::string_view symbol : kSymbols)
      if (looking_at(at, symbol)) return at + symbol.size();
  return at + decode(source_, at).bytes;
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
