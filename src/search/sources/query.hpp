#pragma once
/// Classifies a search text, and converts it to the form that each source takes. Pure functions: any thread,
/// any input.

#include "core/base/enum_names.hpp"
#include "search/index/local_index.hpp"

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

/// A statement, or part of one, to search for.
struct TypePattern {
  std::string loogle;    ///< with Lean's operators, and `?a` for variables; "": Loogle would refuse it
  index::Lookup lookup;  ///< its constants, conclusion, and terms as written, one per filter; parts of names
};

struct Query {
  QueryKind kind = QueryKind::Keywords;
  std::string text;                 ///< valid UTF-8, white space collapsed (goals keep their lines)
  std::vector<std::string> names;   ///< words that look like Lean names
  std::vector<std::string> words;   ///< words of prose, lower case, without stop words
  std::optional<TypePattern> type;  ///< set for Pattern, Goal, and Mixed with a term
  std::string glob;                 ///< set for Glob
  bool type_filters = false;  ///< results must fit the type: the query is a pattern, or is accompanied by one
};

/// Longer texts are cut: no source takes them.
inline constexpr std::size_t kMaxQueryBytes = 8192;

Query analyse(std::string_view text);

/// Reads a whole text as a Lean term, Loogle filters, or a goal.
std::optional<TypePattern> read_type_pattern(std::string_view text);

// --- forms ---

/// The form for sources that take prose: LeanSearch, LeanExplore, Lean Finder.
std::string phrase_form(const Query& query);
/// The form for Loogle; "" if there is no constant or name, which Loogle needs.
std::string loogle_form(const Query& query);
/// The form for premise selection: the first goal, without its `case` line; "" if the query is not a goal.
std::string goal_form(const Query& query);
/// The first goal of a proof state, in Lean's format or as agents paste it, with its hypotheses, without its
/// `case` line; "" if there is no turnstile.
std::string first_goal(std::string_view text);

/// The kind of a question to the local index.
enum class LocalForm { Words, Type };
wire::Names<LocalForm> names_of(LocalForm);

struct LocalQuestion {
  LocalForm form = LocalForm::Words;
  std::string text;  ///< the words or the statement
  index::Lookup lookup;
};
/// The questions to the index: by words and names, and by the constants, conclusion and patterns of the type,
/// as far as the query has them.
std::vector<LocalQuestion> local_questions(const Query& query);

}  // namespace leanbridge::search
