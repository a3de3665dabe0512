#pragma once
/// What callers give to be put into Lean text: it must stay the one name or the one term that it is said to
/// be, and never become a command of its own.

#include "leanbridge/base/error.hpp"

#include <string>
#include <string_view>

namespace leanbridge::text {

/// The name as Lean reads it: parts that are no identifiers between « and ». A leading `@` is dropped.
/// InvalidArgument for what can be no name.
Result<std::string> quote_name(std::string name);

/// The term between brackets, with its further lines indented by `indent` blanks. InvalidArgument where it
/// closes a bracket that it has not opened, does not end a comment, string or name, or holds the first word
/// of a command: Lean goes on with the next command after a syntax error, so such a word would run. In a
/// literal or comment, too, where Lean may read code: the hole of an interpolated string, behind an escape
/// that it does not know. `open`, `set_option` and `unsafe` begin terms as well and are let through.
Result<std::string> parenthesize_term(const std::string& expression, std::size_t indent);

/// One Lean identifier, as written in source: parts joined by dots, any of them in guillemets. Nothing else
/// could be read from it wherever it is put: no blank outside of guillemets, no comment, no command.
bool is_lean_name(std::string_view name);

}  // namespace leanbridge::text
