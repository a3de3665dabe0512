// lean_declaration_file: the source around the declaration of a symbol.

#include "core/ide/scratch_query.hpp"
#include "core/ide/source_locations.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/lean_quoting.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace {

struct DeclarationFileParams {
  FileParams file;
  std::string symbol;
  std::optional<int> line, column;
  int context_lines = 20;
  bool full_file = false;

  static wire::Fields fields() {
    return {wire::flatten<&DeclarationFileParams::file>(),
            wire::field<&DeclarationFileParams::symbol>("As written"),
            wire::field<&DeclarationFileParams::line>("Of a use of the symbol").at_least(1),
            wire::field<&DeclarationFileParams::column>().at_least(1),
            wire::field<&DeclarationFileParams::context_lines>().with_default().at_least(0),
            wire::field<&DeclarationFileParams::full_file>().with_default()};
  }
};

struct DeclarationFileResult {
  std::string file_path;  ///< where the declaration is
  std::string content;    ///< the lines from start_line to end_line
  int start_line = 1;
  int end_line = 1;
  int total_lines = 0;  ///< of that file
  int line = 1;         ///< of the declared name
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&DeclarationFileResult::file_path>(),
            wire::field<&DeclarationFileResult::content>(),
            wire::field<&DeclarationFileResult::start_line>(),
            wire::field<&DeclarationFileResult::end_line>(),
            wire::field<&DeclarationFileResult::total_lines>(),
            wire::field<&DeclarationFileResult::line>().unlisted(),
            wire::flatten<&DeclarationFileResult::file>()};
  }
};

// The first use of the symbol in the file's code: as a whole word, or else as a part of one (`p.scale`).
std::optional<std::size_t> find_symbol(const std::string& source, const std::string& symbol) {
  std::optional<std::size_t> as_part;
  text::LeanLexer lexer(source);
  while (const auto token = lexer.next()) {
    if (text::is_remark(token->kind) || token->kind == text::LeanTokenKind::String) continue;
    const std::string_view word = std::string_view(source).substr(token->begin, token->end - token->begin);
    if (word == symbol) return token->begin;
    for (std::size_t at = word.find(symbol, 1); at != std::string_view::npos;
         at = word.find(symbol, at + 1)) {
      const std::size_t end = at + symbol.size();
      if (!as_part && word[at - 1] == '.' && (end == word.size() || word[end] == '.'))
        as_part = token->begin + at;
    }
  }
  return as_part;
}

// Lean's answer about a symbol. `module` and `known` are set only if Lean knows no source.
struct SymbolAnswer {
  std::vector<Place> places;
  std::string module;
  bool known = false;
};

asio::awaitable<Result<SymbolAnswer>> ask_at(const OpenFile& file, std::size_t offset,
                                             io::CancelScope scope) {
  const document::Version version = file.document().state.version();
  CO_TRY(const auto declaration,
         co_await file.request_at("textDocument/declaration", {offset, version}, scope));
  SymbolAnswer found;
  found.places = read_places(declaration.value);
  if (!found.places.empty()) co_return found;
  CO_TRY(const auto hover, co_await file.request_at("textDocument/hover", {offset, version}, scope));
  const Hover told = read_hover(hover.value);
  found.module = told.module;
  found.known = !told.signature.empty();
  if (!found.known || !found.module.empty()) co_return found;
  // For a name of the file itself, Lean may know the type before the place. It has the place for certain once
  // the file is elaborated and in its index.
  CO_CHECK(co_await file.wait_until_done(scope));
  co_await wait_for_index(file.handle(), scope);
  CO_TRY(const auto noted, co_await file.request_at("textDocument/declaration", {offset, version}, scope));
  found.places = read_places(noted.value);
  co_return found;
}

// For a symbol that does not occur in the file: asks for its name at the end of the file.
asio::awaitable<Result<SymbolAnswer>> ask_in_scratch_for(const OpenFile& file, std::string symbol,
                                                         io::CancelScope scope) {
  CO_TRY(const std::string name, text::quote_name(symbol));
  const std::string before = "#check @";
  std::vector<std::string> commands(1, before + name);
  CO_TRY(const auto asked,
         co_await ask_in_scratch(file.store(), whole_context(file), std::move(commands), scope));
  if (asked->failed(0))
    co_return fail(ErrorKind::InvalidArgument,
                   "Symbol '" + symbol + "' not found: " + *asked->message(0, lean::Severity::Error),
                   "Find the name with lean_local_search, or pass line and column of a use.");
  CO_TRY(SymbolAnswer found, co_await ask_at(asked->file(), asked->start(0) + before.size(), scope));
  for (Place& place : found.places)
    if (place.path == asked->file().document().path) place.path = file.document().path;
  co_return found;
}

// The offset at which to ask Lean about the symbol; nullopt: the file does not contain it.
Result<std::optional<std::size_t>> place_to_ask(const OpenFile& file, const DeclarationFileParams& params) {
  const text::Text& text = file.text();
  if (!params.line) return find_symbol(text.str(), params.symbol);
  TRY(const std::size_t given, offset_of(file, *params.line, params.column, ColumnDefault::FirstNonBlank));
  if (params.column) return given;
  const std::size_t line = text.line_at(given);
  const auto at = find_symbol(std::string(text.line(line)), params.symbol);
  return at ? text.line_start(line) + *at : given;
}

asio::awaitable<Result<DeclarationFileResult>> declaration_file(Environment& environment,
                                                                std::shared_ptr<mcp::Call> call,
                                                                DeclarationFileParams params) {
  CO_TRY(const OpenFile file, co_await open_file(environment, call, params.file.file_path));
  const std::string& symbol = params.symbol;
  if (symbol.empty())
    co_return fail(ErrorKind::InvalidArgument, "symbol is empty.", "Pass the name as written in the file.");
  CO_TRY(const auto offset, place_to_ask(file, params));
  CO_TRY(const SymbolAnswer found, offset ? co_await ask_at(file, *offset, call->scope)
                                          : co_await ask_in_scratch_for(file, symbol, call->scope));
  if (found.places.empty() && found.known)
    co_return fail(ErrorKind::NotSupported,
                   "Lean knows '" + symbol + "'" + (found.module.empty() ? "" : " from " + found.module) +
                       ", but not its source.",
                   "The library is not built or installed without sources: use lean_about.");
  if (found.places.empty())
    co_return fail(ErrorKind::InvalidArgument,
                   "Declaration of '" + symbol + "' not found: Lean knows none there.",
                   "Pass line and column of the first character of the name.");

  const Place& place = found.places.front();
  Sources sources(environment, file.store());
  const auto source = co_await sources.text_of(place.path, call->scope);
  if (!source && source.error().kind == ErrorKind::FileNotFound)
    co_return fail(ErrorKind::NotSupported,
                   "Lean locates '" + symbol + "' in " + place.path.string() + ", which does not exist.",
                   "The sources of this library are not installed: use lean_about.");
  if (!source) co_return tl::unexpected(source.error());
  const text::Text& text = **source;
  const int lines = text.line_count();
  int first = 1, last = lines;
  if (params.full_file) {
    call->text_budget = 0;  // the caller asked for the whole text
  } else {
    // Lean's range includes the doc comment if it comes from the environment, but not if from an .ilean file.
    int begin = text.position_at(place.full.start).line;
    if (const auto site = text::enclosing_declaration(text.str(), text.offset_at(place.selection.start)))
      begin = std::min(begin, text.position_at(site->start).line);
    const int around = std::min(params.context_lines, lines);
    first = std::max(1, begin - around);
    last = std::min(lines, text.position_at(place.full.end).line + around);
  }
  const std::size_t start = text.line_start(static_cast<std::size_t>(first - 1));
  const std::size_t end = text.line_end(static_cast<std::size_t>(std::max(last, 1) - 1));
  DeclarationFileResult result;
  result.file_path = place.path.string();
  result.content = text.str().substr(start, end - start);
  result.start_line = first;
  result.end_line = last;
  result.total_lines = lines;
  result.line = text.position_at(place.selection.start).line;
  result.file = status_of(file);
  co_return result;
}

}  // namespace

mcp::Tool lean_declaration_file(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_declaration_file",
                    .title = "Source of a declaration",
                    .group = "query",
                    .description = "Source around a symbol's declaration, by its use at a line, its first "
                                   "use in the file, or its name."},
                   declaration_file);
}

}  // namespace leanbridge::tools
