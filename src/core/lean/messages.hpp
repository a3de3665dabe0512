#pragma once
/// Reads the notifications of Lean's server. Their wire names appear here and in no layer above. Source: LSP
/// 3.17 and Lean's extensions (fullRange, leanTags, isSilent, isIncremental, $/lean/fileProgress).

#include "core/base/enum_names.hpp"
#include "core/text/position.hpp"
#include "core/text/text.hpp"
#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::lean {

enum class Severity { Error = 1, Warning = 2, Information = 3, Hint = 4 };

/// "error", "warning", "info", "hint", as in the tool contract.
wire::Names<Severity> names_of(Severity);

inline constexpr int kTagUnsolvedGoals = 1;
inline constexpr int kTagGoalsAccomplished = 2;

struct Diagnostic {
  text::LspRange range;  ///< the full extent (`fullRange` if Lean gives it), in the published version
  Severity severity = Severity::Error;
  std::string message;
  std::string source;
  std::string code;
  std::vector<int> lean_tags;
  bool silent = false;  ///< not for users: a signal that a declaration succeeded
  /// A line that `lake setup-file` printed while it prepared the imports. It is not about the text.
  bool is_setup_output = false;

  bool is_error() const { return severity == Severity::Error; }
  /// Whether Lean gave it this tag, such as kTagUnsolvedGoals.
  bool has_tag(int tag) const { return std::ranges::find(lean_tags, tag) != lean_tags.end(); }
};

struct PublishDiagnostics {
  std::string uri;
  std::optional<std::int64_t> version;
  bool incremental = false;  ///< append to the diagnostics of the same version instead of replacing them
  std::vector<Diagnostic> diagnostics;
};

/// Lines are 0-based. The range includes the end's line unless its character is 0.
struct ProcessingRange {
  text::LspRange range;
  bool fatal = false;  ///< kind 2: the header failed or the worker died
};

struct FileProgress {
  std::string uri;
  std::optional<std::int64_t> version;
  std::vector<ProcessingRange> processing;
};

/// nullopt if the message, or even the range of one diagnostic in it, does not have the documented form.
/// Unknown members are ignored.
std::optional<PublishDiagnostics> read_publish_diagnostics(const nlohmann::json& params);
std::optional<FileProgress> read_file_progress(const nlohmann::json& params);
std::optional<text::LspRange> read_range(const nlohmann::json& value);

nlohmann::json to_json(text::LspPosition position);
nlohmann::json to_json(const text::LspRange& range);

/// The byte offset that a message is about. If the parser expects more of a declaration and finds the next
/// command, older Leans report that at the command, although it is about the end of the text before.
std::size_t blamed_offset(const text::Text& text, const Diagnostic& diagnostic);

}  // namespace leanbridge::lean
