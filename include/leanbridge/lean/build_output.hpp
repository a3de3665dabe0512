#pragma once
/// Reading what `lake build` prints. Its format is for people and moves with the versions: what is not
/// recognised is passed over, and the exit code alone says whether a build has succeeded.

#include "leanbridge/lean/messages.hpp"
#include "leanbridge/text/text.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::lean {

struct BuildMessage {
  std::string severity;   ///< "error", "warning", "info"
  std::string file_path;  ///< as printed, usually relative to the package; empty where it has no place
  int line = 0;           ///< from 1
  int column = 0;         ///< from 1, in code points; Lean prints it from 0
  std::string message;    ///< all its lines

  friend bool operator==(const BuildMessage&, const BuildMessage&) = default;
};

/// All messages, in order. Lines that follow a message and begin nothing else belong to it. Colours are left
/// out. Errors that only say that there were errors (`build failed`, `Lean exited with code 1`) are left out,
/// too, unless there is no other.
std::vector<BuildMessage> read_build_messages(std::string_view output);

/// The job that a line tells of (`✔ [2/5] Built A.B (1s)`), as its number and their count; nullopt for other
/// lines.
struct BuildStep {
  int done = 0;
  int total = 0;
};
std::optional<BuildStep> read_build_step(std::string_view line);

/// The text without its escape sequences.
std::string without_colours(std::string_view text);

struct CompilerMessage {
  Severity severity = Severity::Error;
  std::string message;
  text::Position start;  ///< Lean counts its columns from 0; these from 1, as everywhere here
  std::optional<text::Position>
      end;           ///< missing where the message is about no place, such as a failed header
  std::string kind;  ///< `Tactic.unsolvedGoals`, `hasSorry`, ...; mostly "[anonymous]"
  bool silent = false;
};

/// nullopt for every other line.
std::optional<CompilerMessage> read_compiler_message(std::string_view line);

/// As the language server would have published it. Places that the text does not have become its beginning.
Diagnostic to_diagnostic(const CompilerMessage& message, const text::Text& text);

}  // namespace leanbridge::lean
