// lean_locate: where declarations of a name are.

#include "name_lookup.hpp"
#include "text/lean_quoting.hpp"

#include <algorithm>

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

constexpr std::size_t kMaxCandidates = 30;

struct Candidates {
  json list = json::array();

  bool has(const std::string& name) const {
    return std::any_of(list.begin(), list.end(), [&](const json& known) { return known["name"] == name; });
  }
  void add(const std::string& name, const std::string& module, const std::optional<Place>& place,
           bool in_environment) {
    if (has(name)) return;
    list.push_back({{"name", name},
                    {"module", module.empty() ? json() : json(module)},
                    {"file_path", place ? json(place->path.string()) : json()},
                    {"line", place ? json(static_cast<int>(place->selection.start.line) + 1) : json()},
                    {"in_environment", in_environment}});
  }
};

Answer answer_locate(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  const auto name = lean_name(arguments.string("name"));
  if (!name) co_return tl::unexpected(name.error());
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  const auto context = command_context(*file, arguments);
  if (!context) co_return tl::unexpected(context.error());

  // What the environment has under that name, then what the index knows of files that are not imported.
  Candidates candidates;
  bool complete_answer = true;
  std::vector<std::string> names;
  const auto offered = co_await complete(*file, *context, *name, call->scope);
  if (!offered && offered.error().kind != ErrorKind::Timeout) co_return tl::unexpected(offered.error());
  complete_answer = offered.has_value();
  if (offered)
    for (const Completion& completion : *offered)
      if (is_named(completion.name, *name) && names.size() < kMaxCandidates &&
          std::find(names.begin(), names.end(), completion.name) == names.end())
        names.push_back(completion.name);
  if (std::find(names.begin(), names.end(), *name) == names.end()) names.push_back(*name);
  const auto indexed = co_await indexed_symbols(file->table, *name, call->scope);
  const auto found = co_await look_up(*file, *context, names, true, call->scope);
  if (!found && found.error().kind != ErrorKind::Timeout) co_return tl::unexpected(found.error());
  complete_answer = complete_answer && found.has_value();
  const std::string own_module = co_await module_of(file->table, file->document().path, call->scope);
  if (found)
    for (const Named& named : *found)
      if (named.known)
        candidates.add(named.name, named.module.empty() ? own_module : named.module, named.place, true);
  for (const Indexed& symbol : indexed) {
    if (!is_named(symbol.name, *name) || candidates.has(symbol.name) ||
        candidates.list.size() >= kMaxCandidates)
      continue;
    const std::string module = co_await module_of(file->table, symbol.place.path, call->scope);
    candidates.add(symbol.name, module, symbol.place, false);
  }
  json result = {{"candidates", std::move(candidates.list)}};
  co_return finish(std::move(result), *file, !complete_answer, !complete_answer);
}

}  // namespace

mcp::Tool lean_locate(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_locate";
  tool.title = "Find a declaration";
  tool.group = "query";
  tool.description =
      "All declarations of a name, given in full or by its last parts, with module, file and line. "
      "in_environment: false "
      "means that its module must be imported first; file_path is null where sources are not installed.";
  tool.arguments = with_position({file_argument(), name_argument()});
  answers(tool, {{"candidates", schema::list({})}}, {"candidates"});
  tool.handler = bind_handler(environment, answer_locate);
  return tool;
}

}  // namespace leanbridge::tools
