#pragma once
/// What `lean --json` prints: one JSON object per message and line. Other lines are lake's, or a program's.

#include "leanbridge/lean/messages.hpp"
#include "leanbridge/text/text.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace leanbridge::lean {

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
