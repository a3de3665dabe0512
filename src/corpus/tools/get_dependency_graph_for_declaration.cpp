// get_dependency_graph_for_declaration: the dependencies of a declaration in the published records of a
// paper.

#include "corpus/records/graph.hpp"
#include "corpus_paper.hpp"

#include <set>

namespace leanbridge::tools {

using nlohmann::json;

namespace {

constexpr std::size_t kMaxCards = 100;

struct DependencyGraphParams {
  PaperParams paper;
  std::string lean_decl;
  std::optional<int> depth;
  std::optional<bool> narrow;

  static wire::Fields fields() {
    return {wire::flatten<&DependencyGraphParams::paper>(),
            wire::field<&DependencyGraphParams::lean_decl>("Fully qualified"),
            wire::field<&DependencyGraphParams::depth>("Steps").at_least(1),
            wire::field<&DependencyGraphParams::narrow>("Default: with depth")};
  }
};

struct DependencyGraphResult {
  std::string lean_decl;
  std::vector<std::string> dependency_ids;
  std::vector<json> cards;         ///< as published
  json manifest_dependency_graph;  ///< as published, or only the edges around the declaration
  bool truncated = false;
  std::optional<corpus::Neighbourhood> subgraph;
  PublishedStatus status;

  static wire::Fields fields() {
    return {wire::field<&DependencyGraphResult::lean_decl>(),
            wire::field<&DependencyGraphResult::dependency_ids>(),
            wire::field<&DependencyGraphResult::cards>(),
            wire::field<&DependencyGraphResult::manifest_dependency_graph>(),
            wire::field<&DependencyGraphResult::truncated>().unlisted().omit_empty(),
            wire::field<&DependencyGraphResult::subgraph>(),
            wire::flatten<&DependencyGraphResult::status>()};
  }
};

// The fields of the published contract, from the cards of the declaration.
DependencyGraphResult published_fields(const corpus::Paper& paper, const std::string& lean_decl) {
  DependencyGraphResult result;
  result.lean_decl = lean_decl;
  std::set<std::string> known;
  for (const corpus::Card& card : paper.cards) {
    if (!card.lean_decl || corpus::name_key(*card.lean_decl) != corpus::name_key(lean_decl)) continue;
    result.truncated = result.truncated || result.cards.size() == kMaxCards;
    if (result.cards.size() < kMaxCards) result.cards.push_back(card.published);
    for (const std::string& id : card.dependency_ids)
      if (known.insert(id).second) result.dependency_ids.push_back(id);
  }
  result.manifest_dependency_graph = paper.dependency_graph;
  return result;
}

asio::awaitable<Result<DependencyGraphResult>> published_dependencies(Environment& environment,
                                                                      std::shared_ptr<mcp::Call> call,
                                                                      DependencyGraphParams params) {
  if (params.lean_decl.empty())
    co_return fail(ErrorKind::InvalidArgument, "lean_decl is empty.",
                   "Pass a name from list_declarations_for_paper.");
  CO_TRY(const PublishedPaper published, co_await read_published(environment, call, params.paper.paper_id));
  const corpus::Paper& paper = published.paper;
  const auto depth = params.depth;
  const bool narrow = params.narrow.value_or(depth.has_value());

  DependencyGraphResult result = published_fields(paper, params.lean_decl);
  result.status = status_of(published);
  const corpus::DependencyGraph graph(paper);
  const auto node = graph.find(params.lean_decl);
  if (!node && published.error.empty()) result.status.error = "declaration not found";
  if (narrow || depth) {
    corpus::Neighbourhood& around = result.subgraph.emplace();
    if (node)
      around = graph.around(*node, depth ? std::optional(static_cast<std::size_t>(*depth)) : std::nullopt);
    if (narrow && paper.dependency_graph.is_array())
      result.manifest_dependency_graph = graph.published_edges(paper, around);
  }
  json& edges = result.manifest_dependency_graph;
  if (edges.is_array() && edges.size() > corpus::kMaxEdges) {
    edges.erase(edges.begin() + corpus::kMaxEdges, edges.end());
    result.truncated = true;
  }
  co_return result;
}

}  // namespace

mcp::Tool get_dependency_graph_for_declaration(Environment& environment) {
  return make_tool(environment,
                   {.name = "get_dependency_graph_for_declaration",
                    .title = "Published dependencies",
                    .group = "corpus",
                    .description = "The theorem cards of a declaration, their dependencies and the paper's "
                                   "dependency graph, as published. depth and narrow limit the graph to the "
                                   "declaration's neighbourhood in both directions; narrow alone gives all "
                                   "of it."},
                   published_dependencies);
}

}  // namespace leanbridge::tools
