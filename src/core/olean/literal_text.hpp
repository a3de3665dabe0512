#pragma once
/// Literals as a source has them. Pure functions.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace leanbridge::olean {

/// The decimal digits of a number, given by its bytes, the lowest first. nullopt: more than `most` digits.
std::optional<std::string> decimal(std::string_view bytes, std::size_t most);

/// The text between quotes, with what ends or hides a part of it escaped as Lean reads it.
std::string string_literal(std::string_view text);

}  // namespace leanbridge::olean
