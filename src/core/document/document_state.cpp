#include "document_state.hpp"

#include <algorithm>

namespace leanbridge::document {

Version DocumentState::opened(text::Text text) {
  if (const auto edit = text::smallest_edit(text_.str(), text.str())) keep(*edit);
  text_ = std::move(text);
  open_ = true;
  crashed_ = header_loaded_ = false;
  next_version();
  return version_;
}

Version DocumentState::changed(const text::TextEdit& edit) {
  keep(edit);
  text_.apply(edit);
  next_version();
  return version_;
}

// Remembers an edit, which leads to the next version. Call it before the edit is applied.
void DocumentState::keep(const text::TextEdit& edit) {
  edits_.push_back({next(), text::split_by_lines(edit, text_.str())});
  if (edits_.size() > kEditsKept) edits_.pop_front();
  layout_.edited(edit.byte_start, text_.size() - edit.byte_end);
}

void DocumentState::next_version() {
  version_ = next();
  forget_answers();
}

void DocumentState::forget_answers() {
  diagnostics_.clear();
  setup_output_.clear();
  processing_.clear();
  reported_ = {};
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
  setup_output_.clear();
  bool says_something = message.diagnostics.empty();
  for (lean::Diagnostic& diagnostic : message.diagnostics) {
    if (diagnostic.is_setup_output) {
      setup_output_ = std::move(diagnostic.message);
      continue;
    }
    diagnostics_.push_back(std::move(diagnostic));
    says_something = true;
  }
  diagnostics_known_ = diagnostics_known_ || says_something;
  note_reported();
  return true;
}

bool DocumentState::apply(const lean::FileProgress& message) {
  if (!open_ || message.version.value_or(version_) != version_) return false;
  processing_ = message.processing;
  fatal_ = std::ranges::any_of(processing_, [](const auto& range) { return range.fatal; });
  progress_known_ = true;
  note_reported();
  return true;
}

// Lean may send an empty progress list before the last diagnostics (it comes first if nothing blocked), so
// only the barrier tells then. A range proves that everything before it has been reported, and stays
// reported.
void DocumentState::note_reported() {
  if (!diagnostics_known_ || processing_.empty()) return;
  const auto first = std::ranges::min_element(
      processing_, [](const auto& a, const auto& b) { return a.range.start < b.range.start; });
  reported_ = std::max(reported_, first->range.start);
}

bool DocumentState::barrier_passed(Version version) {
  if (!open_ || version != version_) return false;
  done_version_ = version;
  header_loaded_ = header_loaded_ || !header_failed();
  return true;
}

bool DocumentState::elaborated_at(text::LspPosition position) const {
  if (done()) return true;
  if (!open_ || !progress_known_) return false;
  return std::ranges::none_of(processing_, [&](const auto& range) {
    return range.range.start <= position && position <= range.range.end;
  });
}

bool DocumentState::reported_before(text::LspPosition position) const {
  return done() || (open_ && position < reported_);
}

bool DocumentState::reported_between(text::LspPosition start, text::LspPosition end) const {
  if (reported_before(end)) return true;
  if (!open_ || !progress_known_ || !diagnostics_known_ || processing_.empty()) return false;
  return std::ranges::none_of(
      processing_, [&](const auto& range) { return range.range.start <= end && start <= range.range.end; });
}

std::vector<LineRange> DocumentState::still_elaborating() const {
  std::vector<LineRange> lines;
  if (done()) return lines;
  const int last_line = std::max(1, text_.line_count());
  if (!open_ || !progress_known_) return {{1, last_line}};
  // Lean may name lines that the text does not have, even huge numbers.
  const auto number = [last_line](std::uint32_t line) {
    return static_cast<int>(std::min<std::uint32_t>(line, static_cast<std::uint32_t>(last_line) - 1)) + 1;
  };
  for (const auto& [range, fatal] : processing_) {
    const bool ends_before = range.end.character == 0 && range.end.line > range.start.line;
    LineRange next{number(range.start.line), number(ends_before ? range.end.line - 1 : range.end.line)};
    next.end = std::max(next.end, next.start);
    lines.push_back(next);
  }
  std::ranges::sort(lines, [](const auto& a, const auto& b) { return a.start < b.start; });
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

std::optional<std::size_t> DocumentState::resolve(const TextAnchor& anchor) const {
  auto [offset, version, seen] = anchor;
  if (version == version_) return offset;
  if (edits_.size() == kEditsKept && version + 1 < edits_.front().to) return std::nullopt;
  for (const KeptEdit& edit : edits_) {
    if (edit.to <= version) continue;
    // Starts with the last shape, which leaves the offsets of the ones before it as they are.
    for (auto shape = edit.shapes.rbegin(); shape != edit.shapes.rend(); ++shape) {
      const bool begins_line = seen && seen->character == 0;
      const bool replaced = (shape->byte_start < offset || (begins_line && shape->byte_start == offset)) &&
                            offset < shape->byte_end;
      if (seen && replaced) return text_.offset_at(*seen);
      offset = text::map_offset(*shape, offset);
    }
  }
  return std::min(offset, text_.size());
}

}  // namespace leanbridge::document
