#pragma once
/// Questions that Lean has no request for: asked as commands (or a tactic) after the beginning of the user's
/// file, in a scratch document. Private to this module.

#include "leanbridge/document/scratch_pool.hpp"

#include "open_file.hpp"

#include <memory>
#include <string>
#include <vector>

namespace leanbridge::tools {

// --- where ---

/// The beginning of the user's file that a question is asked after.
struct Context {
  std::string text;
  std::filesystem::path file = {};  ///< the user's (real path): of its library is the question, too
  bool in_proof = false;            ///< a tactic can stand here; else a command
  std::size_t indent = 0;           ///< of that tactic, in code points
};

/// The context of a position: before the command that it is in; without one, the end of the
/// header.
Result<Context> command_context(const OpenFile& file, const ContextPosition& at);
/// After the last declaration, in its namespace.
Context whole_context(const OpenFile& file);
/// Where the position is in a proof with a goal left: before the tactic there, or after it where the position
/// is after it. nullopt elsewhere. Errors of goals_at().
asio::awaitable<Result<std::optional<Context>>> proof_context(const OpenFile& file, std::size_t offset,
                                                              io::CancelScope scope);
/// Byte offset where the command that the offset is in begins.
std::size_t command_start(const std::string& source, std::size_t offset);

// --- what ---

/// Commands and what Lean has said of them. Holds its scratch document.
class Asked {
 public:
  Asked(document::Scratch scratch, std::vector<std::size_t> starts);

  /// The scratch document, for further questions about it.
  const OpenFile& file() const { return file_; }
  /// Byte offset of a command; that of its end for the number of commands.
  std::size_t start(std::size_t command) const { return starts_[command]; }
  std::size_t commands() const { return starts_.size() - 1; }
  std::vector<const lean::Diagnostic*> diagnostics(std::size_t command) const;
  /// The text of the command's first message of that severity; nullopt where there is none.
  std::optional<std::string> message(std::size_t command, lean::Severity severity) const;
  bool failed(std::size_t command) const { return message(command, lean::Severity::Error).has_value(); }
  document::Scratch& scratch() { return scratch_; }

 private:
  document::Scratch scratch_;
  OpenFile file_;
  std::vector<std::size_t> starts_;
};

/// Appends the commands, each on a line of its own, and waits until each has got its message, or failed.
/// Timeout, LeanUnavailable where the header fails, WorkerCrashed.
asio::awaitable<Result<std::shared_ptr<Asked>>> ask_in_scratch(std::shared_ptr<document::DocumentStore> table,
                                                               Context context,
                                                               std::vector<std::string> commands,
                                                               io::CancelScope scope);

/// For each command that was a `#check`, the type: what Lean itself put after the colon. nullopt where the
/// answer has another shape, or is an error.
asio::awaitable<std::vector<std::optional<std::string>>> checked_types(std::shared_ptr<Asked> asked,
                                                                       io::CancelScope scope);

/// Asks about a name: `before`NAME for each of `commands`. Where the name is unknown at the end of the
/// header, no position was given and the file itself declares it, the context is that of its last
/// declaration. InvalidArgument where Lean knows no such name, in Lean's words. The first command must fail
/// for an unknown name.
asio::awaitable<Result<std::shared_ptr<Asked>>> ask_about_name(const OpenFile& file, NameParams params,
                                                               std::vector<std::string> commands,
                                                               io::CancelScope scope);

}  // namespace leanbridge::tools
