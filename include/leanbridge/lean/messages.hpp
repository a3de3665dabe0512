#pragma once
/// The pushed messages of Lean's server, read from their JSON. Wire names appear here and nowhere above.
/// Source: LSP 3.17 and Lean's extensions (fullRange, leanTags, isSilent, isIncremental,
/// $/lean/fileProgress).

#include "leanbridge/base/enum_names.hpp"
#include "leanbridge/text/position.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::lean {

enum class Severity { Error = 1, Warning = 2, Information = 3, Hint = 4 };

/// "error", "warning", "info", "hint": the words of the tool contract.
wire::Names<Severity> names_of(Severity);

inline constexpr int kTagUnsolvedGoals = 1;
inline constexpr int kTagGoalsAccomplished = 2;

struct Diagnostic {
  text::LspRange
      range;  ///< the true extent (`fullRange` where Lean gives it), positions of the published version
  Severity severity = Severity::Error;
  std::string message;
  std::string source;
  std::string code;
  std::vector<int> lean_tags;
  bool silent = false;  ///< not for users: a success signal per declaration
  /// A line that `lake setup-file` printed while it made the imports ready: about no text.
  bool is_setup_output = false;
};

struct PublishDiagnostics {
  std::string uri;
  std::optional<std::int64_t> version;
  bool incremental = false;  ///< append to the set of the same version instead of replacing it
  std::vector<Diagnostic> diagnostics;
};

/// Lines are 0-based; a range covers start..end inclusive of the end's line where its character is not 0.
struct ProcessingRange {
  text::LspRange range;
  bool fatal = false;  ///< kind 2: the header failed, or the worker died
};

struct FileProgress {
  std::string uri;
  std::optional<std::int64_t> version;
  std::vector<ProcessingRange> processing;
};

/// Read whole or not: nullopt when the shape is not as documented, also of one diagnostic's place. Unknown
/// members are ignored.
std::optional<PublishDiagnostics> read_publish_diagnostics(const nlohmann::json& params);
std::optional<FileProgress> read_file_progress(const nlohmann::json& params);
std::optional<text::LspRange> read_range(const nlohmann::json& value);

nlohmann::json to_json(text::LspPosition position);
nlohmann::json to_json(const text::LspRange& range);

}  // namespace leanbridge::lean
