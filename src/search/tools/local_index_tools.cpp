// lean_local_search and lean_modules: the tools that use only the local index.

#include "core/base/ascii.hpp"
#include "search/index/local_index.hpp"
#include "search/sources/theorem.hpp"
#include "search_common.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace {

constexpr auto kDefaultBuildWait = std::chrono::seconds(20);  // for a call without a timeout of its own
constexpr auto kSearchInterval = std::chrono::seconds(2);
constexpr auto kInspectWait = std::chrono::seconds(1);

bool any_building(const index::IndexStatus& status) {
  for (const auto& part : status.parts)
    if (part.state == index::IndexStatus::State::Building) return true;
  return false;
}

/// A part of the index, as shown in answers.
struct IndexPart {
  std::string name;  ///< "project" or the toolchain's name
  index::IndexStatus::State state = index::IndexStatus::State::Absent;
  std::size_t modules = 0;
  std::size_t modules_total = 0;
  std::optional<std::string> problem;  ///< the failure, or what was skipped and why

  static wire::Fields fields() {
    return wire::fields<&IndexPart::name, &IndexPart::state, &IndexPart::modules, &IndexPart::modules_total,
                        &IndexPart::problem>();
  }
};

/// The parts of a project's index that are not ready, including a toolchain that was not found.
asio::awaitable<std::vector<IndexPart>> unfinished_parts(SearchEnvironment& environment,
                                                         std::filesystem::path root, io::CancelScope scope) {
  const auto inspected =
      co_await environment.index.inspect(std::move(root), scope.with_timeout(kInspectWait));
  const index::IndexStatus status = inspected ? *inspected : environment.index.status();
  std::vector<IndexPart> parts;
  for (const auto& part : status.parts)
    if (part.state != index::IndexStatus::State::Ready)
      parts.push_back(
          {part.name, part.state, part.modules, part.modules_total, text_or_absent(part.problem)});
  co_return parts;
}

/// Whether a search saw the whole index, in the words of lean-lsp-mcp: only Consulted makes an empty result
/// mean that there is no such name.
///
/// | state       | what the search saw                                                          |
/// |-------------|------------------------------------------------------------------------------|
/// | Consulted   | all of it                                                                    |
/// | Warming     | what there was of it: it is being built, or its files are being looked for   |
/// | Error       | what there was of it: a part could not be built                              |
/// | Unavailable | only the project, because there is no toolchain to index                     |
enum class IndexUse { Consulted, Warming, Unavailable, Error };
wire::Names<IndexUse> names_of(IndexUse) {
  return {{IndexUse::Consulted, "consulted"},
          {IndexUse::Warming, "warming"},
          {IndexUse::Unavailable, "unavailable"},
          {IndexUse::Error, "error"}};
}

IndexUse index_use(const index::Matches& matches, const std::vector<IndexPart>& unfinished) {
  using State = index::IndexStatus::State;
  const auto any = [&](State state) {
    return std::any_of(unfinished.begin(), unfinished.end(),
                       [state](const IndexPart& part) { return part.state == state; });
  };
  if (matches.complete) return IndexUse::Consulted;
  if (any(State::Building)) return IndexUse::Warming;
  if (any(State::Failed)) return IndexUse::Error;
  return matches.growing && !any(State::Absent) ? IndexUse::Warming : IndexUse::Unavailable;
}

/// Searches. While the index is being built and `enough` does not hold, waits and searches again: until the
/// deadline if the call has a timeout of its own, otherwise for kDefaultBuildWait.
asio::awaitable<Result<index::Matches>> find_when_built(SearchEnvironment& environment,
                                                        std::shared_ptr<mcp::Call> call, index::Lookup lookup,
                                                        bool (*enough)(const index::Matches&)) {
  show_index_progress(environment, *call);
  const io::CancelScope patience =
      call->has_timeout ? call->scope : call->scope.with_timeout(kDefaultBuildWait);
  for (;;) {
    auto matches = co_await environment.index.find(lookup, call->scope);
    if (!matches || matches->complete || enough(*matches)) co_return matches;
    const auto done = [&] { return !any_building(environment.index.status()); };
    const auto end =
        co_await io::wait_until(environment.index.changed, patience.with_timeout(kSearchInterval), done);
    if (end == io::WaitStatus::Cancelled) co_return call_cancelled();
    // The build has ended: search a last time. Parts that failed will not become available.
    if (end == io::WaitStatus::Ready) co_return co_await environment.index.find(lookup, call->scope);
    if (io::Clock::now() >= patience.deadline) co_return matches;
  }
}

// --- lean_local_search

constexpr std::size_t kMaxCandidates = 200;
constexpr std::size_t kMaxSimilar = 5;

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
  std::optional<std::vector<std::string>> similar;    ///< names, if none contains the query
  std::optional<std::vector<IndexPart>> index_parts;  ///< the parts that are not ready, if the index is not
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

bool is_one_word(const std::string& query) {
  return query.find_first_of(" \t\r\n") == std::string::npos;
}

// Whether the name contains the text. A name that only resembles it would be mistaken for a confirmation.
bool contains_text(const index::Match& found, const std::string& part) {
  return lower_case(found.name).find(part) != std::string::npos;
}

bool has_exact(const index::Matches& matches) {
  return !matches.found.empty() && matches.found.front().score >= 1;
}

LocalSearchItem item_of(const index::Declaration& declaration, const std::filesystem::path& root) {
  LocalSearchItem item;
  item.name = declaration.name;
  item.kind = declaration.kind;
  item.module = declaration.module;
  item.file = declaration.file.empty() ? search::file_of_module(declaration.module)
                                       : shown_path(declaration.file, root);
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
  CO_TRY(const auto root, index_root(environment, params.project_root));
  index::Lookup lookup;
  lookup.project = root;
  lookup.limit = kMaxCandidates;
  (query.find('*') == std::string::npos ? lookup.words : lookup.glob) = query;
  CO_TRY(auto matches, co_await find_when_built(environment, call, lookup, has_exact));

  LocalSearchResult result;
  std::vector<std::string> similar;
  auto& found = matches.found;
  bool more = matches.total > found.size();
  if (lookup.glob.empty() && is_one_word(query)) {
    const std::string part = lower_case(query);
    const auto others = std::stable_partition(
        found.begin(), found.end(), [&](const index::Match& one) { return contains_text(one, part); });
    if (others == found.begin())
      for (auto one = others; one != found.end() && similar.size() < kMaxSimilar; ++one)
        similar.push_back(one->name);
    more = more && others == found.end();
    found.erase(others, found.end());
  }
  for (const index::Match& one : found)
    if (result.items.size() < params.limit) result.items.push_back(item_of(one, root));
  result.total = found.size();
  result.truncated = more || found.size() > params.limit;
  result.complete = matches.complete;
  if (!matches.complete) result.index_parts = co_await unfinished_parts(environment, root, call->scope);
  result.index = index_use(matches, result.index_parts.value_or(std::vector<IndexPart>()));
  if (!similar.empty()) result.similar = std::move(similar);
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

struct ModuleItem {
  std::string name;
  std::size_t modules = 0;
  std::size_t declarations = 0;
  std::optional<std::vector<ModuleItem>> children;

  static wire::Fields fields() {
    return wire::fields<&ModuleItem::name, &ModuleItem::modules, &ModuleItem::declarations,
                        &ModuleItem::children>();
  }
};

/// The meaning of the nodes of the tree.
enum class TreeKind { Modules, Namespaces };
wire::Names<TreeKind> names_of(TreeKind) {
  return {{TreeKind::Modules, "modules"}, {TreeKind::Namespaces, "namespaces"}};
}

struct ModulesResult {
  TreeKind what = TreeKind::Modules;
  std::vector<ModuleItem> tree;
  std::size_t modules = 0;  ///< in total, whether shown or not
  std::size_t declarations = 0;
  std::size_t total = 0;  ///< nodes within the depth
  bool truncated = false;
  bool complete = false;                        ///< the whole index was searched
  std::optional<std::vector<IndexPart>> index;  ///< if it is not complete

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

/// The nodes to show: picked level by level, so that the limit cuts the deepest ones.
class ShownNodes {
 public:
  ShownNodes(const index::ModuleNode& root, std::size_t limit) : limit_(limit) {
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

asio::awaitable<Result<ModulesResult>> tree_of_modules(SearchEnvironment& environment,
                                                       std::shared_ptr<mcp::Call> call,
                                                       ModulesParams params) {
  CO_TRY(const auto root, index_root(environment, params.project_root));
  std::string& prefix = params.prefix;
  while (prefix.ends_with(".") || prefix.ends_with("*")) prefix.pop_back();
  index::Lookup anything;  // only to start the build and wait for it
  anything.project = root;
  const auto never = [](const index::Matches&) { return false; };
  CO_TRY(const auto built, co_await find_when_built(environment, call, anything, never));
  ModulesResult result;
  CO_TRY(auto tree, co_await environment.index.modules(root, prefix, params.depth, call->scope));
  if (tree.modules == 0) {
    result.what = TreeKind::Namespaces;
    CO_TRY(tree, co_await environment.index.namespaces(root, prefix, params.depth, call->scope));
  }
  const ShownNodes shown(tree, params.limit);
  result.tree = shown.tree(tree);
  result.modules = tree.modules;
  result.declarations = tree.declarations;
  result.total = shown.total();
  result.truncated = shown.truncated();
  result.complete = built.complete;
  if (!built.complete) result.index = co_await unfinished_parts(environment, root, call->scope);
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
