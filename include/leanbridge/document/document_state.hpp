#pragma once
/// What is known of one file: the mirror of its text, and what Lean has said of the current version of it.
/// Pure: no I/O, no waiting. Events in (our edits, Lean's pushes), predicates out; document.hpp adds the
/// waiting.

#include "leanbridge/lean/messages.hpp"
#include "leanbridge/text/text.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::document {

/// Increases with every text sent to Lean, across close and reopen too, so that what an earlier life of the
/// file says late is recognised.
using Version = std::int64_t;

/// Both ends included, 1-based.
struct LineRange {
  int start = 1;
  int end = 1;
  friend bool operator==(const LineRange&, const LineRange&) = default;
};

/// A byte offset in the text of a version, to be found again after edits (DocumentState::resolve).
struct TextAnchor {
  std::size_t offset = 0;
  Version version = 0;
  std::optional<text::LspPosition> seen = std::nullopt;  ///< its line and character in that version
};

/// | event                                | Lean's word about the text                        |
/// |--------------------------------------|----------------------------------------------------|
/// | opened(), changed()                  | all forgotten: nothing is known of the new version |
/// | diagnostics, progress of the version | kept; incremental diagnostics are appended         |
/// | what lake prints for the imports     | kept apart: about no text                          |
/// | of another version, or while closed  | dropped: stale                                     |
/// | barrier_passed() of the version      | complete: done() holds until the next text         |
/// | worker_lost()                        | forgotten; crashed() holds until opened()          |
class DocumentState {
 public:
  /// Its versions are above `forgotten`: that of an earlier life of the file which nothing else is known of.
  explicit DocumentState(Version forgotten = 0) : forgotten_(forgotten) {}

  bool open() const { return open_; }
  bool crashed() const { return crashed_; }
  Version version() const { return version_; }
  const text::Text& text() const { return text_; }

  /// A worker begins with this text.
  Version opened(text::Text text);
  /// The running worker gets this edit of the text.
  Version changed(const text::TextEdit& edit);
  void closed();
  void worker_lost();

  /// False when the message is about another version: nothing has changed then. A fatal range in a text that
  /// was done means that its worker has died: worker_lost() is for the caller to decide (see
  /// header_failed()).
  bool apply(lean::PublishDiagnostics message);
  bool apply(const lean::FileProgress& message);
  /// The answer to the barrier of `version` came: everything of it has been reported.
  bool barrier_passed(Version version);

  /// All of the text is elaborated and reported.
  bool done() const { return open_ && done_version_ == version_; }
  /// Nothing that contains the position is still to be elaborated.
  bool elaborated_at(text::LspPosition position) const;
  /// Nothing that contains, or begins before, the position is still to be elaborated.
  bool elaborated_before(text::LspPosition position) const;
  /// The same, and the diagnostics of what lies before the position have been reported.
  bool reported_before(text::LspPosition position) const;
  /// Nothing that overlaps the range is still to be elaborated, and its diagnostics have been reported. What
  /// stands before it may still be at work: proofs are elaborated side by side.
  bool reported_between(text::LspPosition start, text::LspPosition end) const;
  /// Lean gave up at the header (imports missing, broken or out of date): nothing below it is elaborated.
  bool header_failed() const { return fatal_ && progress_known_; }
  /// The same, and why has been reported: this worker will not try again.
  bool gave_up_at_header() const { return header_failed() && done(); }

  /// Lean is through with the header, or has given up at it. An empty progress list says neither: where the
  /// imports cannot be loaded it comes just before the fatal range.
  bool header_settled() const { return done() || (lines_done() > 0 && !processing_.empty()); }

  /// Of the current version only, in Lean's order; possibly incomplete unless done(). Without what lake
  /// prints.
  const std::vector<lean::Diagnostic>& diagnostics() const { return diagnostics_; }
  /// What lake printed last while it makes the imports ready; empty when it does not.
  const std::string& setup_output() const { return setup_output_; }
  /// Lines not yet elaborated, joined and in order; the whole file while nothing is known; empty when done().
  std::vector<LineRange> still_elaborating() const;
  /// Lines before the first one that is still elaborated; for progress.
  int lines_done() const;

  /// The place of a byte offset of the current text.
  TextAnchor anchor(std::size_t offset) const { return {offset, version_, text_.lsp_position_at(offset)}; }
  /// Where a place is now; nullopt when its version is too old to tell. Where its text was replaced, the same
  /// line (moved with what went above it) and character if they are known, else where the replacement begins.
  std::optional<std::size_t> resolve(const TextAnchor& place) const;

 private:
  static constexpr std::size_t kEditsKept = 256;
  struct KeptEdit {
    Version to = 0;
    text::EditShape shape;
    std::uint32_t last_line = 0;  // 0-based: where the removed text ended
    std::int64_t more_lines = 0;  // than before
  };
  void forget_answers();
  void keep(const text::TextEdit& edit);
  Version next() const { return std::max(version_, forgotten_) + 1; }
  void next_version();

  Version forgotten_;
  bool open_ = false;
  bool crashed_ = false;
  bool fatal_ = false;
  bool progress_known_ = false;
  bool diagnostics_known_ = false;
  Version version_ = 0;
  Version done_version_ = -1;
  text::Text text_;
  std::vector<lean::Diagnostic> diagnostics_;
  std::string setup_output_;
  std::vector<lean::ProcessingRange> processing_;
  std::deque<KeptEdit> edits_;
};

}  // namespace leanbridge::document
