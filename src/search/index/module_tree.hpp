#pragma once
/// The tree of modules, or of the namespaces of declarations. Pure.

#include "core/base/json_struct.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace leanbridge::index {

/// The meaning of the nodes of a tree.
enum class TreeKind { Modules, Namespaces };
wire::Names<TreeKind> names_of(TreeKind);

struct ModuleNode {
  std::string name;                                 ///< full: `Init.Data`
  std::size_t modules = 0;                          ///< this one and all modules below
  std::size_t declarations = 0;                     ///< in this module and all modules below
  std::optional<std::vector<ModuleNode>> children;  ///< by name; nullopt: none

  static wire::Fields fields() {
    return wire::fields<&ModuleNode::name, &ModuleNode::modules, &ModuleNode::declarations,
                        &ModuleNode::children>();
  }
};

/// The tree below `prefix`, down to `depth` levels, of names with their numbers of declarations, sorted.
ModuleNode tree_of(const std::vector<std::pair<std::string, std::size_t>>& names, const std::string& prefix,
                   int depth);

/// Cuts the tree to `limit` nodes below the root, level by level, so that the deepest go first. Returns how
/// many there were, without those below nodes that went.
std::size_t keep_upper(ModuleNode& root, std::size_t limit);

}  // namespace leanbridge::index
