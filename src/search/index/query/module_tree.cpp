#include "search/index/module_tree.hpp"

#include <algorithm>

namespace leanbridge::index {

wire::Names<TreeKind> names_of(TreeKind) {
  return {{TreeKind::Modules, "modules"}, {TreeKind::Namespaces, "namespaces"}};
}

ModuleNode tree_of(const std::vector<std::pair<std::string, std::size_t>>& names, const std::string& prefix,
                   int depth) {
  ModuleNode root;
  root.name = prefix;
  for (const auto& [name, declarations] : names) {
    if (!prefix.empty() && name != prefix && !name.starts_with(prefix + ".")) continue;
    ModuleNode* node = &root;
    ++node->modules;
    node->declarations += declarations;
    std::size_t at = prefix.empty() ? 0 : prefix.size() + 1;
    for (int level = 0; level < depth && at < name.size(); ++level) {
      const std::size_t dot = std::min(name.find('.', at), name.size());
      const std::string part = name.substr(0, dot);
      auto& children = node->children ? *node->children : node->children.emplace();
      if (children.empty() || children.back().name != part) children.push_back({part, 0, 0, {}});
      node = &children.back();
      ++node->modules;
      node->declarations += declarations;
      at = dot + 1;
    }
  }
  return root;
}

std::size_t keep_upper(ModuleNode& root, std::size_t limit) {
  std::size_t total = 0;
  std::vector<ModuleNode*> level = {&root};
  while (!level.empty()) {
    std::vector<ModuleNode*> next;
    for (ModuleNode* const node : level) {
      if (!node->children) continue;
      total += node->children->size();
      node->children->resize(std::min(node->children->size(), limit));
      limit -= node->children->size();
      for (ModuleNode& child : *node->children) next.push_back(&child);
      if (node->children->empty()) node->children.reset();
    }
    level = std::move(next);
  }
  return total;
}

}  // namespace leanbridge::index
