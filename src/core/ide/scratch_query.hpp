#pragma once
/// Questions for which Lean has no request. A scratch document runs them as commands (or a tactic) after the
/// beginning of the user's file.

#include "core/document/scratch_pool.hpp"
#include "open_file.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace leanbridge::ide {

// --- the context of the commands ---

/// The beginning of the user's file, after which the commands run.
struct Context {
  std::string text;
  std::filesystem::path file = {};  ///< the user's file (real path): its library's options apply
  bool in_proof = false;            ///< true: the position takes a tactic; false: a command
  std::size_t indent = 0;           ///< of that tactic, in code points
  std::string rest = {};            ///< the text after the commands: the end of a `mutual` block
};

/// The context before the command that contains the position; without a position, the file's header.
Result<Context> command_context(const OpenFile& file, const ContextPosition& at);
/// The context after the last declaration, in its namespace.
Context whole_context(const OpenFile& file);
/// The context for a question about names: with a position, as above; without one, the header suffices unless
/// the file itself declares a name for which `is_asked` holds.
Result<Context> context_for_names(const OpenFile& file, const ContextPosition& at,
                                  const std::function<bool(const std::string&)>& is_asked);
/// The context at a position in a proof that has a goal left: before the tactic there, or after it if the
/// position is behind it. nullopt elsewhere. Errors: those of goals_at().
asio::awaitable<Result<std::optional<Context>>> proof_context(const OpenFile& file, std::size_t offset,
                                                              io::CancelScope scope);
/// The byte offset where the command that contains `offset` begins.
std::size_t command_start(const std::string& source, std::size_t offset);

// --- the commands and their answers ---

/// Commands and Lean's messages about them. Holds their scratch document.
class CommandAnswers {
 public:
  CommandAnswers(document::Scratch scratch, std::vector<std::size_t> starts);

  /// The scratch document, for further requests.
  const OpenFile& file() const { return file_; }
  /// The byte offset of a command; start(commands()) is the end of the last one.
  std::size_t start(std::size_t command) const { return starts_[command]; }
  std::size_t commands() const { return starts_.size() - 1; }
  Messages messages(std::size_t command) const;
  /// The command's first message of that severity, if any.
  std::optional<std::string> message(std::size_t command, lean::Severity severity) const;
  bool failed(std::size_t command) const { return message(command, lean::Severity::Error).has_value(); }
  document::Scratch& scratch() { return scratch_; }

 private:
  document::Scratch scratch_;
  OpenFile file_;
  std::vector<std::size_t> starts_;
};

/// Appends the commands, one per line, and waits until each has produced a message. Errors: Timeout,
/// LeanUnavailable if the header failed, WorkerCrashed.
asio::awaitable<Result<std::shared_ptr<CommandAnswers>>> ask_in_scratch(
    std::shared_ptr<document::DocumentStore> store, Context context, std::vector<std::string> commands,
    io::CancelScope scope);

/// The type that each `#check` command printed after the colon. nullopt for a message of another form, or an
/// error.
asio::awaitable<std::vector<std::optional<std::string>>> checked_types(std::shared_ptr<CommandAnswers> asked,
                                                                       io::CancelScope scope);

/// Runs each of `commands` with the name appended. If the name is unknown after the header, no position was
/// given and the file itself declares it, runs them again after the last declaration. Errors: InvalidArgument
/// with Lean's own message if the name is unknown. The first command must fail for an unknown name.
asio::awaitable<Result<std::shared_ptr<CommandAnswers>>> ask_about_name(const OpenFile& file,
                                                                        NameParams params,
                                                                        std::vector<std::string> commands,
                                                                        io::CancelScope scope);

}  // namespace leanbridge::ide
