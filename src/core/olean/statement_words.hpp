#pragma once
/// Names in a printed statement. Pure functions.

#include <string>
#include <string_view>

namespace leanbridge::olean {

/// A component of a name. One with quotes, which no source can have, is shown so that it cannot be mistaken.
std::string component_of(std::string_view component);

/// A name of one component, which Lean must not read as a word of its own.
std::string word_of(std::string_view component);

/// Whether a text has this word, not as a part of a longer one.
bool has_word(std::string_view text, std::string_view word);

}  // namespace leanbridge::olean
