#pragma once
/// What callers give to be put into Lean text: it must stay the one name or the one term that it is said to
/// be, and never become a command of its own. Private to this module.

#include "leanbridge/base/error.hpp"

#include <string>

namespace leanbridge::tools {

/// The name as Lean reads it: parts that are no identifiers between « and ». A leading `@` is dropped.
/// InvalidArgument for what can be no name.
Result<std::string> lean_name(std::string name);

/// The term between brackets, with its further lines indented by `indent` blanks. InvalidArgument where it
/// closes a bracket that it has not opened, does not end a comment or string, or holds the first word of a
/// command: Lean goes on with the next command after a syntax error, so such a word would run.
Result<std::string> lean_term(const std::string& expression, std::size_t indent);

}  // namespace leanbridge::tools
