// lean_extract_lemma: turns the goal at a place into a lemma above the declaration, and uses the lemma there.

#include "core/ide/lemma_extraction.hpp"
#include "core/tools/common/typed_tool.hpp"

namespace leanbridge::tools {

namespace {

struct ExtractLemmaParams {
  FilePosition at;
  std::optional<std::string> name;
  bool write = false;

  static wire::Fields fields() {
    return {wire::flatten<&ExtractLemmaParams::at>(),
            wire::field<&ExtractLemmaParams::name>("Default: DECLARATION_aux"),
            wire::field<&ExtractLemmaParams::write>().with_default()};
  }
};

asio::awaitable<Result<ExtractedLemma>> extract_lemma(Environment& environment,
                                                      std::shared_ptr<mcp::Call> call,
                                                      ExtractLemmaParams params) {
  CO_TRY(const auto file, co_await open_file(environment, call, params.at.file_path));
  LemmaExtraction extraction(environment, call, file, params.at, params.name);
  co_return co_await extraction.run(params.write);
}

}  // namespace

mcp::Tool lean_extract_lemma(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_extract_lemma",
       .title = "Extract a lemma",
       .group = "proof",
       .description =
           "Makes the goal of a sorry, or of a tactic and those below it in its block, a lemma with "
           "just the hypotheses it needs, used in its place, if Lean accepts both. write: true writes it.",
       .annotations = {.read_only = false, .destructive = true, .idempotent = false, .open_world = false}},
      extract_lemma);
}

}  // namespace leanbridge::tools
