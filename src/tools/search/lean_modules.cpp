// lean_modules: the tree of modules, or of the names in a namespace.

#include "leanbridge/index/local_index.hpp"

#include "local_index.hpp"

#include <algorithm>

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

constexpr int kDefaultDepth = 2;
constexpr int kDefaultModules = 200;

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
  json tree(const index::ModuleNode& node) const {
    json children = json::array();
    for (const index::ModuleNode& child : node.children) {
      if (std::find(kept_.begin(), kept_.end(), &child) == kept_.end()) continue;
      json shown = {{"name", child.name}, {"modules", child.modules}, {"declarations", child.declarations}};
      if (json below = tree(child); !below.empty()) shown["children"] = std::move(below);
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

Answer answer_modules(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  const auto root = index_root(environment, arguments.string("project_root", ""));
  if (!root) co_return tl::unexpected(root.error());
  std::string prefix = arguments.string("prefix", "");
  while (prefix.ends_with(".") || prefix.ends_with("*")) prefix.pop_back();
  const int depth = arguments.integer("depth", kDefaultDepth);
  index::Lookup anything;  // the build has to be under way, and waited for
  anything.project = *root;
  const auto never = [](const index::Matches&) { return false; };
  const auto built = co_await find_when_built(environment, call, anything, arguments.has("timeout_s"), never);
  if (!built) co_return tl::unexpected(built.error());
  const char* what = "modules";
  auto tree = co_await environment.index.modules(*root, prefix, depth, call->scope);
  if (tree && tree->modules == 0) {
    what = "namespaces";
    tree = co_await environment.index.namespaces(*root, prefix, depth, call->scope);
  }
  if (!tree) co_return tl::unexpected(tree.error());
  const Shown shown(*tree, static_cast<std::size_t>(arguments.integer("limit", kDefaultModules)));
  json result = {{"what", what},
                 {"tree", shown.tree(*tree)},
                 {"modules", tree->modules},
                 {"declarations", tree->declarations},
                 {"total", shown.total()},
                 {"truncated", shown.truncated()},
                 {"complete", built->complete}};
  if (!built->complete) result["index"] = index_state(environment);
  co_return result;
}

}  // namespace

mcp::Tool lean_modules(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "lean_modules";
  tool.title = "Tree of modules";
  tool.group = "search";
  tool.description =
      "The modules of the project, its packages and Lean's library, as a tree with numbers of declarations. "
      "A prefix "
      "that is no module is taken as a namespace.";
  tool.arguments = {Argument::optional_("prefix", ArgumentType::String, "Such as Init.Data"),
                    Argument::optional_("depth", ArgumentType::Integer, "Levels; default 2").at_least(1),
                    Argument::optional_("limit", ArgumentType::Integer, "Default 200").at_least(1),
                    Argument::optional_("project_root", ArgumentType::String, "Default: the current one")};
  tool.output = {{"what", schema::string()},
                 {"tree", schema::list({})},
                 {"total", schema::integer()},
                 {"truncated", schema::boolean()},
                 {"complete", schema::boolean()}};
  tool.always = {"what", "tree", "total", "truncated", "complete"};
  tool.handler = bind_handler(environment, answer_modules);
  return tool;
}

}  // namespace leanbridge::tools
