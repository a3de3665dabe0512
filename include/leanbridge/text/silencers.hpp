#pragma once
/// Finds what in a Lean file can keep Lean from reporting an error or a sorry.

#include "leanbridge/text/trust_scan.hpp"

#include <optional>
#include <string_view>

namespace leanbridge::text {

/// The first occurrence of each kind.
struct Silencers {
  /// An option that is not known to be harmless to messages (`warn.sorry`, `debug.*`), or a command that
  /// swallows them (`#guard_msgs`).
  std::optional<TrustFinding> option;
  /// Any of those; or a word of a program that runs during elaboration (`elab`, `run_cmd`, `#eval`,
  /// `simproc`, attributes), or of a macro that redefines a command that we use (`"#print"`).
  std::optional<TrustFinding> any;
  /// What could answer `#print axioms` in Lean's place: such a program, or any macro if the file mentions
  /// commands. If there is nothing, Lean's list of axioms can be relied on, whatever the options are.
  std::optional<TrustFinding> answers;
  /// What can keep the kernel from checking: `debug.skipKernelTC`, an option whose name is obscured, a
  /// function that adds unchecked declarations. Then even compiled terms prove nothing.
  std::optional<TrustFinding> unchecked;
  /// A word of a program that runs during elaboration, wherever options and commands are: it can change the
  /// process for whatever is elaborated in it later.
  std::optional<TrustFinding> program = std::nullopt;
};

/// What could hide a message of `source`, or of a file that imports it. If there is nothing, Lean's
/// "declaration uses sorry" can be relied on. Searches comments and strings as well: only Lean knows what is
/// one, and a false hit merely costs time.
Silencers find_silencers(std::string_view source);

/// Whether setting an option changes at most what is printed, counted or tried, and no message about a proof.
bool is_harmless_option(std::string_view name);
/// Whether setting it could keep the kernel from checking: one that does, or a name that is not plain.
bool is_unchecking_option(std::string_view name);

/// The 1-based line of an `#exit` that is followed by code, which Lean ignores. nullopt if there is none, or
/// only comments follow.
std::optional<int> find_exit(std::string_view source);

}  // namespace leanbridge::text
