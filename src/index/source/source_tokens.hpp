#pragma once
/// The tokens of a Lean text, without plain comments, as the source reader walks them.

#include "leanbridge/text/lean_lexer.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::index {

class SourceTokens {
 public:
  explicit SourceTokens(std::string_view source);

  std::size_t size() const { return tokens_.size(); }
  const text::LeanToken& operator[](std::size_t i) const { return tokens_[i]; }
  /// The first token that begins at the byte or after it.
  std::size_t at(std::size_t offset) const;

  std::string_view text(std::size_t i) const;
  /// "" when there is none or it is no word; likewise symbol().
  std::string_view word(std::size_t i) const;
  std::string_view symbol(std::size_t i) const;
  bool is_doc(std::size_t i) const;
  bool first_on_line(std::size_t i) const { return i < first_.size() && first_[i]; }
  bool same_line(std::size_t i, std::size_t j) const;
  /// Bytes from the beginning of its line: only to be compared.
  std::size_t indent(std::size_t i) const { return indents_[i]; }
  /// Past the bracket that matches the one at `i`; `end` when there is none before it.
  std::size_t skip_brackets(std::size_t i, std::size_t end) const;

  /// The tokens [begin, end) on one line, without comments; cut where it is too long to be read.
  std::string one_line(std::size_t begin, std::size_t end) const;

 private:
  std::string_view source_;
  std::vector<text::LeanToken> tokens_;
  std::vector<bool> first_;
  std::vector<std::size_t> indents_;
};

bool opens_bracket(std::string_view symbol);
bool closes_bracket(std::string_view symbol);

/// The text of a doc comment without its signs.
std::string docstring(std::string_view comment);

/// The identifiers among the tokens [begin, end) that look like constants: no keywords, and none that is
/// bound there or is one of `bound`.
std::vector<std::string> mentioned(const SourceTokens& tokens, std::size_t begin, std::size_t end,
                                   std::vector<std::string> bound);

}  // namespace leanbridge::index
