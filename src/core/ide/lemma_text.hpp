#pragma once
/// The text of a lemma that states a goal, made from Lean's own printing of the goal. Pure.

#include "goals.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::ide {

/// A hypothesis of a goal as a binder of a lemma, and as an argument of its use.
struct LemmaBinder {
  enum class Kind { Explicit, Implicit, Instance };
  Kind kind = Kind::Explicit;
  std::string name;  ///< empty: an unnamed instance
  std::string type;
  std::string argument;  ///< the argument where the lemma is used; empty: Lean finds it
  /// The goal mentions it, directly or through others. An unmentioned hypothesis is there because it is about
  /// mentioned ones: a proof may need it if it is a proposition.
  bool is_mentioned = false;
};

/// A goal with, in `binders`, the hypotheses that it depends on and those that depend on them, in the order
/// of the goal.
struct LemmaStatement {
  std::vector<LemmaBinder> binders;
  std::string goal;
  std::vector<std::string> levels;  ///< names of universe levels that the source does not declare
};

/// `source` is the file's text before the declaration, for its universe levels. Names that Lean marks as
/// inaccessible are replaced.
LemmaStatement lemma_statement(const StructuredGoal& goal, std::string_view source);

/// `theorem NAME.{LEVELS} BINDERS :\n    GOAL`.
std::string lemma_header(const std::string& name, const LemmaStatement& statement);
/// `NAME ARGUMENTS`.
std::string lemma_use(const std::string& name, const LemmaStatement& statement);

/// Whether a text has the name as a word, or as the beginning of one: `x` in `x.succ`.
bool mentions(std::string_view text, const std::string& name);

/// The lines of a tactic block, moved to the third column; its first line begins in `column`.
std::string moved_block(std::string_view block, std::size_t column);

}  // namespace leanbridge::ide
