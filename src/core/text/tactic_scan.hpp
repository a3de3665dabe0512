#pragma once
/// Finds tactics in one pass over a source's tokens, with a stack of open blocks. Private to this module.

#include "tactic_places.hpp"
#include "token_window.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace leanbridge::text {

/// The meaning of arrows, bars and words after the first word of a tactic.
enum class TacticHead {
  Unknown,       ///< an unknown tactic: an arrow may lead to a tactic
  Plain,         ///< only terms, in which tactics follow `by`
  Patterns,      ///< like Plain, and bars belong to it: `rcases h with a | b`
  Commas,        ///< like Plain, and commas belong to it: `use a, b`
  Alternatives,  ///< `| pattern => tactics`, any number of times
  Arrow,         ///< one `=> tactics`
  Choices,       ///< `| tactics`, any number of times
  Prefix,        ///< tactics follow directly, or after a number
  Conditional,   ///< `if c then tactics else tactics`
  Scoped,        ///< `open Foo in tactics`
};

class TacticScan {
 public:
  /// Tactics in one column. Brackets suspend it: it concerns only tokens at its own bracket depth.
  struct Block {
    std::size_t column;
    std::size_t depth;
    bool tentative;
    bool in_brackets;  ///< it has brackets of its own: `(tac; tac)`
    // The following members describe the tactic that is being read.
    TacticHead head = TacticHead::Unknown;
    int functions = 0;     ///< `fun`s whose arrow has not come yet
    int conditionals = 0;  ///< terms `if c then a else b` whose `else` has not come yet
    int binders = 0;       ///< `∃ x, p` and the like, whose comma has not come yet
    bool let = false;      ///< a term `let x := a; b` whose semicolon has not come yet
    bool with = false;     ///< `with` was read, so alternatives may follow
    bool bar = false;      ///< an alternative whose arrow has not come yet
    std::optional<std::size_t> bar_column = std::nullopt;  ///< of the first alternative
    /// The offset before a comma that is not the block's own: the block may end there.
    std::optional<std::size_t> comma = std::nullopt;

    friend bool operator==(const Block&, const Block&) = default;
  };

  /// A block that begins with the next token.
  struct Opening {
    bool first_tentative;
    bool tentative;
    bool in_brackets = false;

    friend bool operator==(const Opening&, const Opening&) = default;
  };

  /// A token that has been read.
  struct PastToken {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool is_comma = false;
    bool is_left_pipe = false;  ///< `<|`

    friend bool operator==(const PastToken&, const PastToken&) = default;
  };

  /// The scan's state between two tokens that are both first on their lines.
  struct State {
    std::size_t depth = 0;  ///< number of open brackets
    std::vector<Block> blocks;
    std::optional<Opening> opening;
    std::optional<bool> item_follows;  ///< if the next token begins a tactic of the same block: whether it is
                                       ///< tentative
    PastToken last;                    ///< the last token that is no comment or documentation

    /// The state with all offsets shifted: `by` is added to each, modulo the range of size_t.
    State moved(std::size_t by) const;
    friend bool operator==(const State&, const State&) = default;
  };

  explicit TacticScan(TokenWindow& tokens) : TacticScan(tokens, {}) {}
  TacticScan(TokenWindow& tokens, State state)
      : source_(tokens.source()), tokens_(tokens), state_(std::move(state)) {}

  /// Reads token `i`, for each token in turn. `begins_command`: a declaration begins or ends here.
  void read(std::size_t i, bool begins_command);
  /// Tells that the source has no more tokens.
  void finish();
  /// The places found so far, in order; the caller may take them away.
  std::vector<TacticPlace>& places() { return places_; }
  /// The column of the token that was read last: the number of code points before it on its line.
  std::size_t column();
  bool can_stop() const { return !command_begins_; }
  const State& state() const { return state_; }

 private:
  bool is_word(std::size_t i) const { return tokens_[i].kind == LeanTokenKind::Word; }
  bool is_focus_dot(std::size_t i);
  bool can_begin_tactic(std::size_t i);
  bool arrow_ahead();

  bool in_block() const { return !state_.blocks.empty() && state_.blocks.back().depth == state_.depth; }
  Block& top() { return state_.blocks.back(); }
  std::size_t lowest_in_reach() const;
  bool tentative() const { return !state_.blocks.empty() && state_.blocks.back().tentative; }
  void open(const Opening& opening);
  void close();
  void close_deeper();
  void end_all();
  void add_end();
  void add(const TacticPlace& place);

  std::optional<bool> tactic_begins();
  void begin_tactic(bool is_tentative);
  void word(std::string_view word);
  void symbol(std::string_view symbol);
  void arrow();
  void bar();
  bool has_alternatives(const Block& block) const;
  bool has_alternative_below(const Block& block);
  bool has_alternative_here(const Block& block);
  void branch(bool is_else);
  void comma();
  void end_component();

  std::string_view source_;
  TokenWindow& tokens_;
  State state_;
  std::size_t at_ = 0;           // the index of the current token
  std::size_t next_begin_ = 0;   // where the current token begins; one past the end of the source after the
                                 // last one
  std::size_t proof_ = 0;        // the number of commands so far
  bool command_begins_ = false;  // a command begins with the next token that is no comment or documentation
  std::size_t arrow_known_ = 0;  // `arrow_ahead_` holds up to this token
  bool arrow_ahead_ = false;     // an `=>` that may belong to an alternative follows on the line
  std::size_t counted_ = 0;      // the offset whose column is `column_`
  std::size_t counted_line_ = std::string_view::npos;  // where its line begins
  std::size_t column_ = 0;
  std::vector<TacticPlace> places_;
};

}  // namespace leanbridge::text
