// Edits and positions: an edit does what it says, and a position survives each encoding.

#include "core/document/document_state.hpp"
#include "core/text/file_uri.hpp"
#include "core/text/lines.hpp"
#include "core/text/utf8.hpp"
#include "fuzz.hpp"

#include <algorithm>

namespace leanbridge::fuzz {
namespace {

using text::Text;
using text::TextEdit;

// May a position be here? Not inside a code point, nor between `\r` and `\n`.
bool is_place(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return offset == text.size();
  if (text::is_continuation_byte(text[offset])) return false;
  return offset == 0 || text[offset] != '\n' || text[offset - 1] != '\r';
}

void same_lines(const Text& a, const Text& b) {
  require(a == b && a.addressable_lines() == b.addressable_lines() && a.line_count() == b.line_count(),
          "an edited text is the text");
  for (std::size_t i = 0; i < a.addressable_lines(); ++i)
    require(a.line_start(i) == b.line_start(i) && a.line_end(i) == b.line_end(i),
            "lines start where they did");
}

void check_shape(const TextEdit& edit, std::string_view before, std::string_view after) {
  for (const std::size_t end : {edit.byte_start, edit.byte_end})
    require(is_place(before, end), "an edit ends where a position may be");
  require(is_place(after, edit.byte_start) && is_place(after, edit.byte_start + edit.replacement.size()),
          "an edit ends where a position may be, afterwards");
}

void check_edit(std::string_view before, std::string_view after, bool valid) {
  const auto edit = text::smallest_edit(before, after);
  require(edit.has_value() == (before != after), "texts that differ have an edit");
  if (!edit) return;
  require(text::apply_edit(*edit, before) == after, "the edit leads to the text");
  if (valid) check_shape(*edit, before, after);
  Text edited{std::string(before)};
  edited.apply(*edit);
  same_lines(edited, Text(std::string(after)));

  std::size_t last = 0;
  for (std::size_t offset = 0; offset <= before.size(); ++offset) {
    const std::size_t now = text::map_offset(*edit, offset);
    require(now >= last && now <= after.size(), "offsets keep their order");
    if (offset < edit->byte_start || (offset >= edit->byte_end && offset > edit->byte_start))
      require(before.substr(offset, 1) == after.substr(now, 1), "what was not replaced is found again");
    last = now;
  }
}

// The same in another way: counts units one code point at a time.
std::size_t utf16_units(std::string_view valid) {
  std::size_t units = 0;
  for (const char c : valid)
    if (!text::is_continuation_byte(c)) units += static_cast<unsigned char>(c) >= 0xF0U ? 2 : 1;
  return units;
}

void check_positions(const Text& text, Choices& choices) {
  const std::string_view all = text.str();
  std::size_t line = 0;
  for (std::size_t offset = 0; offset <= all.size(); ++offset) {
    if (offset > 0 && all[offset - 1] == '\n') ++line;
    const auto lsp = text.lsp_position_at(offset);
    const auto position = text.position_at(offset);
    require(text.line_at(offset) == line && lsp.line == line, "lines are counted by their ends");
    require(text.position_at(lsp) == position, "both encodings name one place");
    const auto back = text.offset_of(position, "f");
    require(back && *back == text.offset_at(lsp) && *back <= offset, "a position that we say is one");
    if (!is_place(all, offset)) continue;
    require(*back == offset, "a place comes back");
    require(lsp.character == utf16_units(all.substr(text.line_start(line), offset - text.line_start(line))),
            "characters are UTF-16 units");
  }
  for (int i = 0; i < 8; ++i) {
    const text::LspPosition lsp{static_cast<std::uint32_t>(choices.below(line + 3)),
                                static_cast<std::uint32_t>(choices.below(all.size() + 3))};
    const std::size_t offset = text.offset_at(lsp);
    require(is_place(all, offset), "what Lean says means a place");
    require(text.lsp_position_at(offset) <= std::max(lsp, text.lsp_position_at(all.size())),
            "it is not moved on");
    const text::Position position{static_cast<int>(choices.below(line + 4)) - 1,
                                  static_cast<int>(choices.below(all.size() + 4)) - 1};
    if (const auto at = text.offset_of(position, "f"))
      require(text.position_at(*at) == position, "a position that is accepted comes back");
    const int column = text.first_non_blank_column(position.line);
    require(column >= 1 && column <= text.end_column(position.line), "columns are in their line");
  }
}

void check_replacement(std::string_view content, std::string_view by, Choices& choices) {
  const Text text{std::string(content)};
  const auto lines = static_cast<std::size_t>(text.line_count());
  const int start = static_cast<int>(choices.below(lines + 3));
  const int end = start - 1 + static_cast<int>(choices.below(lines + 3));
  const auto replaced = text::replace_lines(content, start, end, by, "f");
  if (!replaced) return;
  require(start >= 1 && end <= static_cast<int>(lines), "there were such lines");
  const std::string_view now = replaced->content;
  std::string_view above = content.substr(0, text.line_start(static_cast<std::size_t>(start) - 1));
  if (!content.ends_with('\n') && above.ends_with('\n')) above.remove_suffix(1);  // if nothing follows it
  if (!content.ends_with('\n') && above.ends_with('\r')) above.remove_suffix(1);
  require(now.starts_with(above), "lines above stay");
  if (end < static_cast<int>(lines))
    require(now.ends_with(content.substr(text.line_start(static_cast<std::size_t>(end)))),
            "lines below stay");
  require(replaced->old_line_count == end - start + 1, "so many lines are replaced");
  if (!content.ends_with('\n')) return;  // an empty last line without an ending does not count
  require(Text(std::string(now)).line_count() ==
              static_cast<int>(lines) - replaced->old_line_count + replaced->new_line_count,
          "lines add up");
}

// Is the place in no line that the edit touches? The start of a line below it is.
bool is_apart(const TextEdit& edit, std::string_view before, std::size_t offset) {
  const std::string_view above = before.substr(0, edit.byte_start), below = before.substr(edit.byte_end);
  const std::size_t first = above.rfind('\n') + 1, line_end = below.find('\n');
  return offset < first || (line_end != below.npos && offset > edit.byte_end + line_end);
}

// What lies between the parts of an edit is the same in both texts.
void check_split(const TextEdit& edit, std::string_view before, std::string_view after) {
  std::size_t old_from = 0, new_from = 0;
  for (const text::EditShape& shape : text::split_by_lines(edit, before)) {
    require(
        old_from <= shape.byte_start && shape.byte_start <= shape.byte_end && shape.byte_end <= before.size(),
        "parts of an edit are in order");
    const std::size_t kept = shape.byte_start - old_from;
    require(before.substr(old_from, kept) == after.substr(std::min(new_from, after.size()), kept),
            "what lies between the parts of an edit is kept");
    new_from += kept + shape.new_size;
    old_from = shape.byte_end;
  }
  require(before.substr(old_from) == after.substr(std::min(new_from, after.size())), "the rest is kept");
}

// A document that gets all texts one after another, with positions in each.
void check_carry(const std::vector<std::string>& texts, Choices& choices) {
  document::DocumentState state;
  state.opened(Text(texts.front()));
  std::vector<document::TextAnchor> places;
  for (std::size_t i = 1; i < texts.size(); ++i) {
    const std::string before = state.text().str();
    const document::TextAnchor place = state.anchor(choices.below(before.size() + 1));
    places.push_back(place);
    if (choices.below(3) == 0) places.push_back({place.offset, place.version});
    const auto edit = text::smallest_edit(before, texts[i]);
    if (choices.below(5) == 0)
      state.opened(Text(texts[i]));
    else if (edit)
      state.changed(*edit);
    require(state.text().str() == texts[i] || !edit, "the mirror is the text");
    if (edit) check_split(*edit, before, texts[i]);
    const std::size_t asked = choices.below(texts[i].size() + 1);
    require(state.proof_part(asked, asked) == text::proof_part(state.text().str(), asked, asked),
            "where proofs are is found as in a text that was never edited");
    const auto now = state.resolve(place);
    require(now.has_value(), "a place of the last version is known");
    if (edit && is_apart(*edit, before, place.offset))
      require(*now == text::map_offset(*edit, place.offset),
              "a place in no line of the edit moves with the text");
    for (const auto& old : places)
      if (const auto carried = state.resolve(old))
        require(*carried <= state.text().size(), "places stay inside");
  }
}

void check_utf8(std::string_view bytes, Choices& choices) {
  const std::string valid = text::replace_invalid(bytes);
  require(!text::first_invalid_byte(valid), "what was replaced is valid");
  require(text::first_invalid_byte(bytes).has_value() == (valid != bytes),
          "only what is invalid is replaced");
  const std::size_t n = choices.below(bytes.size() + 2);
  require(text::byte_of_code_point(bytes, n) <= bytes.size(), "a code point is inside");
  require(text::byte_of_utf16_unit(bytes, n) <= bytes.size(), "a UTF-16 unit is inside");
  const std::string_view beginning = text::beginning_of(valid, n);
  require(beginning.size() <= n && !text::first_invalid_byte(beginning),
          "a beginning is of whole code points");
  const auto normal = text::normalise_newlines(valid);
  require(normal.text.find("\r\n") == std::string::npos || valid.find("\r\r\n") != std::string::npos,
          "no line ends with CRLF then");
  if (normal.text.find('\r') == std::string::npos)
    require(text::normalise_newlines(text::with_line_endings_of(valid, normal.text)).text == normal.text,
            "line endings come back");
  if (bytes.find('\0') != std::string_view::npos) return;
  const std::filesystem::path path = "/" + std::string(bytes);
  const auto back = text::path_from_uri(text::file_uri(path));
  require(back && back->native() == path.native(), "a path comes back from its URI");
  (void)text::path_from_uri(bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = text_of(data, size);
  Choices choices(input);
  const auto parts = parts_of(input);
  std::vector<std::string> texts;
  for (const std::string_view part : parts) texts.push_back(text::replace_invalid(part));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t next = (i + 1) % parts.size();
    check_edit(parts[i], parts[next], false);
    check_edit(texts[i], texts[next], true);
    check_positions(Text(texts[i]), choices);
    check_replacement(texts[i], texts[next], choices);
    check_utf8(parts[i], choices);
  }
  check_carry(texts, choices);
  return 0;
}

}  // namespace leanbridge::fuzz
