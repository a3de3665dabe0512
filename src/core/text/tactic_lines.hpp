#pragma once
/// Lines of tactics that somebody has written without seeing where they go: moved together, and read anew
/// where their first line stands apart. Columns count code points from 0. Pure functions.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace leanbridge::text {

/// Without blank lines at both ends, and with all lines moved together so that the first one begins at
/// `column`, though none further left. The first line has no white space before it: it goes where that
/// column is.
std::string moved_to(std::string_view tactics, std::size_t column);

/// The lines below the first moved left until the outermost of them stands below it, as where a model copies
/// what stood behind `by`; nullopt if one does already, or if there are none.
std::optional<std::string> first_line_aligned(std::string_view tactics);

/// The text behind the `by` that it begins with, in its columns; nullopt if it begins otherwise.
std::optional<std::string> behind_by(std::string_view text);

}  // namespace leanbridge::text
