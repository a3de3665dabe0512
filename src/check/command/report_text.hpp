#pragma once
/// A report of `check` in a form for people.

#include "check/batch/verdict.hpp"
#include "core/terminal/terminal.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace leanbridge::app {

/// "Foo.lean:3:5: error: foo: the first message (and 2 more)", broken at `width`. `source`: the judged text,
/// if it is known, from which the name of the declaration is taken. Ends with a line ending.
std::string report_text(const batch::Report& report, const std::optional<std::string>& source,
                        std::size_t width, const Paint& paint);

}  // namespace leanbridge::app
