// The tools that find declarations by name.

#include "core/base/ascii.hpp"
#include "core/ide/name_lookup.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/lean_quoting.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <algorithm>

namespace leanbridge::tools {

// --- lean_search: names in the environment, by a part of the name.

namespace {

struct NameSearchParams {
  FileParams file;
  std::string pattern;
  std::size_t limit = 20;
  ContextPosition at;

  static wire::Fields fields() {
    return {wire::flatten<&NameSearchParams::file>(), wire::field<&NameSearchParams::pattern>(),
            wire::field<&NameSearchParams::limit>().with_default().at_least(1),
            wire::flatten<&NameSearchParams::at>()};
  }
};

struct FoundNameItem {
  std::string name;
  wire::Nullable<std::string> type;
  wire::Nullable<std::string> module;

  static wire::Fields fields() {
    return wire::fields<&FoundNameItem::name, &FoundNameItem::type, &FoundNameItem::module>();
  }
};

/// Fuzzy: the name merely contains the letters in order.
enum class NameSource { Completion, FuzzyCompletion };

wire::Names<NameSource> names_of(NameSource) {
  return {{NameSource::Completion, "completion"}, {NameSource::FuzzyCompletion, "fuzzy_completion"}};
}

struct NameSearchResult {
  std::vector<FoundNameItem> items;
  std::size_t total = 0;
  bool truncated = false;
  NameSource source = NameSource::Completion;
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&NameSearchResult::items>(),
            wire::field<&NameSearchResult::total>().only_if<&NameSearchResult::truncated>(),
            wire::field<&NameSearchResult::truncated>().omit_empty(),
            wire::field<&NameSearchResult::source>(), wire::flatten<&NameSearchResult::file>()};
  }
};

// The names of those completions, each once, in their order.
template <class Predicate>
std::vector<std::string> names_among(const std::vector<Completion>& offered, Predicate holds) {
  std::vector<std::string> names;
  for (const Completion& each : offered)
    if (holds(each) && std::ranges::find(names, each.name) == names.end()) names.push_back(each.name);
  return names;
}

asio::awaitable<Result<NameSearchResult>> search_names(Environment& environment,
                                                       std::shared_ptr<mcp::Call> call,
                                                       NameSearchParams params) {
  CO_TRY(const auto typed, word_to_complete(params.pattern));
  CO_TRY(const auto file, co_await open_file(environment, call, params.file.file_path));
  const std::string last(text::last_part(typed));
  const auto has_it = [wanted = lower_case(last)](const std::string& name) {
    return lower_case(name).find(wanted) != std::string::npos;
  };
  CO_TRY(const auto context, context_for_names(file, params.at, has_it));
  NameSearchResult result;

  CO_TRY(const auto offered, in_time(co_await complete(file, context, typed, call->scope)));
  if (!offered) co_return NameSearchResult{.file = status_of(file, late_if(true))};
  // Lean also offers names that merely contain the letters in order: use them only if there is nothing
  // better.
  const bool any_exact = std::ranges::any_of(*offered, has_it, &Completion::name);
  if (!any_exact) result.source = NameSource::FuzzyCompletion;
  std::vector<std::string> names = names_among(*offered, [&](const Completion& completion) {
    return completion.kind != "keyword" && (!any_exact || has_it(completion.name));
  });
  const std::vector<std::string> own = text::names_declared_in(file.text().str());
  // Completions leave out namespaces that are open.
  std::ranges::stable_partition(names, [&](const std::string& name) {
    return std::ranges::any_of(own, [&](const std::string& full) { return matches_name(full, name); });
  });
  result.total = names.size();
  names.resize(std::min(names.size(), params.limit));
  result.truncated = names.size() < result.total;
  CO_TRY(const auto found,
         in_time(co_await look_up(file, context, names, DefinitionPlaces::Omit, call->scope)));
  if (!found) {
    for (const std::string& name : names) result.items.push_back({name, {}, {}});
  } else {
    const std::string own_module = co_await module_of(file.store(), file.document().path, call->scope);
    for (const NameInfo& named : *found)
      if (named.known)  // else it is private to another module, or no constant
        result.items.push_back({named.name, null_if_empty(named.type),
                                null_if_empty(named.module.empty() ? own_module : named.module)});
    // The modules of a library have the first component in common.
    const auto distance = [&, library = own_module.substr(0, own_module.find('.'))](const auto& item) {
      if (!item.module || item.module->substr(0, item.module->find('.')) != library) return 2;
      return *item.module == own_module ? 0 : 1;
    };
    std::ranges::stable_sort(result.items, {}, distance);
  }
  result.file = status_of(file, late_if(!found));
  co_return result;
}

}  // namespace

mcp::Tool lean_search(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_search",
       .title = "Search names",
       .group = "query",
       .description = "Names that can be used at a position, imported and opened there, by part of the "
                      "name. Not imported yet: lean_local_search.",
       .listed = false},
      search_names);
}

// --- lean_locate: where the declarations of a name are.

namespace {

constexpr std::size_t kMaxCompletions = 30;

struct CandidateItem {
  std::string name;
  wire::Nullable<std::string> module;
  wire::Nullable<std::string> file_path;  ///< null: sources are not installed
  wire::Nullable<int> line;
  bool in_environment = false;  ///< false: its module must be imported first

  static wire::Fields fields() {
    return {wire::field<&CandidateItem::name>(), wire::field<&CandidateItem::module>(),
            wire::field<&CandidateItem::file_path>().omit_empty(),
            wire::field<&CandidateItem::line>().omit_empty(),
            wire::field<&CandidateItem::in_environment>().omit_value(true)};
  }
};

struct LocateResult {
  std::vector<CandidateItem> candidates;
  std::optional<std::vector<std::string>> similar;  ///< similar names, if there is no candidate
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&LocateResult::candidates>(), wire::field<&LocateResult::similar>(),
            wire::flatten<&LocateResult::file>()};
  }
};

CandidateItem candidate(const std::string& name, const std::string& module, const std::optional<Place>& place,
                        bool in_environment) {
  CandidateItem item{name, null_if_empty(module), {}, {}, in_environment};
  if (place) {
    item.file_path = place->path.string();
    item.line = static_cast<int>(place->selection.start.line) + 1;
  }
  return item;
}

asio::awaitable<Result<LocateResult>> locate_declaration(Environment& environment,
                                                         std::shared_ptr<mcp::Call> call, NameParams params) {
  CO_TRY(const auto name, text::quote_name(params.name));
  CO_TRY(const auto file, co_await open_file(environment, call, params.file_path));
  const auto is_meant = [&](const std::string& own) { return matches_name(own, name); };
  CO_TRY(const auto context, context_for_names(file, params.at, is_meant));

  // The names in the environment come first, then the index's names from files that are not imported.
  LocateResult result;
  std::vector<std::string> names;
  CO_TRY(const auto offered, in_time(co_await complete(file, context, name, call->scope)));
  if (offered)
    names = names_among(*offered, [&](const Completion& each) { return matches_name(each.name, name); });
  names.resize(std::min(names.size(), kMaxCompletions));
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  const auto indexed = co_await indexed_symbols(file.store(), name, call->scope);
  CO_TRY(const auto found,
         in_time(co_await look_up(file, context, names, DefinitionPlaces::Include, call->scope)));
  const std::string own_module = co_await module_of(file.store(), file.document().path, call->scope);
  if (found)
    for (const NameInfo& named : *found)
      if (named.known)
        result.candidates.push_back(
            candidate(named.name, named.module.empty() ? own_module : named.module, named.place, true));
  for (const IndexedSymbol& symbol : indexed) {
    if (!matches_name(symbol.name, name) || result.candidates.size() >= kMaxCompletions ||
        std::ranges::find(result.candidates, symbol.name, &CandidateItem::name) != result.candidates.end())
      continue;
    const std::string module = co_await module_of(file.store(), symbol.place.path, call->scope);
    result.candidates.push_back(candidate(symbol.name, module, symbol.place, false));
  }
  // The file itself comes first, then the project's own files, then others.
  const auto distance = [root = file.store()->root().string() + "/",
                         own = file.document().path.string()](const CandidateItem& item) {
    if (!item.file_path) return 2;
    if (*item.file_path == own) return 0;
    return item.file_path->starts_with(root) && !item.file_path->starts_with(root + ".lake/") ? 1 : 2;
  };
  std::ranges::stable_sort(result.candidates, {}, distance);
  if (result.candidates.empty()) {
    auto similar = co_await names_like(environment, file.store()->root(), params.name,
                                       text::names_declared_in(file.text().str()), call->scope);
    if (!similar.empty()) result.similar = std::move(similar);
  }
  result.file = status_of(file, late_if(!offered || !found));
  co_return result;
}

}  // namespace

mcp::Tool lean_locate(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_locate",
       .title = "Find a declaration",
       .group = "query",
       .description = "Where a known name is declared: module, file and line of each. in_environment: "
                      "false: import its module first.",
       .listed = false},
      locate_declaration);
}

}  // namespace leanbridge::tools
