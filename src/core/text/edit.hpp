#pragma once
/// Replacements in a text: the smallest one between two versions of a file, and its effect on offsets.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::text {

/// Replaces the bytes [byte_start, byte_end) of the old text by `replacement`.
struct TextEdit {
  std::size_t byte_start = 0;
  std::size_t byte_end = 0;
  std::string replacement;

  friend bool operator==(const TextEdit&, const TextEdit&) = default;
};

/// The edit that turns `before` into `after` and keeps their common prefix and suffix; nullopt if they are
/// equal. Neither end of the edit is inside a UTF-8 sequence or between `\r` and `\n`, in either text.
std::optional<TextEdit> smallest_edit(std::string_view before, std::string_view after);

/// The text after the edit, which must be inside `before` (asserted). Not named `apply`: argument-dependent
/// lookup would find std::apply.
std::string apply_edit(const TextEdit& edit, std::string_view before);

/// The part of an edit that matters to offsets: everything except the text. Cheap to keep.
struct EditShape {
  std::size_t byte_start = 0;
  std::size_t byte_end = 0;
  std::size_t new_size = 0;
  bool inserts_lines = false;  ///< whole lines are inserted above the line that begins at byte_start; only
                               ///< split_by_lines() knows

  EditShape(const TextEdit& edit)  // NOLINT(google-explicit-constructor): every edit has a shape
      : byte_start(edit.byte_start), byte_end(edit.byte_end), new_size(edit.replacement.size()) {}
};

/// The same change as several edits, which keep the lines that both texts have in the same order. A line
/// counts as the same if it occurs once in the removed and once in the added text, and so do equal lines next
/// to it. Offsets refer to `before`, which the edit applies to; the edits are in order and do not overlap.
std::vector<EditShape> split_by_lines(const TextEdit& edit, std::string_view before);

/// Maps a byte offset of the old text to the new one: an offset up to the start of the edit stays, one at or
/// after its end is shifted, and one strictly inside moves to the start. So an offset at an insertion stays
/// before the inserted text. Where whole lines are inserted, however, the start of the line below moves with
/// that line.
std::size_t map_offset(const EditShape& edit, std::size_t offset);

}  // namespace leanbridge::text
