// lean_modules: the tree of modules, or of the names in a namespace.

#include "leanbridge/index/local_index.hpp"

#include "local_index.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace {

struct ModulesParams {
  std::string prefix;  ///< a module or a namespace; empty: all
  int depth = 2;
  std::size_t limit = 200;
  std::string project_root;  ///< empty: the current one

  static wire::Fields fields() {
    return {
        wire::field<&ModulesParams::prefix>("prefix", "Such as Init.Data").with_default(),
        wire::field<&ModulesParams::depth>("depth", "Levels; default 2").with_default().at_least(1),
        wire::field<&ModulesParams::limit>("limit", "Default 200").with_default().at_least(1),
        wire::field<&ModulesParams::project_root>("project_root", "Default: the current one").with_default()};
  }
};

struct ModuleItem {
  std::string name;
  std::size_t modules = 0;
  std::size_t declarations = 0;
  std::optional<std::vector<ModuleItem>> children;

  static wire::Fields fields() {
    return {wire::field<&ModuleItem::name>("name"), wire::field<&ModuleItem::modules>("modules"),
            wire::field<&ModuleItem::declarations>("declarations"),
            wire::field<&ModuleItem::children>("children")};
  }
};

/// What the tree is of.
enum class TreeKind { Modules, Namespaces };
wire::Names<TreeKind> names_of(TreeKind) {
  return {{TreeKind::Modules, "modules"}, {TreeKind::Namespaces, "namespaces"}};
}

struct ModulesResult {
  TreeKind what = TreeKind::Modules;
  std::vector<ModuleItem> tree;
  std::size_t modules = 0;  ///< in all, shown or not
  std::size_t declarations = 0;
  std::size_t total = 0;  ///< nodes that the depth allows
  bool truncated = false;
  bool complete = false;                        ///< the index is: there is nothing else
  std::optional<std::vector<IndexPart>> index;  ///< where it is not complete

  static wire::Fields fields() {
    return {wire::field<&ModulesResult::what>("what"),
            wire::field<&ModulesResult::tree>("tree"),
            wire::field<&ModulesResult::modules>("modules").unlisted(),
            wire::field<&ModulesResult::declarations>("declarations").unlisted(),
            wire::field<&ModulesResult::total>("total"),
            wire::field<&ModulesResult::truncated>("truncated"),
            wire::field<&ModulesResult::complete>("complete"),
            wire::field<&ModulesResult::index>("index")};
  }
};

/// Level by level, so that a limit cuts what is deepest.
class Shown {
 public:
  Shown(const index::ModuleNode& root, std::size_t limit) : limit_(limit) {
    std::vector<const index::ModuleNode*> level = {&root};
    while (!level.empty()) {
      std::vector<const index::ModuleNode*> next;
      for (const index::ModuleNode* node : level)
        for (const index::ModuleNode& child : node->children) {
          ++total_;
          if (kept_.size() >= limit_) continue;
          kept_.push_back(&child);
          next.push_back(&child);
        }
      level = std::move(next);
    }
  }
  std::vector<ModuleItem> tree(const index::ModuleNode& node) const {
    std::vector<ModuleItem> children;
    for (const index::ModuleNode& child : node.children) {
      if (std::find(kept_.begin(), kept_.end(), &child) == kept_.end()) continue;
      ModuleItem shown = {child.name, child.modules, child.declarations, std::nullopt};
      if (auto below = tree(child); !below.empty()) shown.children = std::move(below);
      children.push_back(std::move(shown));
    }
    return children;
  }
  std::size_t total() const { return total_; }
  bool truncated() const { return total_ > kept_.size(); }

 private:
  std::size_t limit_, total_ = 0;
  std::vector<const index::ModuleNode*> kept_;
};

asio::awaitable<Result<ModulesResult>> tree_of_modules(Environment& environment,
                                                       std::shared_ptr<mcp::Call> call,
                                                       ModulesParams params) {
  CO_TRY(const auto root, index_root(environment, params.project_root));
  std::string& prefix = params.prefix;
  while (prefix.ends_with(".") || prefix.ends_with("*")) prefix.pop_back();
  index::Lookup anything;  // the build has to be under way, and waited for
  anything.project = root;
  const auto never = [](const index::Matches&) { return false; };
  CO_TRY(const auto built, co_await find_when_built(environment, call, anything, call->has_timeout, never));
  ModulesResult result;
  CO_TRY(auto tree, co_await environment.index.modules(root, prefix, params.depth, call->scope));
  if (tree.modules == 0) {
    result.what = TreeKind::Namespaces;
    CO_TRY(tree, co_await environment.index.namespaces(root, prefix, params.depth, call->scope));
  }
  const Shown shown(tree, params.limit);
  result.tree = shown.tree(tree);
  result.modules = tree.modules;
  result.declarations = tree.declarations;
  result.total = shown.total();
  result.truncated = shown.truncated();
  result.complete = built.complete;
  if (!built.complete) result.index = index_state(environment);
  co_return result;
}

}  // namespace

mcp::Tool lean_modules(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_modules",
                    .title = "Tree of modules",
                    .group = "search",
                    .description = "The modules of the project, its packages and Lean's library, as a tree "
                                   "with numbers of declarations. A prefix that is no module is taken as a "
                                   "namespace."},
                   tree_of_modules);
}

}  // namespace leanbridge::tools
