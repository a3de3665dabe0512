#pragma once
/// What a search text is, and the form of it that each source wants. Pure functions of text: any thread, any
/// input.

#include "leanbridge/base/enum_names.hpp"
#include "leanbridge/index/local_index.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::search {

enum class QueryKind {
  Name,      ///< `Nat.add_comm`, `add_comm`, `comm`
  Keywords,  ///< prose
  Pattern,   ///< a Lean term or Loogle filters: `a + b = b + a`, `Real.sin, "add"`
  Goal,      ///< a proof state with `⊢`
  Glob,      ///< `Nat.*`
  Mixed,     ///< prose with names, or with a term
};
wire::Names<QueryKind> names_of(QueryKind);

/// A statement, or a part of one, that is looked for.
struct TypePattern {
  std::string loogle;  ///< with `?a` for variables and Lean's operators; "" where Loogle would refuse it
  std::string text;    ///< the same without `⊢` and quoted names, for comparing with types
  std::vector<std::string> constants;  ///< full or last names: `HAdd.hAdd`, `Nat`; each once, in order
  std::string conclusion;              ///< the constant at the head of what follows all arrows; "" unknown
};

struct Query {
  QueryKind kind = QueryKind::Keywords;
  std::string text;                 ///< valid UTF-8, white space made single blanks (lines are kept in goals)
  std::vector<std::string> names;   ///< what looks like Lean names
  std::vector<std::string> words;   ///< words of prose, lower case, without the small ones (of, the, is)
  std::optional<TypePattern> type;  ///< of Pattern, Goal, and Mixed with a term
  std::string glob;                 ///< of Glob
};

/// Longer texts are cut: no source wants them.
inline constexpr std::size_t kMaxQueryBytes = 8192;

Query analyse(std::string_view text);

/// The pattern that stands in a text: all of it is read as a Lean term or Loogle filters, or as a goal.
std::optional<TypePattern> read_type_pattern(std::string_view text);

// --- forms ---

/// For sources that understand language: LeanSearch, LeanExplore, Lean Finder.
std::string phrase_form(const Query& query);
/// For Loogle; "" where nothing can be asked there: it wants a constant or a name.
std::string loogle_form(const Query& query);
/// For a source of premises: the first goal, without its `case` line; "" for what is not a goal.
std::string goal_form(const Query& query);
/// For the local index, by words and names; by the constants and the conclusion of a type. nullopt: has none.
std::optional<index::Lookup> word_lookup(const Query& query);
std::optional<index::Lookup> type_lookup(const Query& query);

/// Equal for texts that mean the same to every source: white space does not matter.
std::string text_key(std::string_view text);

}  // namespace leanbridge::search
