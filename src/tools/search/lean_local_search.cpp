// lean_local_search: which declarations there are, from the local index.

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/index/local_index.hpp"

#include "local_index.hpp"
#include "search_common.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace {

constexpr std::size_t kLookedAt = 200;
constexpr std::size_t kSimilar = 5;

struct LocalSearchParams {
  std::string query;
  std::size_t limit = 10;
  std::string project_root;  ///< empty: the current one

  static wire::Fields fields() {
    return {wire::field<&LocalSearchParams::query>("query", "Name, part of one, words, or glob"),
            wire::field<&LocalSearchParams::limit>("limit", "Default 10").with_default().at_least(1),
            wire::field<&LocalSearchParams::project_root>("project_root", "Default: the current one")
                .with_default()};
  }
};

struct LocalSearchItem {
  std::string name;
  std::string kind;
  std::string module;
  wire::Nullable<std::string> file;  ///< relative to the project where it is in it
  wire::Nullable<std::size_t> line;
  wire::Nullable<std::string> type;

  static wire::Fields fields() {
    return {wire::field<&LocalSearchItem::name>("name"),     wire::field<&LocalSearchItem::kind>("kind"),
            wire::field<&LocalSearchItem::module>("module"), wire::field<&LocalSearchItem::file>("file"),
            wire::field<&LocalSearchItem::line>("line"),     wire::field<&LocalSearchItem::type>("type")};
  }
};

struct LocalSearchResult {
  std::vector<LocalSearchItem> items;
  std::size_t total = 0;
  bool truncated = false;
  bool complete = false;                            ///< the index is: there is nothing else
  std::optional<std::vector<std::string>> similar;  ///< names, where none holds the query
  std::optional<std::vector<IndexPart>> index;      ///< where it is not complete

  static wire::Fields fields() {
    return {wire::field<&LocalSearchResult::items>("items"),
            wire::field<&LocalSearchResult::total>("total"),
            wire::field<&LocalSearchResult::truncated>("truncated"),
            wire::field<&LocalSearchResult::complete>("complete"),
            wire::field<&LocalSearchResult::similar>("similar"),
            wire::field<&LocalSearchResult::index>("index")};
  }
};

bool is_one_word(const std::string& query) {
  return query.find_first_of(" \t\r\n") == std::string::npos;
}

// A part of a name is there or it is not: what only resembles it would be taken for a confirmation.
bool holds(const index::Found& found, const std::string& part) {
  return lower_case(found.declaration.name).find(part) != std::string::npos;
}

bool has_exact(const index::Matches& matches) {
  return !matches.found.empty() && matches.found.front().score >= 1;
}

LocalSearchItem item_of(const index::Declaration& declaration, const std::filesystem::path& root) {
  LocalSearchItem item;
  item.name = declaration.name;
  item.kind = declaration.kind;
  item.module = declaration.module;
  item.file = null_if_empty(shown_path(declaration.file, root));
  if (declaration.line > 0) item.line = declaration.line;
  item.type = null_if_empty(declaration.signature);
  return item;
}

asio::awaitable<Result<LocalSearchResult>> local_search(Environment& environment,
                                                        std::shared_ptr<mcp::Call> call,
                                                        LocalSearchParams params) {
  const std::string& query = params.query;
  const bool blank = query.find_first_not_of(" \t\r\n") == std::string::npos;
  if (blank)
    co_return fail(ErrorKind::InvalidArgument, "The query is empty.",
                   "Pass a name, a part of one, or some words.");
  CO_TRY(const auto root, index_root(environment, params.project_root));
  index::Lookup lookup;
  lookup.project = root;
  lookup.limit = kLookedAt;
  (query.find('*') == std::string::npos ? lookup.words : lookup.glob) = query;
  CO_TRY(auto matches, co_await find_when_built(environment, call, lookup, call->has_timeout, has_exact));

  LocalSearchResult result;
  std::vector<std::string> similar;
  auto& found = matches.found;
  bool more = matches.total > found.size();
  if (lookup.glob.empty() && is_one_word(query)) {
    const std::string part = lower_case(query);
    const auto others = std::stable_partition(found.begin(), found.end(),
                                              [&](const index::Found& one) { return holds(one, part); });
    if (others == found.begin())
      for (auto one = others; one != found.end() && similar.size() < kSimilar; ++one)
        similar.push_back(one->declaration.name);
    more = more && others == found.end();
    found.erase(others, found.end());
  }
  for (const index::Found& one : found)
    if (result.items.size() < params.limit) result.items.push_back(item_of(one.declaration, root));
  result.total = found.size();
  result.truncated = more || found.size() > params.limit;
  result.complete = matches.complete;
  if (!similar.empty()) result.similar = std::move(similar);
  if (!matches.complete) result.index = index_state(environment);
  co_return result;
}

}  // namespace

mcp::Tool lean_local_search(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_local_search",
                    .title = "Search declarations",
                    .group = "search",
                    .description = "Confirms that a name exists in the project, its packages or Lean's "
                                   "library, or finds it by a part, words or a glob (Nat.*). Needs no "
                                   "network and no open file."},
                   local_search);
}

}  // namespace leanbridge::tools
