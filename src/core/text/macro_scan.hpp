#pragma once
/// Tells macros that are programs from macros that only quote syntax. Private to this module.

#include <cstddef>
#include <string_view>

namespace leanbridge::text {

/// Whether the macro whose keyword ends at `at` may do more than write out one quotation: a macro that
/// handles syntax by hand can produce text that a search of its source cannot find. False if no macro
/// follows, as in a sentence.
bool is_program_macro(std::string_view source, std::size_t at);

}  // namespace leanbridge::text
