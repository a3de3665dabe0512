#pragma once
/// What in a Lean file can keep Lean from telling of an error or a sorry.

#include "leanbridge/text/trust_scan.hpp"

#include <optional>
#include <string_view>

namespace leanbridge::text {

/// The first word of `source` by which it, or a file that imports it, could hide a message: an option that is
/// not known to leave messages alone (`warn.sorry`, `debug.*`), a command that swallows them (`#guard_msgs`),
/// a program that runs while Lean elaborates (`elab`, `run_cmd`, `#eval`, `simproc`, attributes), a macro
/// that takes a question of ours for something else (`"#print"`). Where there is none, Lean's "declaration
/// uses sorry" is all there is to know. Comments and strings are searched, too: what is one is Lean's to say,
/// and a word too many costs time only.
std::optional<TrustFinding> find_silencer(std::string_view source);

/// The same without the programs.
std::optional<TrustFinding> find_silencing_option(std::string_view source);

/// The same of a lakefile, whose options hold for every file.
std::optional<TrustFinding> find_silencer_in_lakefile(std::string_view source);

}  // namespace leanbridge::text
