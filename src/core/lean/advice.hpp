#pragma once
/// Classifies a message of Lean's and advises what to do about it, from its text alone. Pure functions.

#include "core/base/enum_names.hpp"
#include "messages.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace leanbridge::lean {

/// The categories of lean-lsp-mcp 0.32.
enum class MessageCategory {
  Diagnostic,  ///< anything else
  Linter,      ///< a warning about style, which blocks nothing
  Sorry,       ///< a declaration is not proved
  Suggestion,  ///< contains a `Try this:`
};
wire::Names<MessageCategory> names_of(MessageCategory);

MessageCategory category_of(Severity severity, std::string_view message);

/// The identifier that contains the byte offset or ends there; empty: there is none.
std::string_view word_at(std::string_view text, std::size_t offset);

/// Advice, as a sentence, for errors whose message gives none; empty: there is none. `word` is the word at
/// the message's position: Lean does not name an unknown tactic.
std::string hint_for(Severity severity, std::string_view message, std::string_view word);

/// The name that Lean does not know, if the message is about an unknown name.
std::optional<std::string> unknown_name(std::string_view message);

}  // namespace leanbridge::lean
