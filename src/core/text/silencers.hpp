#pragma once
/// Finds words in a Lean file that can keep Lean from reporting an error or a sorry.

#include "trust_scan.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

/// The first occurrence of each kind.
struct Silencers {
  /// An option that is not known to be harmless to messages (`warn.sorry`, `debug.*`), or a command that
  /// swallows them (`#guard_msgs`).
  std::optional<TrustFinding> option;
  /// An `option`; or a word of a program that runs during elaboration (`elab`, `run_cmd`, `#eval`, `simproc`,
  /// attributes), or of a macro that redefines a command that we use (`"#print"`).
  std::optional<TrustFinding> any;
  /// A word that could answer `#print axioms` in Lean's place: of a program as above, or of any macro if the
  /// file mentions commands. If there is none, Lean's list of axioms is reliable, whatever the options are.
  std::optional<TrustFinding> answers;
  /// A word that can keep the kernel from checking: `debug.skipKernelTC`, an option whose name is obscured, a
  /// function that adds unchecked declarations. With such a word, even compiled terms prove nothing.
  std::optional<TrustFinding> unchecked;
  /// A word of a program that runs during elaboration, even if `any` has an earlier option: the program can
  /// change the process for everything that is elaborated in it later.
  std::optional<TrustFinding> program = std::nullopt;
  /// The finding of `any` if `#eval` is ignored.
  std::optional<TrustFinding> beside_eval = std::nullopt;
};

/// Finds words that could hide a message of `source`, or of a file that imports it. If there are none, Lean's
/// "declaration uses sorry" is reliable. Searches comments and strings as well, for a text that is judged
/// without the files that it imports.
Silencers find_silencers(std::string_view source);

/// The findings, and the facts that decide whether comments and strings can be left out.
struct SilencerScan {
  Silencers anywhere;  ///< without attributes
  Silencers in_code;   ///< outside of comments, and of strings that cannot be tokens
  /// Attributes that may make a program of their declaration, each name once.
  std::vector<TrustFinding> attributes;
  /// Attributes for lemmas that the text declares. In files that import it, they make no programs.
  std::vector<std::string> declared_attributes;
  /// Lean may read other tokens (find_doubt), so that a comment or a string may be code.
  bool strings_unclear = false;
  bool may_hide_example = false;
  /// `declares_tokens`: it may declare tokens. `has_marks`: it has a string that contains a part of a comment
  /// or of a string. If files that are read together have both, a comment may be code.
  bool declares_tokens = false;
  bool has_marks = false;
};
SilencerScan scan_silencers(std::string_view source);
/// The findings, together with the first attribute that is not declared.
Silencers with_attributes(Silencers found, const std::vector<TrustFinding>& attributes,
                          const std::set<std::string>& declared);

/// Whether the text has the word `example` where the scanner sees no declaration begin with it, as in a
/// macro. An example leaves nothing in a compiled file.
bool may_hide_example(std::string_view source);

/// Whether `#eval` can only print in this text: the text names none of Lean's own programs.
bool only_evaluates(std::string_view source);

/// Whether setting an option to this value, written as in a source, affects at most printing, counting and
/// searching, and no message about a proof. An empty value means any value.
bool is_harmless_option(std::string_view name, std::string_view value = {});
/// Whether setting the option could keep the kernel from checking: a known option that does, or a name that
/// is not plain.
bool is_unchecking_option(std::string_view name);

/// The 1-based line of an `#exit` that is followed by code, which Lean ignores. nullopt if there is none, or
/// only comments follow. Where Lean may read other tokens (find_doubt), an `#exit` in a comment or string
/// counts, too.
std::optional<int> find_exit(std::string_view source);

}  // namespace leanbridge::text
