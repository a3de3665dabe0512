#pragma once
/// FILE, FILE:LINE or FILE:LINE:COLUMN, as a person types it.

#include <optional>
#include <string>
#include <string_view>

namespace leanbridge::app {

/// Line and column count from 1, the column in code points.
struct PlaceWord {
  std::string file;  ///< as it was typed
  std::optional<int> line, column;
  std::string fault;  ///< a sentence about a number at the end that is neither; "": there is none
};

/// Reads the word. Numbers at its end belong to the file's name if a file with that very name exists.
PlaceWord read_place_word(const std::string& word);

/// A line or column: 1 to 1 000 000 000.
std::optional<int> place_number(std::string_view text);

}  // namespace leanbridge::app
