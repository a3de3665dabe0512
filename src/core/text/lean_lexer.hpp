#pragma once
/// A light scanner of Lean source, enough to tell code from comments and literals. It knows no syntax: Lean's
/// tokens are extensible, and only Lean can tell what a text means. Where Lean may read a text differently,
/// the scanner reports a LexerDoubt; conclusions from words after it are only suspicions.

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
  Symbol,  ///< anything else: one code point, or one of := => <;> .. ..< <| |> @[ ''
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

/// The characters that separate Lean's tokens.
inline bool is_white_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// The first place from which Lean may read other tokens than the scanner: Lean's parsers decide which
/// strings are interpolated, a token may be longer than it looks, and after an error Lean continues in the
/// middle of a token.
struct LexerDoubt {
  std::size_t offset = 0;
  std::string_view why;  ///< a clause for messages: "a string may have code in it"

  friend bool operator==(const LexerDoubt&, const LexerDoubt&) = default;
};

/// The size in bytes of the code point at `at` if it can continue an identifier of Lean, otherwise 0.
std::size_t size_of_name_character(std::string_view text, std::size_t at);
/// Whether an identifier of Lean can begin there.
bool begins_name(std::string_view text, std::size_t at);

/// Yields the tokens of a text in order, with only white space between them. Accepts any text, in linear
/// time: an unterminated comment or literal extends to the end of the text, and invalid UTF-8 becomes
/// symbols. The text must outlive the lexer.
class LeanLexer {
 public:
  /// `at`: the first byte to read, which must be between two tokens.
  explicit LeanLexer(std::string_view source, std::size_t at = 0) : source_(source), at_(at) {}

  /// nullopt at the end of the text.
  std::optional<LeanToken> next();
  /// The doubt about the tokens read so far. find_doubt() also considers tokens that the text declares.
  const std::optional<LexerDoubt>& doubt() const { return doubt_; }
  /// Whether a string would end elsewhere if the text in its braces were no code.
  bool has_differing_strings() const { return differing_strings_; }

 private:
  /// The last token, as far as reading the next one depends on it.
  struct Before {
    LeanTokenKind kind = LeanTokenKind::LineComment;
    std::size_t begin = 0, end = 0;
    bool after_symbol = false;  ///< it is directly behind a symbol
  };

  LeanToken scan(std::size_t begin, const Before& before, int depth);
  LeanToken comment(std::size_t begin, const Before& before);
  LeanToken char_or_quote(std::size_t begin, const Before& before);
  Before as_before(const LeanToken& token, const Before& last) const;
  std::size_t skip_blank(std::size_t at);
  std::size_t end_of_block_comment(std::size_t at, std::size_t begin);
  std::size_t end_of_string(std::size_t begin, const Before& before, int depth);
  std::size_t end_of_plain_string(std::size_t begin, bool& has_hole);
  std::size_t end_of_interpolated_string(std::size_t begin, int depth);
  std::size_t end_of_escape(std::size_t at, std::string_view quotable);
  std::size_t end_of_hole(std::size_t at, int depth);
  std::optional<std::size_t> end_of_raw_string(std::size_t at);
  std::optional<std::size_t> end_of_char(std::size_t at);
  std::size_t end_of_quote(std::size_t begin, const Before& before);
  std::size_t end_of_word(std::size_t at);
  LeanToken hash_token(std::size_t begin, const Before& before);
  std::size_t end_of_number(std::size_t at, const Before& before);
  std::size_t end_of_field_number(std::size_t begin);
  std::size_t end_of_digits(std::size_t at, std::string_view digits, bool needs_one);
  std::size_t end_of_symbol(std::size_t at) const;
  bool is_behind_symbol(std::size_t at, const Before& before) const;
  void doubt(std::size_t at, std::string_view why) {
    if (!doubt_) doubt_ = LexerDoubt{at, why};
  }
  bool looking_at(std::size_t at, std::string_view what) const {
    return what.empty() || (at_or_nul(at) == what.front() && source_.substr(at).starts_with(what));
  }
  char at_or_nul(std::size_t at) const { return at < source_.size() ? source_[at] : '\0'; }

  std::string_view source_;
  std::size_t at_;
  Before before_;
  std::optional<LexerDoubt> doubt_;
  bool differing_strings_ = false;
};

/// Whether the text has a word that can declare tokens.
bool may_declare_tokens(std::string_view source);

/// Where Lean may read the text differently from LeanLexer; nullopt: it reads the same tokens. A text that
/// Lean cannot read is doubtful, too, if the error is in a single token.
std::optional<LexerDoubt> find_doubt(std::string_view source);

/// Whether `offset` is inside a comment or a string or character literal, after its first byte.
bool in_comment_or_literal(std::string_view source, std::size_t offset);

}  // namespace leanbridge::text
