#pragma once
/// Reads the output of Lean's command-line tools: `lake build` and `lean --json`. Lake's format is for people
/// and changes between versions, so unrecognised lines are skipped, and only the exit code tells whether a
/// build succeeded.

#include "core/text/text.hpp"
#include "messages.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::lean {

enum class BuildSeverity { Error, Warning, Information, Trace };

/// "error", "warning", "info", "trace", as lake prints them.
wire::Names<BuildSeverity> names_of(BuildSeverity);

struct BuildMessage {
  BuildSeverity severity = BuildSeverity::Error;
  std::string file_path;  ///< as printed, usually relative to the package; empty if the message has no
                          ///< position
  int line = 0;           ///< from 1
  int column = 0;         ///< from 1, in code points (Lean prints it from 0)
  std::string message;    ///< all lines of it

  friend bool operator==(const BuildMessage&, const BuildMessage&) = default;
};

/// All messages, in order. Lines behind a message belong to it unless they begin another message or a
/// headline. Drops colours. Also drops errors that only say that there were errors (`build failed`, `Lean
/// exited with code 1`), unless there are no others.
std::vector<BuildMessage> read_build_messages(std::string_view output);

/// Why imports could not be built, in one sentence: "`A.B`, which this file imports, does not compile: line
/// 3: …", with the first error that has a place, and how many there are. nullopt: Lake's log has none.
std::optional<std::string> import_failure_in(std::string_view log);

/// The job number and the count of jobs in a line like `✔ [2/5] Built A.B (1s)`; nullopt for other lines.
struct BuildStep {
  int done = 0;
  int total = 0;
};
std::optional<BuildStep> read_build_step(std::string_view line);

/// The text without terminal escape sequences.
std::string without_colours(std::string_view text);

/// A message of `lean --json`, which prints one JSON object per line.
struct CompilerMessage {
  Severity severity = Severity::Error;
  std::string message;
  text::Position start;               ///< columns from 1 (Lean prints them from 0)
  std::optional<text::Position> end;  ///< missing if the message has no range, such as a failed header
  std::string kind;                   ///< `Tactic.unsolvedGoals`, `hasSorry`, ...; mostly "[anonymous]"
  bool silent = false;
};

/// nullopt for other lines, which are from lake or from a program.
std::optional<CompilerMessage> read_compiler_message(std::string_view line);

/// The diagnostic as the language server would have published it. A position outside the text becomes its
/// start.
Diagnostic to_diagnostic(const CompilerMessage& message, const text::Text& text);

}  // namespace leanbridge::lean
