#include "graph.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <deque>
#include <set>

namespace leanbridge::corpus {

using nlohmann::json;

namespace {

using Adjacent = std::vector<std::vector<std::size_t>>;
using Distances = std::map<std::size_t, std::size_t>;
using Links = std::vector<std::pair<std::size_t, std::size_t>>;  // the second depends on the first

Distances distances(const Adjacent& next, std::size_t start, std::optional<std::size_t> depth) {
  Distances found = {{start, 0}};
  std::deque<std::size_t> queue = {start};
  while (!queue.empty()) {
    const std::size_t node = queue.front();
    queue.pop_front();
    const std::size_t distance = found[node];
    if (depth && distance >= *depth) continue;
    for (const std::size_t other : next[node])
      if (found.try_emplace(other, distance + 1).second) queue.push_back(other);
  }
  return found;
}

// The sets of nodes that depend on each other, and the nodes that depend on themselves.
std::vector<std::vector<std::size_t>> cycles_among(std::size_t nodes, const Links& links) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  Graph graph(nodes);
  std::set<std::size_t> on_themselves;
  for (const auto& [from, to] : links) {
    boost::add_edge(from, to, graph);
    if (from == to) on_themselves.insert(from);
  }
  std::vector<std::size_t> component_of(nodes);
  const auto indices = boost::get(boost::vertex_index, graph);
  const std::size_t count =
      boost::strong_components(graph, boost::make_iterator_property_map(component_of.begin(), indices));
  std::vector<std::vector<std::size_t>> cycles(count);
  for (std::size_t node = 0; node < nodes; ++node) cycles[component_of[node]].push_back(node);
  std::erase_if(cycles, [&](const auto& component) {
    return component.size() == 1 && !on_themselves.contains(component.front());
  });
  return cycles;
}

}  // namespace

DependencyGraph::DependencyGraph(const Paper& paper) {
  for (const Card& card : paper.cards) {
    if (!card.lean_decl) continue;
    const std::size_t node = node_for(*card.lean_decl);
    if (!card.id) continue;
    by_id_.try_emplace(*card.id, node);
    if (!nodes_[node].id) nodes_[node].id = card.id;
  }
  for (const std::string& name : paper.declaration_index) node_for(name);
  const auto resolve = [&](const std::string& id_or_name) {
    if (const auto known = find(id_or_name)) return *known;
    const std::size_t node = node_for(id_or_name);
    nodes_[node] = {std::nullopt, id_or_name};
    return node;
  };
  for (const Card& card : paper.cards) {
    if (!card.lean_decl && !card.id) continue;
    const std::size_t node = resolve(card.lean_decl ? *card.lean_decl : *card.id);
    for (const std::string& id : card.dependency_ids) add_link(resolve(id), node);
  }
  for (const Edge& edge : paper.edges) {
    const std::size_t from = resolve(edge.from);
    add_link(from, resolve(edge.to));
  }
  for (auto* lists : {&dependencies_, &dependents_}) {
    for (auto& list : *lists) {
      std::ranges::sort(list);
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }
}

std::size_t DependencyGraph::node_for(const std::string& id_or_name) {
  const auto [entry, is_new] = by_name_.try_emplace(name_key(id_or_name), nodes_.size());
  if (is_new) {
    nodes_.push_back({id_or_name, std::nullopt});
    dependencies_.emplace_back();
    dependents_.emplace_back();
  }
  return entry->second;
}

void DependencyGraph::add_link(std::size_t from, std::size_t to) {
  dependencies_[to].push_back(from);
  dependents_[from].push_back(to);
}

std::optional<std::size_t> DependencyGraph::find(const std::string& id_or_name) const {
  if (const auto card = by_id_.find(id_or_name); card != by_id_.end()) return card->second;
  const auto named = by_name_.find(name_key(id_or_name));
  return named == by_name_.end() ? std::nullopt : std::optional(named->second);
}

const std::string& DependencyGraph::label(std::size_t node) const {
  return nodes_[node].lean_decl ? *nodes_[node].lean_decl : *nodes_[node].id;
}

Neighbourhood DependencyGraph::around(std::size_t node, std::optional<std::size_t> depth) const {
  const Distances down = distances(dependencies_, node, depth);
  const Distances up = distances(dependents_, node, depth);
  Neighbourhood result;
  const auto distance_in = [](const Distances& all, std::size_t of) {
    const auto found = all.find(of);
    return found == all.end() ? std::nullopt : std::optional(found->second);
  };
  for (const auto& [member, distance] : down)
    result.nodes.push_back({member, nodes_[member], distance, distance_in(up, member)});
  for (const auto& [member, distance] : up)
    if (!down.contains(member)) result.nodes.push_back({member, nodes_[member], std::nullopt, distance});
  const auto nearest = [](const Neighbourhood::Member& member) {
    const auto &down = member.dependency_distance, &up = member.dependent_distance;
    return std::min(down ? *down : SIZE_MAX, up ? *up : SIZE_MAX);
  };
  std::ranges::stable_sort(result.nodes,
                           [&](const auto& a, const auto& b) { return nearest(a) < nearest(b); });
  result.truncated = result.nodes.size() > kMaxNodes;
  if (result.truncated) result.nodes.resize(kMaxNodes);

  std::map<std::size_t, std::size_t> position;
  for (std::size_t i = 0; i < result.nodes.size(); ++i) position[result.nodes[i].index] = i;
  Links links, among;  // between nodes, and between their positions
  for (const auto& [member, at] : position) {
    for (const std::size_t from : dependencies_[member]) {
      if (!position.contains(from)) continue;
      links.emplace_back(from, member);
      among.emplace_back(position[from], at);
    }
  }
  std::ranges::sort(links);
  result.truncated = result.truncated || links.size() > kMaxEdges;
  links.resize(std::min(links.size(), kMaxEdges));
  for (const auto& [from, to] : links) result.edges.push_back({label(from), label(to)});
  for (const auto& cycle : cycles_among(result.nodes.size(), among)) {
    auto& names = result.cycles.emplace_back();
    for (const std::size_t at : cycle) names.push_back(label(result.nodes[at].index));
  }
  return result;
}

json DependencyGraph::published_edges(const Paper& paper, const Neighbourhood& around) const {
  std::set<std::size_t> members;
  for (const auto& member : around.nodes) members.insert(member.index);
  json edges = json::array();
  for (const Edge& edge : paper.edges) {
    const auto from = find(edge.from), to = find(edge.to);
    if (from && to && members.contains(*from) && members.contains(*to)) edges.push_back(edge.published);
  }
  return edges;
}

}  // namespace leanbridge::corpus
