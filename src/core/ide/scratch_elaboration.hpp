#pragma once
/// Elaborates a whole text in a scratch document.

#include "core/document/scratch_pool.hpp"
#include "open_file.hpp"
#include "symbols.hpp"

#include <memory>
#include <string>
#include <vector>

namespace leanbridge::ide {

struct Trial {
  text::Text text;
  std::vector<lean::Diagnostic> diagnostics;
  bool complete = false;       ///< the whole text is elaborated; false: time ran out
  bool header_failed = false;  ///< Lean gave up at the imports
  std::vector<document::LineRange> still_elaborating;
  std::vector<Symbol> unannounced;  ///< theorems that Lean did not announce; empty unless complete

  /// The whole text is elaborated without an error, and Lean has announced each theorem that is no sorry.
  bool is_accepted() const;
  Messages messages() const { return Messages(text, diagnostics); }
};

/// Why a trial whose header failed says nothing, as a sentence.
std::string imports_not_loaded(const Trial& trial);

/// Elaborates `text` as a file that belongs to no library, and makes the call report its progress. Running
/// out of time is not an error: see `complete`. Errors: WorkerCrashed, Cancelled, LeanUnavailable; Timeout if
/// no scratch document became free.
asio::awaitable<Result<Trial>> elaborate_text(std::shared_ptr<io::Operation> call,
                                              std::shared_ptr<document::DocumentStore> project,
                                              std::string text, io::CancelScope scope);
/// Elaborates `text` in place of `file`, with the options of its library.
asio::awaitable<Result<Trial>> elaborate_text(std::shared_ptr<io::Operation> call, const OpenFile& file,
                                              std::string text, io::CancelScope scope);

/// A trial whose scratch document stays in use, so that more can be asked about its text.
struct HeldTrial : Trial {
  std::shared_ptr<const document::Scratch> scratch;
};
/// Elaborates a text in place of `file`, as elaborate_text() does, for callers with further questions.
asio::awaitable<Result<HeldTrial>> elaborate_and_hold(std::shared_ptr<io::Operation> call,
                                                      const OpenFile& file, std::string text,
                                                      io::CancelScope scope);

/// The two halves of elaborate_and_hold(), for callers that watch the worker in between: the text is given to
/// a scratch document; then its elaboration is waited for.
asio::awaitable<Result<std::shared_ptr<const document::Scratch>>> begin_elaboration(
    std::shared_ptr<io::Operation> call, const OpenFile& file, std::string text, io::CancelScope scope);
asio::awaitable<Result<HeldTrial>> end_elaboration(std::shared_ptr<io::Operation> call,
                                                   std::shared_ptr<const document::Scratch> scratch,
                                                   io::CancelScope scope);

/// The fields about a trial that every answer from one has.
struct TrialStatus {
  bool partial = false;
  bool timed_out = false;
  std::vector<std::array<int, 2>> still_elaborating_lines;  ///< first and last, from 1

  static wire::Fields fields();
};
TrialStatus status_of(const Trial& trial);

/// The messages that agents should see, up to kMaxItems.
struct TrialMessages : DiagnosticList {
  static wire::Fields fields();
};
TrialMessages messages_of(const Messages& all);

}  // namespace leanbridge::ide
