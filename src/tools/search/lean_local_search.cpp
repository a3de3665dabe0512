// lean_local_search: which declarations there are, from the local index.

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/index/local_index.hpp"

#include "local_index.hpp"

#include <algorithm>

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

constexpr int kLocalResults = 10;
constexpr std::size_t kLookedAt = 200;
constexpr std::size_t kSimilar = 5;

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

json item_of(const index::Declaration& declaration, const std::filesystem::path& root) {
  const std::string file = shown_path(declaration.file, root);
  return {{"name", declaration.name},
          {"kind", declaration.kind},
          {"module", declaration.module},
          {"file", file.empty() ? json() : json(file)},
          {"line", declaration.line > 0 ? json(declaration.line) : json()},
          {"type", declaration.signature.empty() ? json() : json(declaration.signature)}};
}

Answer answer_local_search(Environment& environment, std::shared_ptr<mcp::Call> call,
                           mcp::Arguments arguments) {
  const std::string query = arguments.string("query");
  const bool blank = query.find_first_not_of(" \t\r\n") == std::string::npos;
  if (blank)
    co_return fail(ErrorKind::InvalidArgument, "The query is empty.",
                   "Pass a name, a part of one, or some words.");
  const auto root = index_root(environment, arguments.string("project_root", ""));
  if (!root) co_return tl::unexpected(root.error());
  index::Lookup lookup;
  lookup.project = *root;
  lookup.limit = kLookedAt;
  (query.find('*') == std::string::npos ? lookup.words : lookup.glob) = query;
  const bool may_wait = arguments.has("timeout_s");
  auto matches = co_await find_when_built(environment, call, lookup, may_wait, has_exact);
  if (!matches) co_return tl::unexpected(matches.error());

  json similar = json::array();
  auto& found = matches->found;
  bool more = matches->total > found.size();
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
  const auto limit = static_cast<std::size_t>(arguments.integer("limit", kLocalResults));
  json items = json::array();
  for (const index::Found& one : found)
    if (items.size() < limit) items.push_back(item_of(one.declaration, *root));
  json result = {{"items", std::move(items)},
                 {"total", found.size()},
                 {"truncated", more || found.size() > limit},
                 {"complete", matches->complete}};
  if (!similar.empty()) result["similar"] = std::move(similar);
  if (!matches->complete) result["index"] = index_state(environment);
  co_return result;
}

}  // namespace

mcp::Tool lean_local_search(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "lean_local_search";
  tool.title = "Search declarations";
  tool.group = "search";
  tool.description =
      "Confirms that a name exists in the project, its packages or Lean's library, or finds it by a part, "
      "words or a "
      "glob (Nat.*). Needs no network and no open file.";
  tool.arguments = {Argument::required_("query", ArgumentType::String, "Name, part of one, words, or glob"),
                    Argument::optional_("limit", ArgumentType::Integer, "Default 10").at_least(1),
                    Argument::optional_("project_root", ArgumentType::String, "Default: the current one")};
  tool.output = {{"items", schema::list({})},
                 {"total", schema::integer()},
                 {"truncated", schema::boolean()},
                 {"complete", schema::boolean()}};
  tool.always = {"items", "total", "truncated", "complete"};
  tool.handler = bind_handler(environment, answer_local_search);
  return tool;
}

}  // namespace leanbridge::tools
