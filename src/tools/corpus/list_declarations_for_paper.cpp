// list_declarations_for_paper: what a published paper's records name.

#include "corpus_paper.hpp"

namespace leanbridge::tools {

namespace {

struct PaperDeclarationsParams {
  PaperParams paper;
  bool dedupe = false;

  static wire::Fields fields() {
    return {wire::flatten<&PaperDeclarationsParams::paper>(),
            wire::field<&PaperDeclarationsParams::dedupe>("dedupe", "Default false").with_default()};
  }
};

struct PaperDeclarationsResult {
  DeclarationList list;
  PublishedStatus status;

  static wire::Fields fields() {
    return {wire::flatten<&PaperDeclarationsResult::list>(),
            wire::flatten<&PaperDeclarationsResult::status>()};
  }
};

asio::awaitable<Result<PaperDeclarationsResult>> declarations_of_paper(Environment& environment,
                                                                       std::shared_ptr<mcp::Call> call,
                                                                       PaperDeclarationsParams params) {
  CO_TRY(const PublishedPaper published, co_await read_published(environment, call, params.paper.paper_id));
  auto records = corpus::declarations(published.paper);
  if (params.dedupe) records = corpus::without_duplicates(std::move(records));
  std::vector<nlohmann::json> list;
  list.reserve(records.size());
  for (const corpus::Record& record : records) list.push_back(corpus::to_json(record));
  co_return PaperDeclarationsResult{list_of(std::move(list)), status_of(published)};
}

}  // namespace

mcp::Tool list_declarations_for_paper(Environment& environment) {
  return make_tool(environment,
                   {.name = "list_declarations_for_paper",
                    .title = "Declarations of a paper",
                    .group = "corpus",
                    .description = "The Lean declarations that the published records of a paper name: its "
                                   "manifest and its theorem cards, which may both name one. dedupe makes "
                                   "one record of those that say the same."},
                   declarations_of_paper);
}

}  // namespace leanbridge::tools
