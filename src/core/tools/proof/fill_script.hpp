#pragma once
/// Many tactics tried at many places in one elaboration: each place gets a script in which the tactics stand
/// as alternatives, and the one that closes its goal says so in a message. Pure. Private to this module.

#include "core/lean/messages.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/text.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::tools {

/// The word `sorry` or `admit`, which stands for a proof that is missing; a tactic that fails; or, empty, the
/// end of a block that leaves goals.
struct FillPlace {
  std::size_t begin = 0;  ///< bytes of the word
  std::size_t end = 0;
  bool is_tactic = false;         ///< a tactic stands here; false: a term
  bool after_assignment = false;  ///< a term right after `:=`, where `by` needs no parentheses
  std::string before = {};        ///< what must precede a tactic here: a line break and its indentation
};

/// All of them within declarations, in order.
std::vector<FillPlace> fill_places(std::string_view source);

/// Adds to places, which stay in order, those of Lean's errors in the source: tactics that fail, and ends of
/// blocks with unsolved goals. None overlaps another.
void add_failures(const text::Text& source, const std::vector<lean::Diagnostic>& diagnostics,
                  std::vector<FillPlace>& places);

/// Tactics to try at a place, in order. A place without any stays as it is.
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
/// The text ends with the last declaration that has candidates. `heartbeats` limits, for each such
/// declaration, what its tactics cost together; 0: Lean's own limit.
FillScript script_for(std::string_view source, const std::vector<FillPlace>& places,
                      const std::vector<Candidates>& candidates, int heartbeats = 0);

/// Proves anything, by an axiom that WithAxiom adds. Where it stands for each sorry that is left, Lean warns
/// of exactly those sorries that somebody has made of something else.
inline constexpr std::string_view kLeftByAxiom = "exact leanbridge.left";

/// A source with that axiom below its imports, and its places.
struct WithAxiom {
  WithAxiom(std::string_view source, std::vector<FillPlace> places);

  std::string source;
  std::vector<FillPlace> places;
};

/// What Lean has said about a probe. A place may have several goals: `all_goals sorry`.
struct FillOutcome {
  std::size_t place = 0;
  std::vector<std::size_t> closed;       ///< candidates that closed a goal, each once
  bool left = false;                     ///< a goal that none closed, or that is no proposition
  std::optional<std::size_t> ended;      ///< the candidate with which Lean gave up: at a limit of its own
  bool broken = false;                   ///< another error in the script: the place is no such place
  std::vector<std::string> suggestions;  ///< tactics that `exact?` and the like have found

  bool is_closed() const { return !closed.empty() && !left && !ended && !broken; }
  bool is_reported() const { return !closed.empty() || left || ended || broken; }
};
/// The tactic that closes a place by its outcome, with what a search has found in the search's place; several
/// as alternatives. "": a search has found nothing that can be written.
std::string proof_of(const Candidates& candidates, const FillOutcome& outcome);

std::vector<FillOutcome> outcomes_of(const FillScript& script, const text::Text& text,
                                     const std::vector<lean::Diagnostic>& diagnostics);

/// The source with tactics in its places: `proofs` has one for each, "" leaves the sorry. `moved`, if given,
/// becomes where each place begins in the result.
std::string filled(std::string_view source, const std::vector<FillPlace>& places,
                   const std::vector<std::string>& proofs, std::vector<std::size_t>* moved = nullptr);

}  // namespace leanbridge::tools
