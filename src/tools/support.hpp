#pragma once
/// What the tool files share: arguments, opening the file, the common fields of an answer, goals and diagnostics as
/// JSON. Private to this module.

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "leanbridge/document/questions.hpp"
#include "leanbridge/tools/tools.hpp"

namespace leanbridge::tools {

// --- arguments ---
mcp::Argument file_argument();
mcp::Argument line_argument();
mcp::Argument optional_line_argument();
mcp::Argument column_argument();
mcp::Argument format_argument();

// --- the file of a call ---

/// A file that Lean has the current text of, held for the time of a call.
struct OpenFile {
  std::shared_ptr<document::DocumentTable> table;
  document::Synced synced;

  document::Document& document() const { return *synced.document; }
  const std::shared_ptr<document::Document>& share() const { return synced.document.share(); }
  const text::Text& text() const { return document().state.text(); }
};

/// Locates and synchronises the call's file_path, and lets the call's progress tell of it.
asio::awaitable<Result<OpenFile>> open_file(Environment& environment, std::shared_ptr<mcp::Call> call,
                                            const mcp::Arguments& arguments);

/// The byte offset of line and column. Without a column: `otherwise` of the line.
enum class Without { FirstNonBlank, LineEnd };
Result<std::size_t> offset_of(const OpenFile& file, int line, std::optional<int> column, Without otherwise);

// --- parts of an answer ---

/// Schema of the fields that finish() adds.
nlohmann::json common_schema(nlohmann::json properties);

/// Adds version, partial, timed_out, still_elaborating_lines, and `reopened` where the worker started afresh.
nlohmann::json finish(nlohmann::json answer, const OpenFile& file, bool partial, bool timed_out);

/// The line of a byte offset, as `line_context`.
std::string line_context(const OpenFile& file, std::size_t offset);

nlohmann::json diagnostic_schema();
nlohmann::json diagnostic_item(const text::Text& text, const lean::Diagnostic& diagnostic);
/// For agents to see: not one of the silent success signals, not an empty message.
bool is_shown(const lean::Diagnostic& diagnostic);
bool is_sorry(const lean::Diagnostic& diagnostic);

/// A list with its cap: `items`, `total`, `truncated`.
void add_items(nlohmann::json& answer, nlohmann::json items, std::size_t limit);
inline constexpr std::size_t kMaxItems = 300;

}  // namespace leanbridge::tools
