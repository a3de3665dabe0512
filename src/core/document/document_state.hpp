#pragma once
/// Our knowledge about one file: Lean's copy of its text, and Lean's reports about the current version. Pure:
/// no I/O and no waiting. Events go in (our edits, Lean's notifications), predicates come out; document.hpp
/// adds the waiting.

#include "core/lean/messages.hpp"
#include "core/text/proof_part.hpp"
#include "core/text/text.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::document {

/// Increases with every text sent to Lean, across close and reopen, so that late messages about an earlier
/// text are recognised.
using Version = std::int64_t;

/// A range of lines, 1-based, both ends included.
struct LineRange {
  int start = 1;
  int end = 1;
  friend bool operator==(const LineRange&, const LineRange&) = default;
};

/// A byte offset in the text of one version. DocumentState::resolve() finds it again after edits.
struct TextAnchor {
  std::size_t offset = 0;
  Version version = 0;
  std::optional<text::LspPosition> seen = std::nullopt;  ///< its line and character in that version, if known
};

/// | event                                | what Lean has said about the text                  |
/// |--------------------------------------|----------------------------------------------------|
/// | opened(), changed()                  | forgotten: nothing is known of the new version     |
/// | diagnostics, progress of the version | kept; incremental diagnostics are appended         |
/// | what lake prints for the imports     | kept apart: it is not about the text               |
/// | of another version, or while closed  | dropped: stale                                     |
/// | barrier_passed() of the version      | complete: done() holds until the next text         |
/// | worker_lost()                        | forgotten; crashed() holds until opened()          |
class DocumentState {
 public:
  /// Its versions begin above `forgotten`, the last version of a file that was forgotten altogether.
  explicit DocumentState(Version forgotten = 0) : forgotten_(forgotten) {}

  bool open() const { return open_; }
  bool crashed() const { return crashed_; }
  Version version() const { return version_; }
  const text::Text& text() const { return text_; }

  /// The part of a proof that contains [from, to) of the current text; see text::proof_part().
  std::optional<text::ProofPart> proof_part(std::size_t from, std::size_t to) const {
    return text::proof_part(text_.str(), layout_, from, to);
  }
  /// The layout of the current text. A question about it may read the parts that an edit has changed.
  text::ProofLayout& layout() const { return layout_; }

  /// Records that a worker starts with this text.
  Version opened(text::Text text);
  /// Records that the running worker gets this edit of the text.
  Version changed(const text::TextEdit& edit);
  void closed();
  void worker_lost();

  /// Records a message. False if it is about another version; then nothing changes. A fatal range after the
  /// worker has loaded the header, or in a text that was done, means that the worker has died: call
  /// worker_lost() then.
  bool apply(lean::PublishDiagnostics message);
  bool apply(const lean::FileProgress& message);
  /// Records the answer to the barrier of `version`: everything about it has been reported.
  bool barrier_passed(Version version);

  /// The whole text is elaborated and reported.
  bool done() const { return open_ && done_version_ == version_; }
  /// The elaboration of the position is complete.
  bool elaborated_at(text::LspPosition position) const;
  /// The elaboration is complete up to and including the position, and the diagnostics before it have been
  /// reported.
  bool reported_before(text::LspPosition position) const;
  /// The elaboration of the range is complete, and its diagnostics have been reported. The text before it may
  /// still be elaborating: Lean elaborates proofs in parallel.
  bool reported_between(text::LspPosition start, text::LspPosition end) const;
  /// Lean gave up at the header (imports missing, broken or out of date): nothing below it is elaborated.
  bool header_failed() const { return fatal_ && progress_known_; }
  /// This worker has elaborated a text. (A changed header takes another worker, see opened().)
  bool header_loaded() const { return header_loaded_; }
  /// The header failed, and the reason has been reported: this worker will not try again.
  bool gave_up_at_header() const { return header_failed() && done(); }

  /// Lean has finished the header or given up at it. An empty progress list means neither: if the imports
  /// cannot be loaded, it precedes the fatal range.
  bool header_settled() const { return done() || (lines_done() > 0 && !processing_.empty()); }

  /// The diagnostics of the current version, in Lean's order, without lake's output. Possibly incomplete
  /// unless done().
  const std::vector<lean::Diagnostic>& diagnostics() const { return diagnostics_; }
  /// The last line that lake printed while it prepares the imports; empty at other times.
  const std::string& setup_output() const { return setup_output_; }
  /// The lines that are not elaborated yet, merged and in order: the whole file while nothing is known, none
  /// when done().
  std::vector<LineRange> still_elaborating() const;
  /// The number of lines before the first one that is still elaborating, for progress.
  int lines_done() const;

  /// Anchors a byte offset of the current text.
  TextAnchor anchor(std::size_t offset) const { return {offset, version_, text_.lsp_position_at(offset)}; }
  /// The anchor's offset in the current text; nullopt if its version is too old to tell. A place moves with
  /// its line. If that line was replaced, the new text there may be about something else. The result is then
  /// the line and character where the anchor was seen, in the current text, as if the caller asked again; for
  /// an anchor without them, the beginning of the replacement.
  std::optional<std::size_t> resolve(const TextAnchor& anchor) const;

 private:
  static constexpr std::size_t kEditsKept = 256;
  struct KeptEdit {
    Version to = 0;
    std::vector<text::EditShape> shapes;  // in the order of the text
  };
  void forget_answers();
  void note_reported();
  void keep(const text::TextEdit& edit);
  Version next() const { return std::max(version_, forgotten_) + 1; }
  void next_version();

  Version forgotten_;
  bool open_ = false;
  bool crashed_ = false;
  bool fatal_ = false;
  bool progress_known_ = false;
  bool diagnostics_known_ = false;
  bool header_loaded_ = false;
  Version version_ = 0;
  Version done_version_ = -1;
  text::Text text_;
  mutable text::ProofLayout layout_;  // of text_, as far as it was needed
  std::vector<lean::Diagnostic> diagnostics_;
  std::string setup_output_;
  std::vector<lean::ProcessingRange> processing_;
  text::LspPosition reported_;  // everything before it in the current version is reported
  std::deque<KeptEdit> edits_;
};

}  // namespace leanbridge::document
