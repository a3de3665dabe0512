#pragma once
/// Tactics whose syntax holds further tactics, by their first word. Private to this module.

#include <string_view>

namespace leanbridge::text {

/// What the arrows, bars and words after the first word of a tactic mean.
enum class TacticHead {
  Unknown,       ///< of a tactic that we do not know: an arrow may lead to a tactic
  Plain,         ///< terms only: what tactics they hold are behind `by`
  Patterns,      ///< the same, and bars are its own: `rcases h with a | b`
  Commas,        ///< the same, and commas are its own: `use a, b`
  Alternatives,  ///< `| pattern => tactics`, any number of times
  Arrow,         ///< one `=> tactics`
  Choices,       ///< `| tactics`, any number of times
  Prefix,        ///< tactics follow at once, or after a number
  Conditional,   ///< `if c then tactics else tactics`
  CancelScope,   ///< `open Foo in tactics`
};

TacticHead tactic_head(std::string_view word);

/// Words that stand inside a tactic and so begin none, though they may come first on a line.
bool continues_tactic(std::string_view word);

}  // namespace leanbridge::text
