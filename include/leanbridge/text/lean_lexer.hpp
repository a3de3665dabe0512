#pragma once
/// A light scanner of Lean source, enough to tell code from comments and literals. It knows no syntax: Lean's
/// tokens are extensible, and only Lean can say what a text means.

#include <cstddef>
#include <optional>
#include <string_view>

namespace leanbridge::text {

enum class LeanTokenKind {
  LineComment,   ///< `-- ...` to the end of the line
  BlockComment,  ///< `/- ... -/`, nested
  DocComment,    ///< `/-- ... -/` and `/-! ... -/`
  String,  ///< "..." with escapes, r"..." and r#"..."#; s!"... {e} ..." is one token including its holes
  Char,    ///< 'a', '\n'
  Word,    ///< identifier or keyword, with dots, primes and «...»; also `#check` and the like
  Number,
  Symbol,  ///< anything else: one code point, or one of := => <;> .. ..< <| |> @[
};

/// Whether Lean ignores the token. A documentation comment belongs to the declaration after it.
constexpr bool is_comment(LeanTokenKind kind) {
  return kind == LeanTokenKind::LineComment || kind == LeanTokenKind::BlockComment;
}
/// Whether the token is only for readers: a comment or a documentation comment.
constexpr bool is_remark(LeanTokenKind kind) {
  return is_comment(kind) || kind == LeanTokenKind::DocComment;
}

/// The byte range [begin, end) of the text.
struct LeanToken {
  LeanTokenKind kind = LeanTokenKind::Symbol;
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const LeanToken&, const LeanToken&) = default;
};

/// What separates the tokens of Lean.
inline bool is_white_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Yields the tokens of a text in order, with only white space between them. Accepts any text, in linear
/// time: an unterminated comment or literal extends to the end of the text, invalid UTF-8 gives symbols. The
/// text must outlive the lexer.
class LeanLexer {
 public:
  /// `at`: where to begin, which must be between two tokens.
  explicit LeanLexer(std::string_view source, std::size_t at = 0) : source_(source), at_(at) {}

  /// nullopt at the end of the text.
  std::optional<LeanToken> next();

 private:
  LeanToken scan(std::size_t begin, int depth) const;
  std::size_t skip_blank(std::size_t at) const;
  std::size_t end_of_block_comment(std::size_t at) const;
  std::size_t end_of_string(std::size_t at, bool interpolated, int depth) const;
  std::size_t end_of_hole(std::size_t at, int depth) const;
  std::optional<std::size_t> end_of_raw_string(std::size_t at) const;
  std::optional<std::size_t> end_of_char(std::size_t at) const;
  std::size_t end_of_word(std::size_t at) const;
  std::size_t end_of_number(std::size_t at) const;
  std::size_t end_of_symbol(std::size_t at) const;
  bool looking_at(std::size_t at, std::string_view what) const {
    return what.empty() || (at_or_nul(at) == what.front() && source_.substr(at).starts_with(what));
  }
  char at_or_nul(std::size_t at) const { return at < source_.size() ? source_[at] : '\0'; }

  std::string_view source_;
  std::size_t at_;
};

/// Whether `offset` is inside a comment or a string or character literal, after its first byte.
bool in_comment_or_literal(std::string_view source, std::size_t offset);

}  // namespace leanbridge::text
