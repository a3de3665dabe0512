// lean_local_search and lean_modules: the tools that use only the local index.

#include "search_common.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace {

using index::IndexUse;
using IndexParts = std::vector<index::IndexStatus::Part>;

constexpr auto kDefaultBuildWait = std::chrono::seconds(20);  // for a call without a timeout of its own
constexpr auto kInspectWait = std::chrono::seconds(1);

/// A call without a timeout of its own does not wait long for a build.
io::CancelScope patience_of(const mcp::Call& call) {
  return call.has_timeout ? call.scope : call.scope.with_timeout(kDefaultBuildWait);
}

// --- lean_local_search

constexpr std::size_t kMaxCandidates = 200;

struct LocalSearchParams {
  std::string query;
  std::size_t limit = 10;
  std::string project_root;  ///< empty: the current one

  static wire::Fields fields() {
    return {wire::field<&LocalSearchParams::query>(),
            wire::field<&LocalSearchParams::limit>().with_default().at_least(1),
            wire::field<&LocalSearchParams::project_root>().with_default()};
  }
};

struct LocalSearchItem {
  std::string name;
  std::string kind;
  std::string module;
  std::string file;  ///< relative to the project if it is inside; the module's path if there is no source
  wire::Nullable<std::size_t> line;
  wire::Nullable<std::string> type;

  static wire::Fields fields() {
    return {wire::field<&LocalSearchItem::name>(),
            wire::field<&LocalSearchItem::kind>(),
            wire::field<&LocalSearchItem::module>().omit_empty(),
            wire::field<&LocalSearchItem::file>(),
            wire::field<&LocalSearchItem::line>().omit_empty(),
            wire::field<&LocalSearchItem::type>().omit_empty()};
  }
};

struct LocalSearchResult {
  std::vector<LocalSearchItem> items;
  std::size_t total = 0;
  bool truncated = false;
  bool complete = false;  ///< the whole index was searched: a name that was not found does not exist
  IndexUse index = IndexUse::Unavailable;
  std::optional<std::vector<std::string>> similar;  ///< names, if none contains the query
  std::optional<IndexParts> index_parts;            ///< the parts that are not ready, if the index is not
                                                    ///< complete

  static wire::Fields fields() {
    return {wire::field<&LocalSearchResult::items>(),
            wire::field<&LocalSearchResult::total>().only_if<&LocalSearchResult::truncated>(),
            wire::field<&LocalSearchResult::truncated>().omit_empty(),
            wire::field<&LocalSearchResult::complete>(),
            wire::field<&LocalSearchResult::index>(),
            wire::field<&LocalSearchResult::similar>(),
            wire::field<&LocalSearchResult::index_parts>()};
  }
};

bool has_exact(const index::Matches& matches) {
  return !matches.found.empty() && matches.found.front().score >= 1;
}

LocalSearchItem item_of(const index::Declaration& declaration, const std::filesystem::path& root) {
  LocalSearchItem item;
  item.name = declaration.name;
  item.kind = declaration.kind;
  item.module = declaration.module;
  item.file = declaration.file.empty() ? search::file_of_module(declaration.module)
                                       : search::shown_path(declaration.file, root);
  if (declaration.line > 0) item.line = declaration.line;
  item.type = null_if_empty(search::as_type(declaration.signature));
  return item;
}

asio::awaitable<Result<LocalSearchResult>> local_search(SearchEnvironment& environment,
                                                        std::shared_ptr<mcp::Call> call,
                                                        LocalSearchParams params) {
  const std::string& query = params.query;
  const bool blank = query.find_first_not_of(" \t\r\n") == std::string::npos;
  if (blank)
    co_return fail(ErrorKind::InvalidArgument, "The query is empty.",
                   "Pass a name, part of a name, or some words.");
  CO_TRY(const auto root, index_root(environment.workspace, params.project_root));
  index::Lookup lookup;
  lookup.project = root;
  lookup.limit = kMaxCandidates;
  (query.find('*') == std::string::npos ? lookup.words : lookup.glob) = query;
  show_index_progress(environment, *call);
  CO_TRY(auto matches,
         co_await environment.index.find_when_built(lookup, has_exact, patience_of(*call), call->scope));

  LocalSearchResult result;
  const auto& found = matches.found;
  const std::size_t candidates = found.size();
  if (lookup.glob.empty() && query.find_first_of(" \t\r\n") == std::string::npos)
    result.similar = absent_if_empty(index::keep_containing(matches, query));
  const bool more = matches.total > candidates && found.size() == candidates;
  for (const index::Match& one : found)
    if (result.items.size() < params.limit) result.items.push_back(item_of(one, root));
  result.total = found.size();
  result.truncated = more || found.size() > params.limit;
  result.complete = matches.complete;
  if (!matches.complete)
    result.index_parts = co_await environment.index.unfinished(root, call->scope.with_timeout(kInspectWait));
  result.index = index::index_use(matches, result.index_parts.value_or(IndexParts()));
  co_return result;
}

}  // namespace

mcp::Tool lean_local_search(SearchEnvironment& environment) {
  return make_tool(
      environment,
      {.name = "lean_local_search",
       .title = "Search declarations",
       .group = "search",
       .description = "Does a name exist in the project, its packages or Lean's library? By part (add_comm), "
                      "words or glob (Nat.*), offline and without opening a file; an empty answer means no."},
      local_search);
}

// --- lean_modules

namespace {

struct ModulesParams {
  std::string prefix;  ///< a module or a namespace; empty: all
  int depth = 2;
  std::size_t limit = 200;
  std::string project_root;  ///< empty: the current one

  static wire::Fields fields() {
    return {wire::field<&ModulesParams::prefix>("Such as Init.Data").with_default(),
            wire::field<&ModulesParams::depth>("Levels").with_default().at_least(1),
            wire::field<&ModulesParams::limit>().with_default().at_least(1),
            wire::field<&ModulesParams::project_root>().with_default()};
  }
};

using Nodes = std::vector<index::ModuleNode>;

struct ModulesResult {
  index::TreeKind what = index::TreeKind::Modules;
  Nodes tree;
  std::size_t modules = 0;  ///< in total, whether shown or not
  std::size_t declarations = 0;
  std::size_t total = 0;  ///< nodes within the depth
  bool truncated = false;
  bool complete = false;            ///< the whole index was searched
  std::optional<IndexParts> index;  ///< if it is not complete

  static wire::Fields fields() {
    return {wire::field<&ModulesResult::what>(),
            wire::field<&ModulesResult::tree>(),
            wire::field<&ModulesResult::modules>().unlisted(),
            wire::field<&ModulesResult::declarations>().unlisted(),
            wire::field<&ModulesResult::total>().only_if<&ModulesResult::truncated>(),
            wire::field<&ModulesResult::truncated>().omit_empty(),
            wire::field<&ModulesResult::complete>(),
            wire::field<&ModulesResult::index>()};
  }
};

asio::awaitable<Result<ModulesResult>> tree_of_modules(SearchEnvironment& environment,
                                                       std::shared_ptr<mcp::Call> call,
                                                       ModulesParams params) {
  CO_TRY(const auto root, index_root(environment.workspace, params.project_root));
  std::string& prefix = params.prefix;
  while (prefix.ends_with(".") || prefix.ends_with("*")) prefix.pop_back();
  index::Lookup anything;  // only to start the build and wait for it
  anything.project = root;
  const auto never = [](const index::Matches&) { return false; };
  show_index_progress(environment, *call);
  CO_TRY(const auto built,
         co_await environment.index.find_when_built(anything, never, patience_of(*call), call->scope));
  ModulesResult result;
  const auto tree_below = [&] {
    return environment.index.tree(result.what, root, prefix, params.depth, call->scope);
  };
  CO_TRY(auto tree, co_await tree_below());
  if (tree.modules == 0) {
    result.what = index::TreeKind::Namespaces;
    CO_TRY(tree, co_await tree_below());
  }
  result.modules = tree.modules;
  result.declarations = tree.declarations;
  result.total = index::keep_upper(tree, params.limit);
  result.truncated = result.total > params.limit;
  result.tree = std::move(tree.children).value_or(Nodes());
  result.complete = built.complete;
  if (!built.complete)
    result.index = co_await environment.index.unfinished(root, call->scope.with_timeout(kInspectWait));
  co_return result;
}

}  // namespace

mcp::Tool lean_modules(SearchEnvironment& environment) {
  return make_tool(environment,
                   {.name = "lean_modules",
                    .title = "Tree of modules",
                    .group = "search",
                    .description = "The modules of the project, its packages and Lean's library, as a tree "
                                   "with declaration counts. A prefix that is not a module is taken as a "
                                   "namespace.",
                    .listed = false},
                   tree_of_modules);
}

}  // namespace leanbridge::tools
