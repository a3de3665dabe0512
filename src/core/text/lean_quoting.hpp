#pragma once
/// Quotes names and terms of callers for use in Lean text: the inserted text must stay one name or one term,
/// and never become a command.

#include "core/base/error.hpp"

#include <string>
#include <string_view>

namespace leanbridge::text {

/// The name as Lean reads it, with parts that are not identifiers between « and ». Drops a leading `@`.
/// InvalidArgument if it cannot be a name.
Result<std::string> quote_name(std::string name);

/// The term in parentheses, with its other lines indented by `indent` spaces. InvalidArgument if it closes a
/// bracket that it did not open, leaves a comment, string or name unterminated, or contains a word that
/// begins a command: after a syntax error Lean continues with the next command, which would then run. This
/// includes literals and comments in which Lean may see code: holes of interpolated strings, text after an
/// unknown escape. `open`, `set_option` and `unsafe` also begin terms and are allowed.
Result<std::string> parenthesize_term(const std::string& expression, std::size_t indent);

/// Whether this is one Lean identifier as written in source: parts joined by dots, any of them in guillemets.
/// Such a text is an identifier in every context: it has no blank outside guillemets, no comment and no
/// command.
bool is_lean_name(std::string_view name);

}  // namespace leanbridge::text
