#pragma once
/// The text of a lemma that says what a goal says, from Lean's own printing of it. Pure. Private to this
/// module.

#include "core/ide/goals.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::tools {

/// A hypothesis of a goal as a binder of a lemma, and as an argument of its use.
struct LemmaBinder {
  enum class Kind { Explicit, Implicit, Instance };
  Kind kind = Kind::Explicit;
  std::string name;  ///< empty: an instance that nothing names
  std::string type;
  std::string argument;  ///< where the lemma is used; empty: Lean finds it
  /// The goal, or what it mentions, mentions it. Others are there because they say something about these: a
  /// proof may need them if they are propositions.
  bool is_mentioned = false;
};

/// What a goal depends on and, in `binders`, what depends on that, in the order of the goal.
struct LemmaStatement {
  std::vector<LemmaBinder> binders;
  std::string goal;
  std::vector<std::string> levels;  ///< names of universe levels, without those that the source declares
};

/// `source` is the file's text before the declaration, for its universe levels. Names that Lean marks as
/// inaccessible get others.
LemmaStatement lemma_statement(const ide::StructuredGoal& goal, std::string_view source);

/// `theorem NAME.{LEVELS} BINDERS :\n    GOAL`.
std::string lemma_header(const std::string& name, const LemmaStatement& statement);
/// `NAME ARGUMENTS`.
std::string lemma_use(const std::string& name, const LemmaStatement& statement);

/// Whether a text has the name as a word, or the beginning of one: `x` in `x.succ`.
bool mentions(std::string_view text, const std::string& name);

/// Lines of a tactic block, of which the first begins in `column`, moved to begin in the third column.
std::string moved_block(std::string_view block, std::size_t column);

}  // namespace leanbridge::tools
