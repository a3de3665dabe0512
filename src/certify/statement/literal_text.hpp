#pragma once
/// Literals in the form that a source has. Pure functions.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace leanbridge::statement {

/// The decimal digits of a number, given by its bytes, lowest first. nullopt: it has more than `most` digits.
std::optional<std::string> decimal(std::string_view bytes, std::size_t most);

/// The text between quotes, with the characters escaped that would end it or be invisible, as Lean reads
/// them.
std::string string_literal(std::string_view text);

}  // namespace leanbridge::statement
