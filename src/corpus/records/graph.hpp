#pragma once
/// The dependency graph of a paper, from its published records: the manifest's dependency_graph and the
/// cards' dependency_ids combined. Pure, and never recursive.

#include "paper.hpp"

#include <cstddef>
#include <map>

namespace leanbridge::corpus {

inline constexpr std::size_t kMaxNodes = 2000;  ///< for a neighbourhood, which keeps the nearest

/// A declaration, or an id without a card.
struct Node {
  std::optional<std::string> lean_decl;
  std::optional<std::string> id;
};

/// The surroundings of a declaration.
struct Neighbourhood {
  struct Member {
    std::size_t node = 0;
    std::optional<std::size_t> dependency_distance;  ///< steps from the declaration down to it
    std::optional<std::size_t> dependent_distance;   ///< steps from it down to the declaration
  };
  struct Link {
    std::size_t from, to;  ///< nodes: `to` depends on `from`
    friend auto operator<=>(const Link&, const Link&) = default;
  };
  std::vector<Member> members;                   ///< the declaration itself first, then by distance
  std::vector<Link> links;                       ///< all links between members
  std::vector<std::vector<std::size_t>> cycles;  ///< members that depend on each other, or on themselves
  bool truncated = false;
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
