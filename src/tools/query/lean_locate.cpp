// lean_locate: where declarations of a name are.

#include "leanbridge/text/lean_quoting.hpp"

#include "name_lookup.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace {

constexpr std::size_t kMaxCandidates = 30;

struct CandidateItem {
  std::string name;
  wire::Nullable<std::string> module;
  wire::Nullable<std::string> file_path;  ///< null where sources are not installed
  wire::Nullable<int> line;
  bool in_environment = false;  ///< false: its module must be imported first

  static wire::Fields fields() {
    return {wire::field<&CandidateItem::name>("name"), wire::field<&CandidateItem::module>("module"),
            wire::field<&CandidateItem::file_path>("file_path"), wire::field<&CandidateItem::line>("line"),
            wire::field<&CandidateItem::in_environment>("in_environment")};
  }
};

struct LocateResult {
  std::vector<CandidateItem> candidates;
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&LocateResult::candidates>("candidates"), wire::flatten<&LocateResult::file>()};
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
  CO_TRY(const auto context, command_context(file, params.at));

  // What the environment has under that name, then what the index knows of files that are not imported.
  Candidates candidates;
  std::vector<std::string> names;
  const auto offered = co_await complete(file, context, name, call->scope);
  if (!offered && offered.error().kind != ErrorKind::Timeout) co_return tl::unexpected(offered.error());
  if (offered)
    for (const Completion& completion : *offered)
      if (is_named(completion.name, name) && names.size() < kMaxCandidates &&
          std::find(names.begin(), names.end(), completion.name) == names.end())
        names.push_back(completion.name);
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  const auto indexed = co_await indexed_symbols(file.store(), name, call->scope);
  const auto found = co_await look_up(file, context, names, true, call->scope);
  if (!found && found.error().kind != ErrorKind::Timeout) co_return tl::unexpected(found.error());
  const std::string own_module = co_await module_of(file.store(), file.document().path, call->scope);
  if (found)
    for (const Named& named : *found)
      if (named.known)
        candidates.add(named.name, named.module.empty() ? own_module : named.module, named.place, true);
  for (const Indexed& symbol : indexed) {
    if (!is_named(symbol.name, name) || candidates.has(symbol.name) ||
        candidates.list.size() >= kMaxCandidates)
      continue;
    const std::string module = co_await module_of(file.store(), symbol.place.path, call->scope);
    candidates.add(symbol.name, module, symbol.place, false);
  }
  LocateResult result;
  result.candidates = std::move(candidates.list);
  result.file = status_of(file, late_if(!offered || !found));
  co_return result;
}

}  // namespace

mcp::Tool lean_locate(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_locate",
                    .title = "Find a declaration",
                    .group = "query",
                    .description = "All declarations of a name, given in full or by its last parts, with "
                                   "module, file and line. in_environment: false means that its module must "
                                   "be imported first; file_path is null where sources are not installed."},
                   locate_declaration);
}

}  // namespace leanbridge::tools
