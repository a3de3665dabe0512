#pragma once
/// What in a Lean file can keep Lean from telling of an error or a sorry.

#include "leanbridge/text/trust_scan.hpp"

#include <optional>
#include <string_view>

namespace leanbridge::text {

/// The first word of each kind.
struct Silencers {
  /// An option that is not known to leave messages alone (`warn.sorry`, `debug.*`), or a command that
  /// swallows them (`#guard_msgs`).
  std::optional<TrustFinding> option;
  /// Such a word, or else one of a program that runs while Lean elaborates (`elab`, `run_cmd`, `#eval`,
  /// `simproc`, attributes), or of a macro that takes a question of ours for something else (`"#print"`);
  /// whichever comes first.
  std::optional<TrustFinding> any;
  /// What can keep the kernel itself from checking: `debug.skipKernelTC`, an option whose name is not plain
  /// to see, a function that adds declarations unchecked. Then compiled terms prove nothing, either.
  std::optional<TrustFinding> unchecked;
};

/// By what `source`, or a file that imports it, could hide a message. Where there is none, Lean's
/// "declaration uses sorry" is all there is to know. Comments and strings are searched, too: what is one is
/// Lean's to say, and a word too many costs time only.
Silencers find_silencers(std::string_view source);

/// The same of a lakefile, whose options hold for every file.
Silencers find_silencers_in_lakefile(std::string_view source);

/// The `#exit` below which `source` goes on: Lean looks at nothing there. 1-based line; nullopt: there is
/// none, or nothing but comments below it.
std::optional<int> find_exit(std::string_view source);

}  // namespace leanbridge::text
