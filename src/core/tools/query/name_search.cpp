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

// The prefix to complete. The pattern `Nat.` stands for every name in Nat.
Result<std::string> typed_word(const std::string& pattern) {
  const bool dot = pattern.size() > 1 && pattern.back() == '.';
  const auto name = text::quote_name(dot ? pattern.substr(0, pattern.size() - 1) : pattern);
  const bool had_to_be_quoted = name && text::has_quotes(*name) && !text::has_quotes(pattern);
  if (!name || had_to_be_quoted)
    return fail(ErrorKind::InvalidArgument, "'" + pattern.substr(0, 80) + "' is not part of a name.",
                "Pass part of a name, such as add_comm or Nat.add_; this does not search types or prose.");
  return dot ? *name + "." : *name;
}

// Whether a full name is in the list; completions leave out namespaces that are open.
bool is_among(const std::vector<std::string>& full_names, const std::string& name) {
  return std::any_of(full_names.begin(), full_names.end(),
                     [&](const std::string& full) { return matches_name(full, name); });
}

// The first component, which all modules of a library share.
std::string_view library_of(std::string_view module) {
  return module.substr(0, module.find('.'));
}

asio::awaitable<Result<NameSearchResult>> search_names(Environment& environment,
                                                       std::shared_ptr<mcp::Call> call,
                                                       NameSearchParams params) {
  CO_TRY(const auto typed, typed_word(params.pattern));
  CO_TRY(const auto file, co_await open_file(environment, call, params.file.file_path));
  const std::string last(text::last_part(typed));
  const auto has_it = [wanted = lower_case(last)](const std::string& name) {
    return lower_case(name).find(wanted) != std::string::npos;
  };
  CO_TRY(const auto context, context_for_names(file, params.at, has_it));
  NameSearchResult result;

  CO_TRY(const auto offered, in_time(co_await complete(file, context, typed, call->scope)));
  if (!offered) {
    result.file = status_of(file, Completeness::TimedOut);
    co_return result;
  }
  // Lean also offers names that merely contain the letters in order: use them only if there is nothing
  // better.
  const auto is_exact = [&](const Completion& completion) { return has_it(completion.name); };
  const bool any_exact = std::any_of(offered->begin(), offered->end(), is_exact);
  if (!any_exact) result.source = NameSource::FuzzyCompletion;
  std::vector<std::string> names;
  for (const Completion& completion : *offered)
    if (completion.kind != "keyword" && (!any_exact || is_exact(completion)) &&
        std::find(names.begin(), names.end(), completion.name) == names.end())
      names.push_back(completion.name);
  const std::vector<std::string> own = text::names_declared_in(file.text().str());
  std::stable_partition(names.begin(), names.end(),
                        [&](const std::string& name) { return is_among(own, name); });
  result.total = names.size();
  names.resize(std::min(names.size(), params.limit));
  result.truncated = names.size() < result.total;
  CO_TRY(const auto found,
         in_time(co_await look_up(file, context, names, DefinitionPlaces::Omit, call->scope)));
  if (!found) {
    for (const std::string& name : names) result.items.push_back({name, {}, {}});
  } else {
    const std::string own_module = co_await module_of(file.store(), file.document().path, call->scope);
    for (const NameInfo& named : *found) {
      if (!named.known) continue;  // it is private to another module, or no constant
      const std::string& module = named.module.empty() ? own_module : named.module;
      FoundNameItem item;
      item.name = named.name;
      if (!named.type.empty()) item.type = named.type;
      if (!module.empty()) item.module = module;
      result.items.push_back(std::move(item));
    }
    const auto of_project = [&](const FoundNameItem& item) {
      return item.module && library_of(*item.module) == library_of(own_module);
    };
    const auto of_file = [&](const FoundNameItem& item) { return item.module && *item.module == own_module; };
    const auto rest = std::stable_partition(result.items.begin(), result.items.end(), of_project);
    std::stable_partition(result.items.begin(), rest, of_file);
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

struct Candidates {
  std::vector<CandidateItem> list;

  bool has(const std::string& name) const {
    return std::any_of(list.begin(), list.end(),
                       [&](const CandidateItem& known) { return known.name == name; });
  }
  void add(const std::string& name, const std::string& module, const std::optional<Place>& place,
           bool in_environment) {
    if (has(name)) return;
    CandidateItem item;
    item.name = name;
    if (!module.empty()) item.module = module;
    if (place) {
      item.file_path = place->path.string();
      item.line = static_cast<int>(place->selection.start.line) + 1;
    }
    item.in_environment = in_environment;
    list.push_back(std::move(item));
  }
};

asio::awaitable<Result<LocateResult>> locate_declaration(Environment& environment,
                                                         std::shared_ptr<mcp::Call> call, NameParams params) {
  CO_TRY(const auto name, text::quote_name(params.name));
  CO_TRY(const auto file, co_await open_file(environment, call, params.file_path));
  const auto is_meant = [&](const std::string& own) { return matches_name(own, name); };
  CO_TRY(const auto context, context_for_names(file, params.at, is_meant));

  // The names in the environment come first, then the index's names from files that are not imported.
  Candidates candidates;
  std::vector<std::string> names;
  CO_TRY(const auto offered, in_time(co_await complete(file, context, name, call->scope)));
  if (offered)
    for (const Completion& completion : *offered)
      if (matches_name(completion.name, name) && names.size() < kMaxCompletions &&
          std::find(names.begin(), names.end(), completion.name) == names.end())
        names.push_back(completion.name);
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  const auto indexed = co_await indexed_symbols(file.store(), name, call->scope);
  CO_TRY(const auto found,
         in_time(co_await look_up(file, context, names, DefinitionPlaces::Include, call->scope)));
  const std::string own_module = co_await module_of(file.store(), file.document().path, call->scope);
  if (found)
    for (const NameInfo& named : *found)
      if (named.known)
        candidates.add(named.name, named.module.empty() ? own_module : named.module, named.place, true);
  for (const IndexedSymbol& symbol : indexed) {
    if (!matches_name(symbol.name, name) || candidates.has(symbol.name) ||
        candidates.list.size() >= kMaxCompletions)
      continue;
    const std::string module = co_await module_of(file.store(), symbol.place.path, call->scope);
    candidates.add(symbol.name, module, symbol.place, false);
  }
  // The file itself comes first, then the project's own files, then others.
  const auto distance = [root = file.store()->root().string() + "/",
                         own = file.document().path.string()](const CandidateItem& item) {
    if (!item.file_path) return 2;
    if (*item.file_path == own) return 0;
    return item.file_path->starts_with(root) && !item.file_path->starts_with(root + ".lake/") ? 1 : 2;
  };
  std::stable_sort(candidates.list.begin(), candidates.list.end(),
                   [&](const CandidateItem& a, const CandidateItem& b) { return distance(a) < distance(b); });
  LocateResult result;
  result.candidates = std::move(candidates.list);
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
