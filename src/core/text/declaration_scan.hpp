#pragma once
/// Finds declarations and other commands in one pass over the tokens of a source. Private to this module.

#include "lean_declarations.hpp"
#include "token_window.hpp"

#include <optional>

namespace leanbridge::text {

class DeclarationScan {
 public:
  /// The scan's state between two tokens.
  struct State {
    bool in_declaration = false;
    bool in_other_command = false;
    bool after_in = false;  ///< the last token was `in`

    friend bool operator==(const State&, const State&) = default;
  };
  /// A declaration, or another command that ends the declaration before it.
  struct Command {
    std::optional<DeclarationSite> declaration;  ///< its `end` is not set
  };

  explicit DeclarationScan(TokenWindow& tokens) : DeclarationScan(tokens, {}) {}
  DeclarationScan(TokenWindow& tokens, State state)
      : source_(tokens.source()), tokens_(tokens), state_(state) {}

  /// The command that begins at token `i`; to be called for each token in turn.
  std::optional<Command> read(std::size_t i);
  /// Token `i`, the next one, is not part of a head that has been read.
  bool can_stop_at(std::size_t i) const { return i >= head_end_; }
  const State& state() const { return state_; }

 private:
  std::optional<Command> command_at(std::size_t i);
  std::optional<DeclarationSite> read_head(std::size_t first);
  bool is_in_column_0(std::size_t offset) const { return offset == 0 || source_[offset - 1] == '\n'; }
  bool is_module_doc(std::size_t i);
  bool is_other_command(std::size_t i);
  /// A `namespace`, `section` or `end`: no term contains these words, so they may begin a command anywhere on
  /// a line.
  bool is_scope_command(std::size_t i);
  std::size_t skip_prefix(std::size_t i);
  std::size_t skip_brackets(std::size_t i);
  std::optional<std::size_t> skip_macro_words(std::size_t i);

  std::string_view source_;
  TokenWindow& tokens_;
  State state_;
  std::size_t head_end_ = 0;  // the token after the head of the last declaration
};

}  // namespace leanbridge::text
