#pragma once
/// The words of a verdict: the axioms it rests on, what it lacks, and the command that completes it. Pure.
/// Private to this module.

#include "leanbridge/certify/verdict.hpp"

#include <string>
#include <vector>

namespace leanbridge::certify {

struct Missing {
  std::string what;    ///< a clause
  std::string how;     ///< what to do about it, as a sentence; may be empty
  std::string option;  ///< for the command that asks again; may be empty
  std::string waiver;  ///< an option that does without it; may be empty
};

/// All of them as one clause.
std::string what_is_missing(const std::vector<Missing>& missing);

/// What to do, then on a line of its own the command with all options, and with what waives them. `command`:
/// the words that have asked.
std::string how_to_complete(const std::vector<Missing>& missing, const std::vector<std::string>& command);

/// ", among them `given`": the axioms beyond the standard ones that its theorems rest on; "": none.
std::string more_axioms(const Certificate& certificate);

}  // namespace leanbridge::certify
