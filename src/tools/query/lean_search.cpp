// lean_search: names of the environment by a part of them.

#include "leanbridge/base/ascii.hpp"

#include "name_lookup.hpp"
#include "text/lean_quoting.hpp"

#include <algorithm>

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

// The beginning of a name: `Nat.` asks for all that it holds.
Result<std::string> typed_word(const std::string& pattern) {
  const bool dot = pattern.size() > 1 && pattern.back() == '.';
  const auto name = lean_name(dot ? pattern.substr(0, pattern.size() - 1) : pattern);
  const bool had_to_be_quoted =
      name && name->find("«") != std::string::npos && pattern.find("«") == std::string::npos;
  if (!name || had_to_be_quoted)
    return fail(
        ErrorKind::InvalidArgument, "'" + pattern.substr(0, 80) + "' is no part of a name.",
        "Pass a part of a name, such as add_comm or Nat.add_; types and prose are not searched here.");
  return dot ? *name + "." : *name;
}

Answer answer_search(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  const auto typed = typed_word(arguments.string("pattern"));
  if (!typed) co_return tl::unexpected(typed.error());
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  const auto context = command_context(*file, arguments);
  if (!context) co_return tl::unexpected(context.error());
  json result = {{"items", json::array()}, {"total", 0}, {"truncated", false}, {"source", "completion"}};

  const auto offered = co_await complete(*file, *context, *typed, call->scope);
  if (!offered && offered.error().kind == ErrorKind::Timeout)
    co_return finish(std::move(result), *file, true, true);
  if (!offered) co_return tl::unexpected(offered.error());
  // Lean also offers names that only have the letters in order: they count where there is nothing better.
  const std::string last = typed->substr(typed->rfind('.') + 1);
  const auto holds_it = [&](const Completion& completion) {
    return lower_case(completion.name).find(lower_case(last)) != std::string::npos;
  };
  const bool any_holds_it = std::any_of(offered->begin(), offered->end(), holds_it);
  if (!any_holds_it) result["source"] = "fuzzy_completion";
  std::vector<std::string> names;
  for (const Completion& completion : *offered)
    if (completion.kind != "keyword" && (!any_holds_it || holds_it(completion)) &&
        std::find(names.begin(), names.end(), completion.name) == names.end())
      names.push_back(completion.name);
  const std::size_t total = names.size();
  const std::size_t limit = static_cast<std::size_t>(arguments.integer("limit", 20));
  names.resize(std::min(total, limit));
  const auto found = co_await look_up(*file, *context, names, false, call->scope);
  const bool timed_out = !found && found.error().kind == ErrorKind::Timeout;
  if (!found && !timed_out) co_return tl::unexpected(found.error());
  if (timed_out) {
    for (const std::string& name : names)
      result["items"].push_back({{"name", name}, {"type", nullptr}, {"module", nullptr}});
  } else {
    const std::string own_module = co_await module_of(file->table, file->document().path, call->scope);
    for (const Named& named : *found) {
      if (!named.known) continue;  // private to another module, or no constant
      const std::string& module = named.module.empty() ? own_module : named.module;
      result["items"].push_back({{"name", named.name},
                                 {"type", named.type.empty() ? json() : json(named.type)},
                                 {"module", module.empty() ? json() : json(module)}});
    }
  }
  result["total"] = total;
  result["truncated"] = names.size() < total;
  co_return finish(std::move(result), *file, timed_out, timed_out);
}

}  // namespace

mcp::Tool lean_search(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "lean_search";
  tool.title = "Search names";
  tool.group = "query";
  tool.description =
      "Declarations that the file can use at a place, by a part of their name (add_comm, Nat.add_), with "
      "type and module, "
      "best first.";
  tool.arguments =
      with_position({file_argument(), Argument::required_("pattern", ArgumentType::String, "Part of a name"),
                     Argument::optional_("limit", ArgumentType::Integer, "Default 20").at_least(1)});
  answers(tool,
          {{"items", schema::list({})},
           {"total", schema::integer()},
           {"truncated", schema::boolean()},
           {"source", schema::string()}},
          {"items", "total", "truncated", "source"});
  tool.handler = bind_handler(environment, answer_search);
  return tool;
}

}  // namespace leanbridge::tools
