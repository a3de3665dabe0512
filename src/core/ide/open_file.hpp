#pragma once
/// The common part of tools about a file: parameters, opening the file, its status in the answer, diagnostics
/// and declarations.

#include "core/base/json_struct.hpp"
#include "core/base/try.hpp"
#include "core/document/document_handle.hpp"
#include "core/io/operation.hpp"
#include "core/lean/advice.hpp"
#include "core/text/lean_declarations.hpp"
#include "lean.hpp"
#include "messages.hpp"

#include <memory>
#include <optional>
#include <string>

namespace leanbridge::ide {

// --- parameters that many tools have; lines and columns count from 1, columns in code points ---

struct FileParams {
  std::string file_path;  ///< absolute, or relative to the project

  static wire::Fields fields();
};

/// A position in a file.
struct FilePosition {
  std::string file_path;
  int line = 1;
  std::optional<int> column;  ///< absent: the tool's default column of that line

  static wire::Fields fields();
};

/// A position in a file, for tools to which a line alone says too little.
struct ExactPosition {
  std::string file_path;
  int line = 1;
  int column = 1;

  FilePosition position() const { return {file_path, line, column}; }
  static wire::Fields fields();
};

/// The position in a file where names are resolved.
struct ContextPosition {
  std::optional<int> line;  ///< absent: after the imports
  std::optional<int> column;

  static wire::Fields fields();
};

/// A declaration's name, as one can write it at a position in a file.
struct NameParams {
  std::string file_path;
  std::string name;
  ContextPosition at;

  static wire::Fields fields();
};

// --- the file of a call ---

/// A file whose current text Lean has. Keeps it open during a call.
struct OpenFile : document::DocumentHandle {
  OpenFile(std::shared_ptr<document::DocumentStore> store, document::SyncReport found)
      : DocumentHandle(std::move(store), found.document.share()), synced(std::move(found)) {}

  /// Copy this for work that outlives the file's lease.
  const DocumentHandle& handle() const { return *this; }

  document::SyncReport synced;  ///< the outcome of the sync; its lease keeps the file open
};

/// Locates and synchronises a file, and makes the call report its progress.
asio::awaitable<Result<OpenFile>> open_file(Lean& lean, std::shared_ptr<io::Operation> call,
                                            std::string file_path);

/// The version that a pass of requests was about; nullopt: its results hold whatever the text is now.
using AnsweredVersion = std::optional<document::Version>;

/// Repeats a pass of requests about a document until no edit came during it, so that all its results are
/// about one text. `pass()` returns an awaitable of Result<AnsweredVersion>; an error ends the loop. It must
/// overwrite the results of the pass before, and all its waits must end with the call's scope.
template <class Pass>
asio::awaitable<Result<void>> repeat_while_edited(document::DocumentHandle document, Pass pass) {
  for (;;) {
    const Result<AnsweredVersion> answered = co_await pass();
    if (!answered) co_return tl::unexpected(answered.error());
    if (!*answered || **answered == document.state().version()) co_return Result<void>();
  }
}

/// The column of a line if the caller gave none.
enum class ColumnDefault { FirstNonBlank, LineEnd };
/// The byte offset of a line and column.
Result<std::size_t> offset_of(const OpenFile& file, int line, std::optional<int> column,
                              ColumnDefault fallback);

/// A file and the call's position in it.
struct OpenPlace {
  OpenFile file;
  document::TextAnchor anchor;  ///< the text may change while the call waits
};
asio::awaitable<Result<OpenPlace>> open_place(Lean& lean, std::shared_ptr<io::Operation> call,
                                              FilePosition position, ColumnDefault fallback);

// --- parts of an answer ---

/// Turns an empty text, which Lean did not provide, into null in the answer.
inline wire::Nullable<std::string> null_if_empty(const std::string& text) {
  return text.empty() ? wire::Nullable<std::string>() : wire::Nullable<std::string>(text);
}

/// The error of a call whose answer would be about an old version: the file `name` was changed or reopened
/// meanwhile.
tl::unexpected<Error> changed_meanwhile(const std::string& name);

/// A sentence about the line that text::find_exit() found.
std::string not_checked_below(int line);

/// Whether an answer is complete.
enum class Completeness { Complete, Partial, TimedOut };

/// The fields about the file in every answer. Flattened, and unlisted in schemas: docs/tools.md describes
/// them once for all tools.
struct FileStatus {
  wire::Nullable<document::Version> version;  ///< null if the compiler answered
  bool partial = false;
  bool timed_out = false;
  std::vector<std::array<int, 2>> still_elaborating_lines;  ///< first and last, from 1
  std::optional<std::string> reopened;                      ///< why the worker was restarted
  std::optional<std::string> fallback_for;
  std::optional<nlohmann::json> fallback;

  static wire::Fields fields();
};
FileStatus status_of(const OpenFile& file, Completeness completeness = Completeness::Complete);
/// The value, or nullopt if time ran out, which is no error here.
template <class T>
Result<std::optional<T>> in_time(Result<T> answer) {
  if (answer) return std::optional<T>(*std::move(answer));
  if (answer.error().kind == ErrorKind::Timeout) return std::optional<T>();
  return tl::unexpected(std::move(answer).error());
}
/// TimedOut if time ran out, else whether it is complete.
inline Completeness late_if(bool timed_out, bool complete = true) {
  if (timed_out) return Completeness::TimedOut;
  return complete ? Completeness::Complete : Completeness::Partial;
}

/// The line that contains a byte offset, for `line_context`.
std::string line_context(const OpenFile& file, std::size_t offset);

/// A message of Lean's in a tool's answer. Lines and columns from 1, columns in code points.
struct DiagnosticItem {
  lean::Severity severity = lean::Severity::Error;
  std::string message;
  int line = 1;
  int column = 1;
  int end_line = 1;
  int end_column = 1;
  std::optional<std::vector<std::string>> lean_tags;
  lean::MessageCategory category = lean::MessageCategory::Diagnostic;
  std::optional<std::string> hint = {};  ///< advice; also filled in by suggest_names()
  bool noise = false;                    ///< counted in brief answers, not shown

  bool is_noise() const { return noise; }
  static wire::Fields fields();
};
DiagnosticItem diagnostic_item(const text::Text& text, const lean::Diagnostic& diagnostic);

struct Declaration {
  std::string name;  ///< empty: it is unnamed
  int start_line = 1;
  int end_line = 1;
};
/// The declarations of a text, by its syntax alone.
std::vector<Declaration> declarations_in(const text::Text& text);
/// The declaration in the text that a name refers to (text/lean_declarations.hpp). InvalidArgument if there
/// is none, or if there are several; the hint then lists the full names.
Result<text::NamedDeclaration> declaration_named(const text::Text& text, const std::string& name,
                                                 const std::string& file);
/// The innermost declaration that contains the line, or null.
const Declaration* declaration_at(const std::vector<Declaration>& declarations, int line);

/// Errors, then sorries and suggestions, then others, then linters' warnings, each in the order of the file,
/// up to kMaxItems.
struct DiagnosticList {
  std::vector<DiagnosticItem> items;
  int total = 0;
  bool truncated = false;
  int linter_count = 0;  ///< how many of all messages are noise
  bool listed = true;    ///< a brief answer has `items` even if there are none

  static wire::Fields fields();
};
/// How a brief answer treats linters' warnings.
enum class LinterNoise { Shown, Counted };
DiagnosticList list_of(const Messages& messages, LinterNoise noise = LinterNoise::Shown);
/// A caller that asks for warnings gets those of linters, too.
inline LinterNoise noise_for(std::optional<lean::Severity> severity) {
  return severity ? LinterNoise::Shown : LinterNoise::Counted;
}
inline constexpr std::size_t kMaxItems = 300;  ///< callers reach the rest by line range

}  // namespace leanbridge::ide
