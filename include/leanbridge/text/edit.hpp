#pragma once
/// One replacement in a text, the smallest one between two versions of a file, and what it does to offsets.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace leanbridge::text {

/// Replace the bytes [byte_start, byte_end) of the old text by `replacement`.
struct TextEdit {
  std::size_t byte_start = 0;
  std::size_t byte_end = 0;
  std::string replacement;

  friend bool operator==(const TextEdit&, const TextEdit&) = default;
};

/// What turns `before` into `after` when their common prefix and suffix are kept; nullopt when they are
/// equal. Neither end of the edit lies inside a UTF-8 sequence or between `\r` and `\n`, in either text.
std::optional<TextEdit> smallest_edit(std::string_view before, std::string_view after);

/// The text after the edit, which must lie inside `before` (asserted). (Not `apply`: a call would find
/// std::apply.)
std::string apply_edit(const TextEdit& edit, std::string_view before);

/// What of an edit matters to offsets: everything but the text. It may be kept for long.
struct EditShape {
  std::size_t byte_start = 0;
  std::size_t byte_end = 0;
  std::size_t new_size = 0;

  EditShape(const TextEdit& edit)  // NOLINT(google-explicit-constructor): every edit has one
      : byte_start(edit.byte_start), byte_end(edit.byte_end), new_size(edit.replacement.size()) {}
};

/// Where the byte `offset` of the old text is after the edit: an offset up to the start of the edit stays,
/// one from its end on is shifted, one strictly inside goes to the start of the edit. So a place at an
/// insertion stays before the inserted text.
std::size_t map_offset(const EditShape& edit, std::size_t offset);

}  // namespace leanbridge::text
