#pragma once
/// The words of a verdict: its axioms, the missing checks, and the command that completes it. Pure. Private
/// to this module.

#include "verdict.hpp"

#include <optional>
#include <string>
#include <vector>

namespace leanbridge::certify {

struct Missing {
  std::string what;    ///< what is missing, as a clause
  std::string how;     ///< what to do about it, as a sentence; may be empty
  std::string option;  ///< an option for the command that asks again; may be empty
  std::string waiver;  ///< an option that waives the check; may be empty
};

/// The objections to a certificate.
struct Objections {
  std::optional<std::string> refused;  ///< why the solution is refused, as a sentence
  std::vector<Missing> missing;        ///< checks that could not run
};

/// Whether the verdict claims a proof, disproof or filled-in proof.
bool is_claim(Outcome verdict);

/// Refuses all names for the same reason.
void refuse_all(Certificate& certificate, Objections& objections, const std::string& why);

/// Decides the verdict on the whole and on each name. Each name's verdict so far assumes that no check is
/// missing. `command`: the words of the command that asked.
void decide(Certificate& certificate, Objections objections, const std::vector<std::string>& command);

/// The verdict after time has run out. `why` is a sentence.
void decide_late(Certificate& certificate, const std::string& why);

/// All missing checks as one clause.
std::string what_is_missing(const std::vector<Missing>& missing);

/// Advice, followed on a separate line by the command with all options, and with options that waive the
/// checks. `command`: the words of the command that asked.
std::string how_to_complete(const std::vector<Missing>& missing, const std::vector<std::string>& command);

/// ", among them `given`": the axioms of its theorems beyond the standard ones; "": none.
std::string more_axioms(const Certificate& certificate);

}  // namespace leanbridge::certify
