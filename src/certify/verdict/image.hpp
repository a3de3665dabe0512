#pragma once
/// Whether a compiled module is laid out as Lean's compactor writes it. Lean's loader trusts a file and maps
/// it into memory; a kernel that replays it might then see other objects than leanbridge did. In a
/// well-formed image there is only one way to read it.

#include "core/base/error.hpp"

#include <span>
#include <string_view>

namespace leanbridge::certify {

/// Checks that the parts (`.olean`, `.olean.server`, `.olean.private`) are objects one after the other
/// without gaps, and that every reference leads to the beginning of an earlier object of the same or an
/// earlier part: so no object overlaps another, and none contains itself. Errors: Internal, with the first
/// byte where this is not so; NotSupported for another format.
Result<void> check_image(std::span<const std::string_view> parts);

}  // namespace leanbridge::certify
