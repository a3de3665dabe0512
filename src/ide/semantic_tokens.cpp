#include "leanbridge/ide/semantic_tokens.hpp"

#include "leanbridge/base/try.hpp"

namespace leanbridge::ide {

asio::awaitable<Result<SemanticTokens>> semantic_tokens(document::DocumentHandle document,
                                                        io::CancelScope scope) {
  CO_TRY(nlohmann::json answer, co_await document.request("textDocument/semanticTokens/full", scope));
  SemanticTokens tokens{document.store()->server().token_types()};
  const auto data = answer.is_object() ? answer.find("data") : answer.end();
  if (tokens.types.empty() || !answer.is_object() || data == answer.end() || !data->is_array())
    co_return fail(ErrorKind::NotSupported, "This version of Lean does not say what words are.",
                   "Update lean-toolchain to Lean 4.24 or newer.");
  tokens.data = std::move(*data);
  co_return tokens;
}

}  // namespace leanbridge::ide
