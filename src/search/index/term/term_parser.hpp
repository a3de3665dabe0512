#pragma once
/// Reads statements as people, agents and Lean's printer write them: patterns (`?a + _ = ?b`), statements
/// with binders, goals. Knows the notations of Lean's library and the most common ones of Mathlib; resolves
/// no namespaces. Pure functions that accept any text, in linear time.

#include "search/index/written_term.hpp"
#include "statement.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace leanbridge::index {

struct WrittenStatement {
  TypeTerm statement;
  bool has_holes = false;        ///< it has `_` or `?a`, so it is a pattern, whose variables stand for terms
  bool conclusion_only = false;  ///< it begins with `⊢`
  NodeId unopened = 0;           ///< the conclusion as written, with its leading ∀ and →
};

/// Tells constants from variables, for words that no binder names.
using IsConstant = std::function<bool(const std::string&)>;

/// nullopt: the text is not a term, or uses unknown notation. `is_constant` defaults to
/// looks_like_constant().
std::optional<WrittenStatement> parse_statement(std::string_view text,
                                                const IsConstant& is_constant = nullptr);

}  // namespace leanbridge::index
