#pragma once
/// Finds what in a Lean file can keep Lean from reporting an error or a sorry.

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
  /// `any`, without `#eval`.
  std::optional<TrustFinding> beside_eval = std::nullopt;
};

/// What could hide a message of `source`, or of a file that imports it. If there is nothing, Lean's
/// "declaration uses sorry" can be relied on. Searches comments and strings as well: for a text that is
/// judged without the files that it imports.
Silencers find_silencers(std::string_view source);

/// The same, with what tells whether comments and strings can be left out.
struct SilencerScan {
  Silencers anywhere;  ///< without attributes
  Silencers in_code;   ///< outside of comments, and of strings that cannot be tokens
  /// Attributes that may make a program of what they are given to, each name once.
  std::vector<TrustFinding> attributes;
  /// Attributes for lemmas that the text declares. In files that import it they make no programs.
  std::vector<std::string> declared_attributes;
  /// Lean may read other tokens (find_doubt), so that what looks like a comment or a string may be code.
  bool strings_unclear = false;
  bool may_hide_example = false;
  /// It may declare tokens, and it has a string with a part of a comment or of a string in it. If files that
  /// are read together do both, what looks like a comment may be code.
  bool declares_tokens = false;
  bool has_marks = false;
};
SilencerScan scan_silencers(std::string_view source);
/// What was found, and the first of the attributes that is not among the declared ones.
Silencers with_attributes(Silencers found, const std::vector<TrustFinding>& attributes,
                          const std::set<std::string>& declared);

/// Whether the text has the word `example` where no declaration is seen to begin with it, as in a macro. What
/// it states leaves nothing in a compiled file.
bool may_hide_example(std::string_view source);

/// Whether all that `#eval` in this text can do is to print: it names nothing of Lean's own programs.
bool only_evaluates(std::string_view source);

/// Whether setting an option to this value, written as in a source, changes at most what is printed, counted
/// or tried, and no message about a proof. An empty value: whatever the value is.
bool is_harmless_option(std::string_view name, std::string_view value = {});
/// Whether setting it could keep the kernel from checking: one that does, or a name that is not plain.
bool is_unchecking_option(std::string_view name);

/// The 1-based line of an `#exit` that is followed by code, which Lean ignores. nullopt if there is none, or
/// only comments follow. Where Lean may read other tokens (find_doubt), one in a comment or string counts.
std::optional<int> find_exit(std::string_view source);

}  // namespace leanbridge::text
