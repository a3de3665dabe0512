// The tools that describe a declaration, given its name.

#include "core/ide/hidden_sorries.hpp"
#include "core/ide/scratch_query.hpp"
#include "core/ide/source_locations.hpp"
#include "core/lean/printed.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <algorithm>

namespace leanbridge::tools {

// --- lean_about: Lean's knowledge about a declaration.

namespace {

enum Command : std::size_t { kCheck, kPrint, kAxioms };

struct AboutDefinition {
  std::string file_path;
  int line = 1;

  static wire::Fields fields() { return wire::fields<&AboutDefinition::file_path, &AboutDefinition::line>(); }
};

/// Null: Lean does not tell. After a timeout, `kind` and `type` are null and the optional members absent.
struct AboutResult {
  std::string name;  ///< in full if Lean provides it, else as given
  wire::Nullable<std::string> kind;
  wire::Nullable<std::string> type;
  std::optional<wire::Nullable<std::string>> module;
  std::optional<wire::Nullable<AboutDefinition>> defined_at;
  std::optional<wire::Nullable<std::string>> docstring;
  std::optional<std::vector<std::string>> implicit_arguments;
  std::optional<std::vector<std::string>> attributes;  ///< also absent if it has none
  std::optional<wire::Nullable<bool>> is_axiom_free;
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&AboutResult::name>(),
            wire::field<&AboutResult::kind>(),
            wire::field<&AboutResult::type>(),
            wire::field<&AboutResult::module>(),
            wire::field<&AboutResult::defined_at>().omit_empty(),
            wire::field<&AboutResult::docstring>().omit_empty(),
            wire::field<&AboutResult::implicit_arguments>().omit_empty(),
            wire::field<&AboutResult::attributes>(),
            wire::field<&AboutResult::is_axiom_free>(),
            wire::flatten<&AboutResult::file>()};
  }
};

// The start of `#print`'s output: `@[simp, defeq] protected theorem Nat.add_comm : ...`.
struct Head {
  std::optional<std::vector<std::string>> attributes;
  std::optional<std::string> kind;
};

Head read_head(std::string text) {
  Head head;
  if (text.starts_with("@[")) {
    const std::size_t close = text.find(']');
    head.attributes.emplace();
    for (std::size_t at = 2; at < close && close != std::string::npos;) {
      const std::size_t comma = std::min(text.find(", ", at), close);
      head.attributes->push_back(text.substr(at, comma - at));
      at = comma + 2;
    }
    text.erase(0, text.find_first_not_of(" \n", close == std::string::npos ? 0 : close + 1));
  }
  if (const auto printed = lean::read_printed_kind(text)) head.kind = printed->kind;
  if (text.starts_with("Quotient primitive")) head.kind = "quotient";
  return head;
}

// The binders that callers omit: the implicit ones before the colon of `Foo.bar {α : Type} [Add α] (a : α) :
// T`.
std::vector<std::string> implicit_arguments(const std::string& signature) {
  constexpr std::string_view kOpen = "({[", kClose = ")}]", kStrictOpen = "⦃", kStrictClose = "⦄";
  std::vector<std::string> found;
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

/// Asks `#print axioms`. Since that may leave out axioms of imports, reads the compiled module if there is
/// one.
asio::awaitable<wire::Nullable<bool>> is_axiom_free(Environment& environment, const OpenFile& file,
                                                    const CommandAnswers& asked, const AboutResult& about,
                                                    io::CancelScope scope) {
  const auto text = asked.message(kAxioms, lean::Severity::Information);
  if (!text) co_return std::nullopt;
  if (text->find("depends on axioms") != std::string::npos) co_return false;
  if (text->find("does not depend on any axioms") == std::string::npos) co_return std::nullopt;
  if (co_await lists_all_axioms(environment, *file.store(), text::parse_lean_header(file.text().str()),
                                scope))
    co_return true;
  if (!about.module || !*about.module || !about.defined_at || !*about.defined_at ||
      (*about.defined_at)->file_path == file.document().path.string())
    co_return std::nullopt;
  const auto found = co_await foundation_in(environment, *file.store(), **about.module, about.name, scope);
  if (!found || !found->without_proof.empty()) co_return std::nullopt;
  co_return found->axioms.empty();
}

asio::awaitable<Result<AboutResult>> about(Environment& environment, std::shared_ptr<mcp::Call> call,
                                           NameParams params) {
  CO_TRY(const OpenFile file, co_await open_file(environment, call, params.file_path));
  AboutResult result;
  result.name = params.name;
  const std::vector<std::string> commands{"#check @", "#print ", "#print axioms "};
  CO_TRY(const auto asked, in_time(co_await ask_about_name(file, params, commands, call->scope)));
  if (!asked) {
    result.file = status_of(file, Completeness::TimedOut);
    co_return result;
  }

  const OpenFile& scratch = (*asked)->file();
  if (const auto print = (*asked)->message(kPrint, lean::Severity::Information)) {
    Head head = read_head(*print);
    result.kind = std::move(head.kind);
    result.attributes = std::move(head.attributes);
  }
  const auto types = co_await checked_types(*asked, call->scope);
  result.type = types[kCheck];

  const std::size_t name_at = (*asked)->start(kCheck) + commands[kCheck].size();
  const document::Version version = scratch.document().state.version();
  const auto hover = co_await scratch.request_at("textDocument/hover", {name_at, version}, call->scope);
  const Hover told = hover ? read_hover(hover->value) : Hover();
  result.docstring = null_if_empty(told.docstring);
  result.implicit_arguments = implicit_arguments(told.signature);
  // The full name precedes the binders.
  if (told.signature.find_first_of(" \n") != std::string::npos)
    result.name = split_signature(told.signature).name;

  const auto definition =
      co_await scratch.request_at("textDocument/definition", {name_at, version}, call->scope);
  std::vector<Place> places;
  if (definition) places = read_places(definition->value);
  result.defined_at = wire::Nullable<AboutDefinition>();
  std::string module = told.module;
  if (!places.empty()) {
    Place place = places.front();
    // The scratch document starts with the user's file.
    if (place.path == scratch.document().path) place.path = file.document().path;
    result.defined_at =
        AboutDefinition{place.path.string(), static_cast<int>(place.selection.start.line) + 1};
    if (module.empty()) module = co_await module_of(file.store(), place.path, call->scope);
  }
  result.module = null_if_empty(module);
  // A macro may redefine the command, which makes its output meaningless.
  CO_TRY(const auto silencer,
         co_await find_silencer(environment, {file.store(), file.document().path, file.text().str()},
                                call->scope));
  result.is_axiom_free = wire::Nullable<bool>();
  if (!silencer)
    result.is_axiom_free = co_await is_axiom_free(environment, file, **asked, result, call->scope);
  result.file = status_of(file);
  co_return result;
}

}  // namespace

mcp::Tool lean_about(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_about",
       .title = "About a declaration",
       .group = "query",
       .description = "Facts about a declaration, by name: kind, type, module, place, documentation, "
                      "implicit arguments. By position: lean_hover_info; its source: lean_declaration_file."},
      about);
}

// --- lean_print: the output of `#print`.

namespace {

struct PrintResult {
  wire::Nullable<std::string> text;
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&PrintResult::text>(), wire::flatten<&PrintResult::file>()};
  }
};

asio::awaitable<Result<PrintResult>> print_declaration(Environment& environment,
                                                       std::shared_ptr<mcp::Call> call, NameParams params) {
  CO_TRY(const auto file, co_await open_file(environment, call, params.file_path));
  std::vector<std::string> commands(1, "#print ");
  CO_TRY(const auto asked,
         in_time(co_await ask_about_name(file, std::move(params), std::move(commands), call->scope)));
  PrintResult result;
  if (asked) result.text = (*asked)->message(0, lean::Severity::Information);
  result.file = status_of(file, late_if(!asked));
  co_return result;
}

}  // namespace

mcp::Tool lean_print(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_print",
                    .title = "Print a declaration",
                    .group = "query",
                    .description = "A declaration as #print shows it: value of a definition, fields of a "
                                   "structure, constructors of an inductive type.",
                    .listed = false},
                   print_declaration);
}

}  // namespace leanbridge::tools
