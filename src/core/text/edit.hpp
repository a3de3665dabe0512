#pragma once
/// Replacements in a text: the smallest one between two versions of a file, and how it moves offsets.

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
  bool inserts_lines =
      false;  ///< whole lines above the one that begins at byte_start; only split_by_lines() knows

  EditShape(const TextEdit& edit)  // NOLINT(google-explicit-constructor): every edit has one
      : byte_start(edit.byte_start), byte_end(edit.byte_end), new_size(edit.replacement.size()) {}
};

/// The same change as edits that keep the lines found in both texts, in the same order. Only a line that
/// occurs once in what is removed and once in what is added is known to be the same line, and those like it
/// beside it. Offsets are of `before`; the edits are in order and do not overlap. For an edit of `before`.
std::vector<EditShape> split_by_lines(const TextEdit& edit, std::string_view before);

/// Maps a byte offset of the old text to the new one: an offset up to the start of the edit stays, one at or
/// after its end is shifted, and one strictly inside moves to the start. So an offset at an insertion stays
/// before the inserted text; but where whole lines are inserted, the start of the line below moves with it.
std::size_t map_offset(const EditShape& edit, std::size_t offset);

}  // namespace leanbridge::text
