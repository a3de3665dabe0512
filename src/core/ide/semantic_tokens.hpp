#pragma once
/// The kind of each word of a document, for colours: a keyword, a variable, a field, a sorry.

#include "core/document/document_handle.hpp"
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace leanbridge::ide {

/// Source: LSP 3.17, textDocument/semanticTokens. Lean names few kinds of words, and no comments or strings.
struct SemanticTokens {
  std::vector<std::string> types;  ///< the names of the kinds of words, as Lean announced them
  /// Five numbers a token: lines since the last token, UTF-16 units since it or the line's beginning, length,
  /// index in `types`, modifiers.
  nlohmann::json data = nlohmann::json::array();
};

/// Lean's answer for the whole document; what is not elaborated yet may be missing. Errors: those of
/// DocumentHandle::request(), NotSupported if this Lean has none.
asio::awaitable<Result<SemanticTokens>> semantic_tokens(document::DocumentHandle document,
                                                        io::CancelScope scope);

}  // namespace leanbridge::ide
