#pragma once
/// Names in a printed statement. Pure functions.

#include <string>
#include <string_view>

namespace leanbridge::olean {

/// A component of a name. A component that itself contains guillemets, which no source can have, is shown so
/// that it cannot be mistaken for another.
std::string component_of(std::string_view component);

/// A name of one component, quoted if Lean would read it as a keyword.
std::string word_of(std::string_view component);

/// Whether a text contains this word, not as a part of a longer one.
bool has_word(std::string_view text, std::string_view word);

}  // namespace leanbridge::olean
