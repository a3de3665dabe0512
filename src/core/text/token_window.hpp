#pragma once
/// The tokens of a source with the facts that Lean's layout rule needs, read only as far as a scan looks
/// ahead. Private to this module.

#include "lean_lexer.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace leanbridge::text {

struct LaidOutToken {
  LeanTokenKind kind;
  std::size_t begin;
  std::size_t end;
  std::size_t line;    ///< where the token's line begins
  bool first_on_line;  ///< a line break lies between the token and the code before it
  bool opens_line;     ///< as first_on_line, and no comment reaches into its line: a scan can resume at
                       ///< `line`
};

/// Numbers the tokens from 0, without plain comments. `at` must be 0 or the beginning of a line that no token
/// reaches into. The source must outlive the window.
class TokenWindow {
 public:
  explicit TokenWindow(std::string_view source, std::size_t at = 0)
      : source_(source), lexer_(source, at), passed_(at), line_(at), code_end_(at), raw_end_(at) {}

  std::string_view source() const { return source_; }
  /// Whether there is a token `i`; reads on as far as necessary.
  bool has(std::size_t i) {
    while (i - dropped_ >= tokens_.size())
      if (!read()) return false;
    return true;
  }
  /// Token `i`, which the window must have read and not dropped.
  const LaidOutToken& operator[](std::size_t i) const { return tokens_[i - dropped_]; }
  std::string_view text(std::size_t i) const {
    return source_.substr((*this)[i].begin, (*this)[i].end - (*this)[i].begin);
  }
  /// The word at `i`; empty if there is no token or it is not a word.
  std::string_view word(std::size_t i) {
    return has(i) && (*this)[i].kind == LeanTokenKind::Word ? text(i) : std::string_view();
  }
  bool is_symbol(std::size_t i, std::string_view symbol) {
    return has(i) && (*this)[i].kind == LeanTokenKind::Symbol && text(i) == symbol;
  }
  /// The end of the last token that was read; the lexer looked at most kLookahead bytes further.
  std::size_t looked() const { return raw_end_; }
  void drop_before(std::size_t i) {
    tokens_.erase(tokens_.begin(), tokens_.begin() + static_cast<std::ptrdiff_t>(i - dropped_));
    dropped_ = i;
  }

 private:
  bool read() {
    while (const auto token = lexer_.next()) {
      const std::size_t newline = source_.substr(passed_, token->begin - passed_).rfind('\n');
      if (newline != std::string_view::npos) line_ = passed_ + newline + 1;
      passed_ = token->begin;
      const bool opens_line = raw_end_ <= line_;
      raw_end_ = token->end;
      if (is_comment(token->kind)) continue;
      tokens_.push_back({token->kind, token->begin, token->end, line_, code_end_ <= line_, opens_line});
      if (!is_remark(token->kind)) code_end_ = token->end;
      return true;
    }
    raw_end_ = source_.size();
    return false;
  }

  std::string_view source_;
  LeanLexer lexer_;
  std::vector<LaidOutToken> tokens_;
  std::size_t dropped_ = 0;  // the number of the first token in tokens_
  std::size_t passed_;       // line breaks were counted up to here
  std::size_t line_;         // where the line of the last token begins
  std::size_t code_end_;     // the end of the last token that is no comment or documentation
  std::size_t raw_end_;      // the end of the last token, including comments
};

}  // namespace leanbridge::text
