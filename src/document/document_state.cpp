#include "leanbridge/document/document_state.hpp"

#include <algorithm>
#include <iterator>

namespace leanbridge::document {

Version DocumentState::opened(text::Text text) {
  const auto edit = text::smallest_edit(text_.str(), text.str());
  text_ = std::move(text);
  open_ = true;
  crashed_ = false;
  next_version(edit);
  return version_;
}

Version DocumentState::changed(const text::TextEdit& edit) {
  text_.apply(edit);
  next_version(edit);
  return version_;
}

void DocumentState::next_version(std::optional<text::TextEdit> edit) {
  ++version_;
  if (edit) {
    edits_.push_back({version_, std::move(*edit)});
    if (edits_.size() > kEditsKept) edits_.pop_front();
  }
  forget_answers();
}

void DocumentState::forget_answers() {
  diagnostics_.clear();
  processing_.clear();
  fatal_ = progress_known_ = diagnostics_known_ = false;
  done_version_ = -1;
}

void DocumentState::closed() {
  open_ = false;
  crashed_ = false;
  forget_answers();
}

void DocumentState::worker_lost() {
  open_ = false;
  crashed_ = true;
  forget_answers();
}

bool DocumentState::apply(lean::PublishDiagnostics message) {
  if (!open_ || message.version.value_or(version_) != version_) return false;
  if (!message.incremental) diagnostics_.clear();
  std::move(message.diagnostics.begin(), message.diagnostics.end(), std::back_inserter(diagnostics_));
  diagnostics_known_ = true;
  return true;
}

bool DocumentState::apply(const lean::FileProgress& message) {
  if (!open_ || message.version.value_or(version_) != version_) return false;
  processing_ = message.processing;
  fatal_ = std::any_of(processing_.begin(), processing_.end(), [](const auto& range) { return range.fatal; });
  progress_known_ = true;
  return true;
}

bool DocumentState::barrier_passed(Version version) {
  if (!open_ || version != version_) return false;
  done_version_ = version;
  return true;
}

bool DocumentState::elaborated_at(text::LspPosition position) const {
  if (done()) return true;
  if (!open_ || !progress_known_) return false;
  return std::none_of(processing_.begin(), processing_.end(), [&](const auto& range) {
    return range.range.start <= position && position <= range.range.end;
  });
}

bool DocumentState::elaborated_before(text::LspPosition position) const {
  if (done()) return true;
  if (!open_ || !progress_known_) return false;
  return std::none_of(processing_.begin(), processing_.end(),
                      [&](const auto& range) { return range.range.start <= position; });
}

bool DocumentState::reported_before(text::LspPosition position) const {
  if (done()) return true;
  // An empty progress list may come before the last diagnostics (Lean sends it first when nothing blocked):
  // then only the barrier tells. A range further down tells that everything before it has been reported.
  return diagnostics_known_ && !processing_.empty() && elaborated_before(position);
}

std::vector<LineRange> DocumentState::still_elaborating() const {
  std::vector<LineRange> lines;
  if (done()) return lines;
  const int last_line = std::max(1, text_.line_count());
  if (!open_ || !progress_known_) return {{1, last_line}};
  for (const auto& [range, fatal] : processing_) {
    LineRange next{static_cast<int>(range.start.line) + 1, static_cast<int>(range.end.line) + 1};
    if (range.end.character == 0 && range.end.line > range.start.line) --next.end;
    next.start = std::min(next.start, last_line);
    next.end = std::clamp(next.end, next.start, last_line);
    lines.push_back(next);
  }
  std::sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
  std::vector<LineRange> joined;
  for (const LineRange& next : lines) {
    if (!joined.empty() && next.start <= joined.back().end + 1)
      joined.back().end = std::max(joined.back().end, next.end);
    else
      joined.push_back(next);
  }
  return joined;
}

int DocumentState::lines_done() const {
  const auto lines = still_elaborating();
  return lines.empty() ? text_.line_count() : lines.front().start - 1;
}

std::optional<std::size_t> DocumentState::carry(std::size_t offset, Version version) const {
  if (version == version_) return offset;
  if (edits_.size() == kEditsKept && version + 1 < edits_.front().to) return std::nullopt;
  for (const KeptEdit& kept : edits_)
    if (kept.to > version) offset = text::map_offset(kept.edit, offset);
  return std::min(offset, text_.size());
}

}  // namespace leanbridge::document
