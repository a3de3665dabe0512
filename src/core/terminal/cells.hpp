#pragma once
/// Text for a terminal: freed from characters that the terminal would obey, measured and broken by cells.
/// Pure functions; no result ends in the middle of a character.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::app {

/// The text on one line, without anything that a terminal would interpret: control characters, escape
/// sequences, and characters that change the direction of writing. Invalid UTF-8 is replaced.
std::string one_line(std::string_view text);

/// One line of preformatted text: removes the same characters, but keeps tabs and spaces.
std::string printable_line(std::string_view text);

/// The number of terminal cells that the text takes: 2 for wide characters, 0 for combining ones. Terminals
/// disagree on emoji sequences; each part counts here.
std::size_t cells_of(std::string_view text);

/// The text in exactly `width` cells: padded with spaces, or truncated with an ellipsis.
std::string fitted(std::string_view text, std::size_t width);

/// The text in lines of at most `width` cells. Keeps its own line breaks, breaks each line at spaces, and
/// breaks a word that is too long between characters. A line keeps the spaces that it begins with. Returns at
/// least one line.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// Returns wrapped() as one text, each line behind `indent` spaces and with a line ending; the indent counts
/// as part of the width.
std::string wrapped_block(std::string_view text, std::size_t width, std::size_t indent);

/// The text up to its first full stop, on one line. Empty for an empty text.
std::string first_sentence(std::string_view text);

}  // namespace leanbridge::app
