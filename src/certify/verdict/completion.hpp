#pragma once
/// The words of a verdict: the axioms it rests on, what it lacks, and the command that completes it. Pure.
/// Private to this module.

#include "verdict.hpp"

#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

struct Missing {
  std::string what;    ///< a clause
  std::string how;     ///< what to do about it, as a sentence; may be empty
  std::string option;  ///< for the command that asks again; may be empty
  std::string waiver;  ///< an option that does without it; may be empty
};

/// What speaks against a certificate.
struct Objections {
  std::optional<std::string> refused;  ///< why the solution is refused, as a sentence
  std::vector<Missing> missing;        ///< checks that could not run
};

/// Whether nothing speaks against what the verdict claims.
bool is_claim(Outcome verdict);

/// Refuses all names for the same reason.
void refuse_all(Certificate& certificate, Objections& objections, const std::string& why);

/// Decides the verdict of the whole and of each name, whose own is as if nothing were missing. `command`: the
/// words that have asked.
void decide(Certificate& certificate, Objections objections, const std::vector<std::string>& command);

/// The verdict where the time was up. `why` is a sentence.
void decide_late(Certificate& certificate, const std::string& why);

/// All of them as one clause.
std::string what_is_missing(const std::vector<Missing>& missing);

/// What to do, then on a line of its own the command with all options, and with what waives them. `command`:
/// the words that have asked.
std::string how_to_complete(const std::vector<Missing>& missing, const std::vector<std::string>& command);

/// ", among them `given`": the axioms beyond the standard ones that its theorems rest on; "": none.
std::string more_axioms(const Certificate& certificate);

}  // namespace leanbridge::certify
