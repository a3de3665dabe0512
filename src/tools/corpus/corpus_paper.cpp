#include "corpus_paper.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

Result<PublishedPaper> read(const fs::path& start, const std::string& id) {
  PublishedPaper published;
  published.paper.id = id;
  const auto root = corpus::find_corpus(start);
  if (!root) {
    published.error = "corpus not found: no folder at or above " + start.string() +
                      " has corpus/papers and corpus/index.json";
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

mcp::Argument paper_argument() {
  return mcp::Argument::required_("paper_id", mcp::ArgumentType::String, "As in corpus/index.json");
}

asio::awaitable<Result<PublishedPaper>> read_published(Environment& environment,
                                                       std::shared_ptr<mcp::Call> call,
                                                       const mcp::Arguments& arguments) {
  const std::string id = arguments.string("paper_id");
  if (auto valid = corpus::check_paper_id(id); !valid) co_return tl::unexpected(valid.error());
  const document::WorkspaceOptions& options = environment.workspace.options();
  const fs::path start = options.root.value_or(options.directory);
  auto published = co_await environment.pool.run([start, id] { return read(start, id); }, call->scope);
  co_return published;
}

json finish_published(json answer, const PublishedPaper& published) {
  answer["paper_id"] = published.paper.id;
  json problems = json::array();
  for (const corpus::Problem& problem : published.paper.problems)
    problems.push_back(
        {{"kind", wire_name(problem.kind)}, {"file", problem.file}, {"message", problem.message}});
  const bool partial = !published.error.empty() || !problems.empty();
  answer["partial"] = partial || answer.value("partial", false);
  if (!problems.empty()) answer["problems"] = std::move(problems);
  if (!published.error.empty()) answer["error"] = published.error;
  return answer;
}

void add_declarations(json& answer, json records) {
  answer["total"] = records.size();
  answer["truncated"] = records.size() > kMaxRecords;
  if (records.size() > kMaxRecords) records.erase(records.begin() + kMaxRecords, records.end());
  answer["declarations"] = std::move(records);
}

}  // namespace leanbridge::tools
