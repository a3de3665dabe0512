#pragma once
/// What depends on what in a paper, by its published records: the manifest's dependency_graph and the cards'
/// dependency_ids together. Pure; no recursion, whatever the shape.

#include "leanbridge/corpus/paper.hpp"

#include <cstddef>
#include <map>

namespace leanbridge::corpus {

inline constexpr std::size_t kMaxNodes = 2000;  ///< of a neighbourhood; the nearest ones are kept

/// A declaration, or an id that no card has.
struct Node {
  std::optional<std::string> lean_decl;
  std::optional<std::string> id;
};

/// What is around a declaration.
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
  std::vector<Link> links;                       ///< all that are between members
  std::vector<std::vector<std::size_t>> cycles;  ///< members that depend on each other, or on themselves
  bool truncated = false;
};

class DependencyGraph {
 public:
  explicit DependencyGraph(const Paper& paper);

  const Node& node(std::size_t index) const { return nodes_[index]; }
  /// By an id of a card, or a name; nullopt where the paper's records do not mention it.
  std::optional<std::size_t> find(const std::string& id_or_name) const;

  /// What the node depends on and what depends on it, up to `depth` steps away; without a depth all of it.
  Neighbourhood around(std::size_t node, std::optional<std::size_t> depth) const;
  /// The name of a node; the id of one without a name.
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
