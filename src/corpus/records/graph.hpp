#pragma once
/// The dependency graph of a paper, from its published records: the manifest's dependency_graph and the
/// cards' dependency_ids combined. Pure, and never recursive.

#include "paper.hpp"

#include <cstddef>
#include <map>

namespace leanbridge::corpus {

inline constexpr std::size_t kMaxNodes = 2000;  ///< for a neighbourhood, which keeps the nearest
inline constexpr std::size_t kMaxEdges = 5000;  ///< for each list of edges

/// A declaration, or an id without a card.
struct Node {
  wire::Nullable<std::string> lean_decl;
  wire::Nullable<std::string> id;

  static wire::Fields fields() { return wire::fields<&Node::lean_decl, &Node::id>(); }
};

/// The surroundings of a declaration.
struct Neighbourhood {
  struct Member {
    std::size_t index = 0;  ///< in the graph
    Node node;
    wire::Nullable<std::size_t> dependency_distance;  ///< steps from the declaration down to it
    wire::Nullable<std::size_t> dependent_distance;   ///< steps from it down to the declaration

    static wire::Fields fields() {
      return {wire::flatten<&Member::node>(), wire::field<&Member::dependency_distance>(),
              wire::field<&Member::dependent_distance>()};
    }
  };
  struct Link {
    std::string from, to;  ///< labels: `to` depends on `from`

    static wire::Fields fields() { return wire::fields<&Link::from, &Link::to>(); }
  };
  std::vector<Member> nodes;                     ///< the declaration itself first, then by distance
  std::vector<Link> edges;                       ///< those between the nodes
  std::vector<std::vector<std::string>> cycles;  ///< nodes that depend on each other, or on themselves
  bool truncated = false;

  static wire::Fields fields() {
    using N = Neighbourhood;
    return wire::fields<&N::nodes, &N::edges, &N::cycles, &N::truncated>();
  }
};

class DependencyGraph {
 public:
  explicit DependencyGraph(const Paper& paper);

  const Node& node(std::size_t index) const { return nodes_[index]; }
  /// By a card's id or a name; nullopt: not in the paper's records.
  std::optional<std::size_t> find(const std::string& id_or_name) const;

  /// The nodes that the node depends on and the nodes that depend on it, up to `depth` steps away; without a
  /// depth, all of them.
  Neighbourhood around(std::size_t node, std::optional<std::size_t> depth) const;
  /// The edges of the paper's manifest within a neighbourhood, as published.
  nlohmann::json published_edges(const Paper& paper, const Neighbourhood& around) const;
  /// The name of a node, else its id.
  const std::string& label(std::size_t node) const;

 private:
  std::size_t node_for(const std::string& id_or_name);
  void add_link(std::size_t from, std::size_t to);

  std::vector<Node> nodes_;
  std::map<std::string, std::size_t> by_id_;    ///< ids of cards
  std::map<std::string, std::size_t> by_name_;  ///< keys of names; other ids as they are
  std::vector<std::vector<std::size_t>> dependencies_;
  std::vector<std::vector<std::size_t>> dependents_;
};

}  // namespace leanbridge::corpus
