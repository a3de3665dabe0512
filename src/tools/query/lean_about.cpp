// lean_about: what Lean knows of a declaration.

#include "source_locations.hpp"
#include "tools/common/hidden_sorries.hpp"
#include "tools/common/scratch_query.hpp"

#include <algorithm>

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

enum Command : std::size_t { kCheck, kPrint, kAxioms };

// `@[simp, defeq] protected theorem Nat.add_comm : ...`: Lean's own first words.
struct Head {
  json attributes = nullptr;
  json kind = nullptr;
};

Head read_head(std::string text) {
  Head head;
  if (text.starts_with("@[")) {
    const std::size_t close = text.find(']');
    head.attributes = json::array();
    for (std::size_t at = 2; at < close && close != std::string::npos;) {
      const std::size_t comma = std::min(text.find(", ", at), close);
      head.attributes.push_back(text.substr(at, comma - at));
      at = comma + 2;
    }
    text.erase(0, text.find_first_not_of(" \n", close == std::string::npos ? 0 : close + 1));
  }
  for (bool modifier = true; modifier;) {
    modifier = false;
    for (const std::string_view word :
         {"private ", "protected ", "public ", "meta ", "noncomputable ", "unsafe ", "partial "})
      if (text.starts_with(word)) {
        text.erase(0, word.size());
        modifier = true;
      }
  }
  for (const std::string_view kind : {"theorem", "def", "abbrev", "structure", "class", "inductive",
                                      "constructor", "recursor", "axiom", "opaque", "instance"})
    if (text.starts_with(std::string(kind) + " ")) head.kind = kind;
  if (text.starts_with("Quotient primitive")) head.kind = "quotient";
  return head;
}

// The binders before the colon of `Foo.bar {α : Type} [Add α] (a : α) : T` that callers leave out.
json implicit_arguments(const std::string& signature) {
  constexpr std::string_view kOpen = "({[", kClose = ")}]", kStrictOpen = "⦃", kStrictClose = "⦄";
  json found = json::array();
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < signature.size(); ++i) {
    const std::string_view rest = std::string_view(signature).substr(i);
    if (depth == 0 && rest.starts_with(" : ")) break;
    const bool strict_open = rest.starts_with(kStrictOpen), strict_close = rest.starts_with(kStrictClose);
    if (kOpen.find(rest[0]) != std::string_view::npos || strict_open) {
      if (depth++ == 0) start = i;
    } else if (kClose.find(rest[0]) != std::string_view::npos || strict_close) {
      const std::size_t end = i + (strict_close ? kStrictClose.size() : 1);
      const bool level = start > 0 && signature[start - 1] == '.';  // `Foo.{u, v}`
      if (--depth == 0 && signature[start] != '(' && !level)
        found.push_back(signature.substr(start, end - start));
    }
  }
  return found;
}

// `#print axioms` speaks, or refuses to in a module.
json is_axiom_free(const Asked& asked) {
  const auto text = asked.message(kAxioms, lean::Severity::Information);
  if (text && text->find("does not depend on any axioms") != std::string::npos) return true;
  if (text && text->find("depends on axioms") != std::string::npos) return false;
  return nullptr;
}

Answer answer_about(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  json result = {{"name", arguments.string("name")}, {"kind", nullptr}, {"type", nullptr}};
  std::vector<std::string> commands{"#check @", "#print ", "#print axioms "};
  const auto asked = co_await ask_about_name(*file, arguments, commands, call->scope);
  if (!asked && asked.error().kind == ErrorKind::Timeout)
    co_return finish(std::move(result), *file, true, true);
  if (!asked) co_return tl::unexpected(asked.error());

  const OpenFile& scratch = (*asked)->file();
  if (const auto print = (*asked)->message(kPrint, lean::Severity::Information)) {
    const Head head = read_head(*print);
    result["kind"] = head.kind;
    if (!head.attributes.is_null()) result["attributes"] = head.attributes;
  }
  // A macro can take the question for another: then the answer is none.
  const auto silencer = co_await find_silencer(
      environment, {file->table, file->document().path, file->text().str()}, call->scope);
  if (!silencer) co_return tl::unexpected(silencer.error());
  result["is_axiom_free"] = *silencer ? json() : is_axiom_free(**asked);
  const auto types = co_await checked_types(*asked, call->scope);
  if (types[kCheck]) result["type"] = *types[kCheck];

  const std::size_t name_at = (*asked)->start(kCheck) + commands[kCheck].size();
  const document::Version version = scratch.document().state.version();
  const auto hover = co_await document::request_at(scratch.table, scratch.share(), "textDocument/hover",
                                                   name_at, version, {}, call->scope);
  const Hover told = hover ? read_hover(hover->value) : Hover();
  result["docstring"] = told.docstring.empty() ? json() : json(told.docstring);
  result["implicit_arguments"] = implicit_arguments(told.signature);
  // The name in full is what stands before the binders.
  if (const std::size_t end = told.signature.find_first_of(" \n");
      end != std::string::npos && told.signature.find("«") == std::string::npos) {
    const std::string full = told.signature.substr(0, end);
    result["name"] = full.substr(0, full.find(".{"));
  }

  const auto definition = co_await document::request_at(
      scratch.table, scratch.share(), "textDocument/definition", name_at, version, {}, call->scope);
  std::vector<Place> places;
  if (definition) places = read_places(definition->value);
  result["defined_at"] = nullptr;
  std::string module = told.module;
  if (!places.empty()) {
    Place place = places.front();
    // The beginning of the scratch document is that of the user's file.
    if (place.path == scratch.document().path) place.path = file->document().path;
    result["defined_at"] = {{"file_path", place.path.string()},
                            {"line", static_cast<int>(place.selection.start.line) + 1}};
    if (module.empty()) module = co_await module_of(file->table, place.path, call->scope);
  }
  result["module"] = module.empty() ? json() : json(module);
  co_return finish(std::move(result), *file, false, false);
}

}  // namespace

mcp::Tool lean_about(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_about";
  tool.title = "About a declaration";
  tool.group = "query";
  tool.description =
      "Kind, type, module, place, documentation, implicit arguments and attributes of a declaration, by its "
      "name. "
      "is_axiom_free is null where Lean does not tell.";
  tool.arguments = with_position({file_argument(), name_argument()});
  const json text = schema::nullable(schema::string());
  answers(tool,
          {{"name", schema::string()},
           {"kind", text},
           {"type", text},
           {"module", text},
           {"defined_at", schema::nullable(schema::object({}))},
           {"docstring", text},
           {"implicit_arguments", schema::list(schema::string())},
           {"attributes", schema::list(schema::string())},
           {"is_axiom_free", schema::nullable(schema::boolean())}},
          {"name", "kind", "type"});
  tool.handler = bind_handler(environment, answer_about);
  return tool;
}

}  // namespace leanbridge::tools
