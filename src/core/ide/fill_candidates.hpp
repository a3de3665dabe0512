#pragma once
/// Which tactics are tried at a goal. Pure.

#include "fill_script.hpp"
#include "goals.hpp"
#include "tactic_counts.hpp"

#include <set>
#include <string>
#include <vector>

namespace leanbridge::ide {

/// Tactics that do not depend on the goal: Lean's own, then those of libraries.
class TacticSet {
 public:
  TacticSet();

  const Candidates& cheap() const { return cheap_; }
  /// Tactics that may take a second where they fail.
  const Candidates& dear() const { return dear_; }
  /// All that must be looked for, with those that stand only in patterns.
  Candidates all() const;
  bool has(const std::string& tactic) const;
  /// Whether the file has the tactics in a pattern, as far as these were looked for.
  bool can_run(std::string_view pattern) const;
  /// Removes tactics that the file does not have.
  void remove(const std::set<std::string>& missing);
  /// Puts the tactics first that have closed most places.
  void sort(const TacticCounts& counts);

 private:
  Candidates cheap_, dear_;
  std::set<std::string> missing_;
};

/// Names that the project's files declare, as written.
struct ProjectNames {
  std::vector<std::string> definitions;
  std::vector<std::string> predicates;  ///< inductive propositions

  void add(std::string_view source);
};
/// The names that the goal mentions, as it writes them; for a field, such as `t.mirror`, the name
/// itself.
std::vector<std::string> mentioned_in(const StructuredGoal& goal, const std::vector<std::string>& names);

/// Tactics are tried in so many stages, cheap ones first.
inline constexpr std::size_t kFillStages = 9;
/// So many theorems of the file are worth their time at one goal.
inline constexpr std::size_t kMaxLemmas = 8;
Candidates candidates_of(std::size_t stage, const StructuredGoal& goal, const ProjectNames& names,
                         std::vector<std::string> lemmas, const TacticSet& tactics);

}  // namespace leanbridge::ide
