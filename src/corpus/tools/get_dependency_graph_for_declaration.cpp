// get_dependency_graph_for_declaration: the dependencies of a declaration in the published records of a
// paper.

#include "corpus/records/graph.hpp"
#include "corpus_paper.hpp"

#include <algorithm>
#include <set>

namespace leanbridge::tools {

using nlohmann::json;

namespace {

constexpr std::size_t kMaxEdges = 5000;
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

/// A declaration of the paper, or an id without a card.
struct SubgraphNode {
  wire::Nullable<std::string> lean_decl;
  wire::Nullable<std::string> id;
  wire::Nullable<std::size_t> dependency_distance;  ///< as in corpus::Neighbourhood
  wire::Nullable<std::size_t> dependent_distance;

  static wire::Fields fields() {
    return wire::fields<&SubgraphNode::lean_decl, &SubgraphNode::id, &SubgraphNode::dependency_distance,
                        &SubgraphNode::dependent_distance>();
  }
};

/// `to` depends on `from`.
struct SubgraphEdge {
  std::string from;
  std::string to;

  static wire::Fields fields() { return wire::fields<&SubgraphEdge::from, &SubgraphEdge::to>(); }
};

/// The neighbourhood of the declaration.
struct Subgraph {
  std::vector<SubgraphNode> nodes;
  std::vector<SubgraphEdge> edges;
  std::vector<std::vector<std::string>> cycles;
  bool truncated = false;

  static wire::Fields fields() {
    return wire::fields<&Subgraph::nodes, &Subgraph::edges, &Subgraph::cycles, &Subgraph::truncated>();
  }
};

struct DependencyGraphResult {
  std::string lean_decl;
  std::vector<std::string> dependency_ids;
  std::vector<json> cards;         ///< as published
  json manifest_dependency_graph;  ///< as published, or only the edges around the declaration
  bool truncated = false;
  std::optional<Subgraph> subgraph;
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

Subgraph subgraph_of(const corpus::DependencyGraph& graph, const corpus::Neighbourhood& around) {
  Subgraph result;
  for (const auto& member : around.members) {
    const corpus::Node& node = graph.node(member.node);
    result.nodes.push_back({node.lean_decl, node.id, member.dependency_distance, member.dependent_distance});
  }
  for (const auto& [from, to] : around.links) {
    if (result.edges.size() == kMaxEdges) break;
    result.edges.push_back({graph.label(from), graph.label(to)});
  }
  for (const auto& cycle : around.cycles) {
    std::vector<std::string> names;
    names.reserve(cycle.size());
    for (const std::size_t node : cycle) names.push_back(graph.label(node));
    result.cycles.push_back(std::move(names));
  }
  result.truncated = around.truncated || around.links.size() > kMaxEdges;
  return result;
}

// The manifest's edges within the neighbourhood, as published.
json edges_among(const corpus::Paper& paper, const corpus::DependencyGraph& graph,
                 const corpus::Neighbourhood& around) {
  std::set<std::size_t> members;
  for (const auto& member : around.members) members.insert(member.node);
  json edges = json::array();
  for (const corpus::Edge& edge : paper.edges) {
    const auto from = graph.find(edge.from), to = graph.find(edge.to);
    if (from && to && members.contains(*from) && members.contains(*to)) edges.push_back(edge.published);
  }
  return edges;
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
    corpus::Neighbourhood around;
    if (node)
      around = graph.around(*node, depth ? std::optional(static_cast<std::size_t>(*depth)) : std::nullopt);
    result.subgraph = subgraph_of(graph, around);
    if (narrow && paper.dependency_graph.is_array())
      result.manifest_dependency_graph = edges_among(paper, graph, around);
  }
  json& edges = result.manifest_dependency_graph;
  if (edges.is_array() && edges.size() > kMaxEdges) {
    edges.erase(edges.begin() + kMaxEdges, edges.end());
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
