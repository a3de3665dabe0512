// lean_search: names of the environment by a part of them.

#include "leanbridge/base/ascii.hpp"
#include "leanbridge/text/lean_quoting.hpp"

#include "name_lookup.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace {

struct NameSearchParams {
  FileParams file;
  std::string pattern;
  std::size_t limit = 20;
  ContextPosition at;

  static wire::Fields fields() {
    return {wire::flatten<&NameSearchParams::file>(),
            wire::field<&NameSearchParams::pattern>("pattern", "Part of a name"),
            wire::field<&NameSearchParams::limit>("limit", "Default 20").with_default().at_least(1),
            wire::flatten<&NameSearchParams::at>()};
  }
};

struct FoundNameItem {
  std::string name;
  wire::Nullable<std::string> type;
  wire::Nullable<std::string> module;

  static wire::Fields fields() {
    return {wire::field<&FoundNameItem::name>("name"), wire::field<&FoundNameItem::type>("type"),
            wire::field<&FoundNameItem::module>("module")};
  }
};

/// Fuzzy: Lean offers names that only have the letters in order.
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
    return {wire::field<&NameSearchResult::items>("items"), wire::field<&NameSearchResult::total>("total"),
            wire::field<&NameSearchResult::truncated>("truncated"),
            wire::field<&NameSearchResult::source>("source"), wire::flatten<&NameSearchResult::file>()};
  }
};

// The beginning of a name: `Nat.` asks for all that it holds.
Result<std::string> typed_word(const std::string& pattern) {
  const bool dot = pattern.size() > 1 && pattern.back() == '.';
  const auto name = text::quote_name(dot ? pattern.substr(0, pattern.size() - 1) : pattern);
  const bool had_to_be_quoted =
      name && name->find("«") != std::string::npos && pattern.find("«") == std::string::npos;
  if (!name || had_to_be_quoted)
    return fail(
        ErrorKind::InvalidArgument, "'" + pattern.substr(0, 80) + "' is no part of a name.",
        "Pass a part of a name, such as add_comm or Nat.add_; types and prose are not searched here.");
  return dot ? *name + "." : *name;
}

asio::awaitable<Result<NameSearchResult>> search_names(Environment& environment,
                                                       std::shared_ptr<mcp::Call> call,
                                                       NameSearchParams params) {
  CO_TRY(const auto typed, typed_word(params.pattern));
  CO_TRY(const auto file, co_await open_file(environment, call, params.file.file_path));
  CO_TRY(const auto context, command_context(file, params.at));
  NameSearchResult result;

  const auto offered = co_await complete(file, context, typed, call->scope);
  if (!offered && offered.error().kind == ErrorKind::Timeout) {
    result.file = status_of(file, Completeness::TimedOut);
    co_return result;
  }
  if (!offered) co_return tl::unexpected(offered.error());
  // Lean also offers names that only have the letters in order: they count where there is nothing better.
  const std::string last = typed.substr(typed.rfind('.') + 1);
  const auto holds_it = [&](const Completion& completion) {
    return lower_case(completion.name).find(lower_case(last)) != std::string::npos;
  };
  const bool any_holds_it = std::any_of(offered->begin(), offered->end(), holds_it);
  if (!any_holds_it) result.source = NameSource::FuzzyCompletion;
  std::vector<std::string> names;
  for (const Completion& completion : *offered)
    if (completion.kind != "keyword" && (!any_holds_it || holds_it(completion)) &&
        std::find(names.begin(), names.end(), completion.name) == names.end())
      names.push_back(completion.name);
  result.total = names.size();
  names.resize(std::min(names.size(), params.limit));
  result.truncated = names.size() < result.total;
  const auto found = co_await look_up(file, context, names, false, call->scope);
  const bool timed_out = !found && found.error().kind == ErrorKind::Timeout;
  if (!found && !timed_out) co_return tl::unexpected(found.error());
  if (timed_out) {
    for (const std::string& name : names) result.items.push_back({name, {}, {}});
  } else {
    const std::string own_module = co_await module_of(file.store(), file.document().path, call->scope);
    for (const Named& named : *found) {
      if (!named.known) continue;  // private to another module, or no constant
      const std::string& module = named.module.empty() ? own_module : named.module;
      FoundNameItem item;
      item.name = named.name;
      if (!named.type.empty()) item.type = named.type;
      if (!module.empty()) item.module = module;
      result.items.push_back(std::move(item));
    }
  }
  result.file = status_of(file, late_if(timed_out));
  co_return result;
}

}  // namespace

mcp::Tool lean_search(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_search",
                    .title = "Search names",
                    .group = "query",
                    .description = "Declarations that the file can use at a place, by a part of their name "
                                   "(add_comm, Nat.add_), with type and module, best first."},
                   search_names);
}

}  // namespace leanbridge::tools
