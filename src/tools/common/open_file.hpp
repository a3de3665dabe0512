#pragma once
/// What the tool files share: arguments, opening the file, the common fields of an answer, goals and
/// diagnostics as JSON. Private to this module.

#include "leanbridge/base/try.hpp"
#include "leanbridge/document/document_handle.hpp"
#include "leanbridge/text/lean_declarations.hpp"

#include "params.hpp"
#include "typed_tool.hpp"

#include <memory>
#include <optional>
#include <string>

namespace leanbridge::tools {

// --- the file of a call ---

/// A file that Lean has the current text of, held for the time of a call.
struct OpenFile : document::DocumentHandle {
  OpenFile(std::shared_ptr<document::DocumentStore> store, document::Synced found)
      : DocumentHandle(std::move(store), found.document.share()), synced(std::move(found)) {}

  /// To be copied for what outlives the file's lease.
  const DocumentHandle& handle() const { return *this; }

  document::Synced synced;  ///< what the sync found and did; its lease keeps the file open
};

/// Locates and synchronises a file, and lets the call's progress tell of it.
asio::awaitable<Result<OpenFile>> open_file(Environment& environment, std::shared_ptr<mcp::Call> call,
                                            std::string file_path);

/// The byte offset of line and column. Without a column: `fallback` of the line.
enum class ColumnDefault { FirstNonBlank, LineEnd };
Result<std::size_t> offset_of(const OpenFile& file, int line, std::optional<int> column,
                              ColumnDefault fallback);

/// A file, and where in it the call's line and column are.
struct OpenPlace {
  OpenFile file;
  document::TextAnchor anchor;  ///< the text can change while the call waits
};
asio::awaitable<Result<OpenPlace>> open_place(Environment& environment, std::shared_ptr<mcp::Call> call,
                                              FilePosition position, ColumnDefault fallback);

// --- parts of an answer ---

/// A text that Lean may not have told: then it is empty here, and null in the answer.
inline wire::Nullable<std::string> null_if_empty(const std::string& text) {
  return text.empty() ? wire::Nullable<std::string>() : wire::Nullable<std::string>(text);
}

/// For an answer that holds for one version only: the file `name` was opened afresh or changed while Lean was
/// asked.
tl::unexpected<Error> overtaken(const std::string& name);

/// Of what text::find_exit() gives, as a sentence.
std::string not_checked_below(int line);

/// Whether an answer is all that there is.
enum class Completeness { Complete, Partial, TimedOut };

/// What every answer about a file says of it. Flattened, and not listed: docs/tools.md has it once for all
/// tools.
struct FileStatus {
  wire::Nullable<document::Version> version;  ///< null where the compiler has answered
  bool partial = false;
  bool timed_out = false;
  std::vector<std::array<int, 2>> still_elaborating_lines;  ///< first and last, from 1
  std::optional<std::string> reopened;                      ///< why the worker started afresh
  std::optional<std::string> fallback_for;
  std::optional<nlohmann::json> fallback;

  static wire::Fields fields();
};
FileStatus status_of(const OpenFile& file, Completeness completeness = Completeness::Complete);
/// For an answer that is either whole or late.
inline Completeness late_if(bool timed_out) {
  return timed_out ? Completeness::TimedOut : Completeness::Complete;
}

/// The line of a byte offset, as `line_context`.
std::string line_context(const OpenFile& file, std::size_t offset);

/// A message of Lean's, as tools show it. Lines and columns from 1, columns in code points.
struct DiagnosticItem {
  lean::Severity severity = lean::Severity::Error;
  std::string message;
  int line = 1;
  int column = 1;
  int end_line = 1;
  int end_column = 1;
  std::optional<std::vector<std::string>> lean_tags;

  static wire::Fields fields();
};
DiagnosticItem diagnostic_item(const text::Text& text, const lean::Diagnostic& diagnostic);

/// For agents to see: not one of the silent success signals, not an empty message.
bool is_shown(const lean::Diagnostic& diagnostic);
bool is_sorry(const lean::Diagnostic& diagnostic);
/// Shown, and of that severity, if one is given.
bool is_wanted(const lean::Diagnostic& diagnostic, std::optional<lean::Severity> severity);

struct Declaration {
  std::string name;  ///< empty where it has none
  int start_line = 1;
  int end_line = 1;
};
/// Those of a text, by the text alone.
std::vector<Declaration> declarations_in(const text::Text& text);
/// The declaration of the text that the caller means by a name (text/declaration_names.hpp). InvalidArgument
/// where there is none, or several: then with the full names to choose from.
Result<text::NamedDeclaration> declaration_named(const text::Text& text, const std::string& name,
                                                 const std::string& file);
/// The innermost one that contains the line; null where there is none.
const Declaration* declaration_at(const std::vector<Declaration>& declarations, int line);

/// Diagnostics in the order of the file, up to kMaxItems.
struct DiagnosticList {
  std::vector<DiagnosticItem> items;
  int total = 0;
  bool truncated = false;

  static wire::Fields fields();
};
DiagnosticList list_of(const text::Text& text, std::vector<const lean::Diagnostic*> diagnostics);
inline constexpr std::size_t kMaxItems = 300;  ///< further ones are reached by lines

}  // namespace leanbridge::tools
