#include "semantic_tokens.hpp"

#include "core/base/try.hpp"
#include "core/lean/messages.hpp"

#include <algorithm>
#include <string>

namespace leanbridge::ide {

namespace {

using nlohmann::json;

/// The end of the elaborated text: behind its last word, since Lean may count blank lines to the next
/// command.
std::size_t elaborated_end(const document::DocumentState& state) {
  const std::size_t next = state.text().line_start(static_cast<std::size_t>(std::max(0, state.lines_done())));
  const std::size_t last =
      next == 0 ? std::string::npos : state.text().str().find_last_not_of(" \t\r\n", next - 1);
  return last == std::string::npos ? 0 : last + 1;
}

/// While Lean works, its answer for the whole document may wait for all of it; its answer for a range does
/// not.
asio::awaitable<Result<json>> ask_tokens(document::DocumentHandle document, io::CancelScope scope) {
  if (document.state().done()) co_return co_await document.request("textDocument/semanticTokens/full", scope);
  const std::size_t end = elaborated_end(document.state());
  if (end == 0) co_return json{{"data", json::array()}};
  CO_TRY(auto answer,
         co_await document.request_at("textDocument/semanticTokens/range", document.anchor(end), scope,
                                      {{"range", lean::to_json(document.text().lsp_range(0, end))}}));
  co_return std::move(answer.value);
}

}  // namespace

asio::awaitable<Result<SemanticTokens>> semantic_tokens(document::DocumentHandle document,
                                                        io::CancelScope scope) {
  CO_TRY(json answer, co_await ask_tokens(document, scope));
  SemanticTokens tokens{document.store()->server().token_types()};
  const auto data = answer.is_object() ? answer.find("data") : answer.end();
  if (tokens.types.empty() || !answer.is_object() || data == answer.end() || !data->is_array())
    co_return fail(ErrorKind::NotSupported, "This version of Lean does not say what words are.",
                   "Update lean-toolchain to a newer Lean.");
  tokens.data = std::move(*data);
  co_return tokens;
}

}  // namespace leanbridge::ide
