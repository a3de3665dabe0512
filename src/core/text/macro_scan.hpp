#pragma once
/// Which macros are programs. Private to this module.

#include <cstddef>
#include <string_view>

namespace leanbridge::text {

/// Whether the macro whose keyword ends at `at` may do more than to write out one quotation: what it makes of
/// syntax by hand cannot be found in its text. False where no macro follows, as in a sentence.
bool is_program_macro(std::string_view source, std::size_t at);

}  // namespace leanbridge::text
