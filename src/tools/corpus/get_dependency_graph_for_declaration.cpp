// get_dependency_graph_for_declaration: what the published records of a paper say that a declaration rests
// on.

#include "leanbridge/corpus/graph.hpp"

#include "corpus_paper.hpp"

#include <algorithm>
#include <set>

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

constexpr std::size_t kMaxEdges = 5000;
constexpr std::size_t kMaxCards = 100;

template <class T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json();
}

// The contract's own fields, from the cards of the declaration.
json published_fields(const corpus::Paper& paper, const std::string& lean_decl) {
  json cards = json::array(), ids = json::array();
  std::set<std::string> known;
  bool truncated = false;
  for (const corpus::Card& card : paper.cards) {
    if (!card.lean_decl || corpus::name_key(*card.lean_decl) != corpus::name_key(lean_decl)) continue;
    truncated = truncated || cards.size() == kMaxCards;
    if (cards.size() < kMaxCards) cards.push_back(card.published);
    for (const std::string& id : card.dependency_ids)
      if (known.insert(id).second) ids.push_back(id);
  }
  return {{"lean_decl", lean_decl},
          {"dependency_ids", std::move(ids)},
          {"cards", std::move(cards)},
          {"manifest_dependency_graph", paper.dependency_graph},
          {"truncated", truncated}};
}

json subgraph(const corpus::DependencyGraph& graph, const corpus::Neighbourhood& around) {
  json nodes = json::array(), edges = json::array(), cycles = json::array();
  for (const auto& member : around.members) {
    const corpus::Node& node = graph.node(member.node);
    nodes.push_back({{"lean_decl", or_null(node.lean_decl)},
                     {"id", or_null(node.id)},
                     {"dependency_distance", or_null(member.dependency_distance)},
                     {"dependent_distance", or_null(member.dependent_distance)}});
  }
  for (const auto& [from, to] : around.links) {
    if (edges.size() == kMaxEdges) break;
    edges.push_back({{"from", graph.label(from)}, {"to", graph.label(to)}});
  }
  for (const auto& cycle : around.cycles) {
    json names = json::array();
    for (const std::size_t node : cycle) names.push_back(graph.label(node));
    cycles.push_back(std::move(names));
  }
  return {{"nodes", std::move(nodes)},
          {"edges", std::move(edges)},
          {"cycles", std::move(cycles)},
          {"truncated", around.truncated || around.links.size() > kMaxEdges}};
}

// The manifest's edges between what is around the declaration, as published.
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

Answer answer_get_dependency_graph_for_declaration(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                   mcp::Arguments arguments) {
  const std::string lean_decl = arguments.string("lean_decl");
  if (lean_decl.empty())
    co_return fail(ErrorKind::InvalidArgument, "lean_decl is empty.",
                   "Pass a name that list_declarations_for_paper has.");
  const auto published = co_await read_published(environment, call, arguments);
  if (!published) co_return tl::unexpected(published.error());
  const corpus::Paper& paper = published->paper;
  const auto depth = arguments.optional_integer("depth");
  const bool narrow = arguments.boolean("narrow", depth.has_value());

  json result = published_fields(paper, lean_decl);
  const corpus::DependencyGraph graph(paper);
  const auto node = graph.find(lean_decl);
  if (!node && published->error.empty()) result["error"] = "declaration not found";
  if (narrow || depth) {
    corpus::Neighbourhood around;
    if (node)
      around = graph.around(*node, depth ? std::optional(static_cast<std::size_t>(*depth)) : std::nullopt);
    result["subgraph"] = subgraph(graph, around);
    if (narrow && paper.dependency_graph.is_array())
      result["manifest_dependency_graph"] = edges_among(paper, graph, around);
  }
  json& edges = result["manifest_dependency_graph"];
  if (edges.is_array() && edges.size() > kMaxEdges) {
    edges.erase(edges.begin() + kMaxEdges, edges.end());
    result["truncated"] = true;
  }
  co_return finish_published(std::move(result), *published);
}

}  // namespace

mcp::Tool get_dependency_graph_for_declaration(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "get_dependency_graph_for_declaration";
  tool.title = "Published dependencies";
  tool.group = "corpus";
  tool.description =
      "The theorem cards of a declaration, their dependencies and the paper's dependency graph, as "
      "published. "
      "depth and narrow bound the graph to what is around the declaration, in both directions; narrow alone "
      "gives all of that.";
  tool.arguments = {paper_argument(),
                    Argument::required_("lean_decl", ArgumentType::String, "With its namespaces"),
                    Argument::optional_("depth", ArgumentType::Integer, "Steps").at_least(1),
                    Argument::optional_("narrow", ArgumentType::Boolean, "Default: with depth")};
  answers(tool,
          {{"lean_decl", schema::string()},
           {"dependency_ids", schema::list({})},
           {"cards", schema::list({})},
           {"manifest_dependency_graph", schema::any()},
           {"subgraph", schema::object({})},
           {"error", schema::string()}},
          {"lean_decl", "dependency_ids", "cards", "manifest_dependency_graph"});
  tool.handler = bind_handler(environment, answer_get_dependency_graph_for_declaration);
  return tool;
}

}  // namespace leanbridge::tools
