#pragma once
/// Checks that a compiled module is laid out as Lean's compactor writes it. Lean's loader trusts a file and
/// maps it into memory; a kernel that replays it might then see other objects than leanbridge did. A
/// well-formed image can be read in one way only.

#include "core/base/error.hpp"

#include <span>
#include <string_view>

namespace leanbridge::certify {

/// Checks that the parts (`.olean`, `.olean.server`, `.olean.private`) consist of objects in a row without
/// gaps, and that every reference leads to the beginning of an earlier object of the same or an earlier part.
/// Then no object overlaps another, and none contains itself. Errors: Internal, with the first byte that
/// violates this; NotSupported for another format.
Result<void> check_image(std::span<const std::string_view> parts);

}  // namespace leanbridge::certify
