#pragma once
/// Many tactics tried at many places in one elaboration: each place gets a script in which the tactics stand
/// as alternatives, and the one that closes its goal says so in a message. Pure.

#include "core/lean/messages.hpp"
#include "core/text/text.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::ide {

/// A place to fill: the word `sorry` or `admit`; a tactic that fails; or, empty, the end of a block that
/// leaves goals.
struct FillPlace {
  std::size_t begin = 0;  ///< bytes of the text to replace
  std::size_t end = 0;
  bool is_tactic = false;         ///< true: a tactic is expected here; false: a term
  bool after_assignment = false;  ///< a term right after `:=`, where `by` needs no parentheses
  std::string before = {};        ///< the text that must precede a tactic here: a line break and its
                                  ///< indentation
};

/// All sorries within declarations, in order.
std::vector<FillPlace> fill_places(std::string_view source);

/// Adds places of Lean's errors in the source: tactics that fail, and ends of blocks with unsolved goals. The
/// places stay in order, and none overlaps another.
void add_failures(const text::Text& source, const std::vector<lean::Diagnostic>& diagnostics,
                  std::vector<FillPlace>& places);

/// Tactics to try at a place, in order. A place without candidates stays as it is.
using Candidates = std::vector<std::string>;

/// A source with a script at each place that has candidates.
struct FillScript {
  struct Range {
    std::size_t begin = 0, end = 0;  ///< bytes of `text`
  };
  struct Probe {
    std::size_t place = 0;  ///< its index
    Range whole;
    std::vector<Range> candidates;
  };
  std::string text;
  std::vector<Probe> probes;
};
/// Writes the script. The text ends with the last declaration that has candidates. `heartbeats` limits the
/// cost of all tactics in such a declaration together; 0: Lean's own limit.
FillScript script_for(std::string_view source, const std::vector<FillPlace>& places,
                      const std::vector<Candidates>& candidates, int heartbeats = 0);

/// A tactic that closes every goal, by an axiom that WithAxiom adds. It takes the place of all remaining
/// sorries, so that each sorry that Lean still warns of was put there by some other tactic.
inline constexpr std::string_view kLeftByAxiom = "exact leanbridge.left";

/// A source with the axiom `leanbridge.left` below its imports, and its places.
struct WithAxiom {
  WithAxiom(std::string_view source, std::vector<FillPlace> places);

  std::string source;
  std::vector<FillPlace> places;
};

/// Lean's report about a probe. A place may have several goals: `all_goals sorry`.
struct FillOutcome {
  std::size_t place = 0;
  std::vector<std::size_t> closed;       ///< candidates that closed a goal, each once
  bool left = false;                     ///< there is a goal that no candidate closed, or that is no
                                         ///< proposition
  std::optional<std::size_t> ended;      ///< the candidate at which Lean gave up because of a limit of its
                                         ///< own
  std::set<std::size_t> refused;         ///< candidates that Lean cannot read, or whose proof it rejects
  bool broken = false;                   ///< the script has another error: it does not fit in this place
  std::vector<std::string> suggestions;  ///< tactics found by `exact?` and the like

  bool is_closed() const { return !closed.empty() && !left && !ended && refused.empty() && !broken; }
  bool is_reported() const { return !closed.empty() || left || ended || !refused.empty() || broken; }
};
/// The tactic that closes a place, by its outcome. A suggestion replaces the search that found it; several
/// become alternatives. "": the search found nothing that can be written.
std::string proof_of(const Candidates& candidates, const FillOutcome& outcome);

std::vector<FillOutcome> outcomes_of(const FillScript& script, const text::Text& text,
                                     const std::vector<lean::Diagnostic>& diagnostics);

/// The source with tactics in its places: `proofs` has one for each, "" leaves the sorry. `moved`, if given,
/// receives the offset of each place in the result.
std::string filled(std::string_view source, const std::vector<FillPlace>& places,
                   const std::vector<std::string>& proofs, std::vector<std::size_t>* moved = nullptr);

}  // namespace leanbridge::ide
