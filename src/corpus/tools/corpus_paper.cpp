#include "corpus_paper.hpp"

namespace leanbridge::tools {

namespace fs = std::filesystem;

namespace {

Result<PublishedPaper> read(const fs::path& start, const std::string& id) {
  PublishedPaper published;
  published.paper.id = id;
  const auto root = corpus::find_corpus(start);
  if (!root) {
    published.error = "corpus not found: no folder at or above " + start.string() +
                      " contains corpus/papers and corpus/index.json";
    return published;
  }
  auto paper = corpus::read_paper(*root, id);
  if (!paper) return tl::unexpected(paper.error());
  published.root = *root;
  published.paper = std::move(*paper);
  if (!published.paper.found)
    published.error = "paper not found";
  else if (!published.paper.usable)
    published.error = "neither manifest.json nor theorem_cards.json of the paper could be read";
  return published;
}

}  // namespace

wire::Fields PaperParams::fields() {
  return {wire::field<&PaperParams::paper_id>("As in corpus/index.json")};
}

asio::awaitable<Result<PublishedPaper>> read_published(Environment& environment,
                                                       std::shared_ptr<mcp::Call> call,
                                                       std::string paper_id) {
  CO_CHECK(corpus::check_paper_id(paper_id));
  const document::WorkspaceOptions& options = environment.workspace.options();
  const fs::path start = options.root.value_or(options.directory);
  auto published =
      co_await environment.pool.run([start, paper_id] { return read(start, paper_id); }, call->scope);
  co_return published;
}

wire::Fields PublishedStatus::fields() {
  return {wire::field<&PublishedStatus::paper_id>().unlisted(),
          wire::field<&PublishedStatus::partial>().unlisted().omit_empty(),
          wire::field<&PublishedStatus::problems>(), wire::field<&PublishedStatus::error>()};
}

PublishedStatus status_of(const PublishedPaper& published) {
  PublishedStatus status;
  status.paper_id = published.paper.id;
  const std::vector<corpus::Problem>& problems = published.paper.problems;
  status.partial = !published.error.empty() || !problems.empty();
  if (!problems.empty()) status.problems = problems;
  if (!published.error.empty()) status.error = published.error;
  return status;
}

}  // namespace leanbridge::tools
