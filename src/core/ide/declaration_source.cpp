#include "declaration_source.hpp"

#include "core/text/lean_declarations.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/lean_quoting.hpp"
#include "scratch_query.hpp"
#include "source_locations.hpp"

#include <algorithm>

namespace leanbridge::ide {

namespace {

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
Result<std::optional<std::size_t>> place_to_ask(const OpenFile& file, const SourceQuestion& question) {
  const text::Text& text = file.text();
  if (!question.line) return find_symbol(text.str(), question.symbol);
  TRY(const std::size_t given,
      offset_of(file, *question.line, question.column, ColumnDefault::FirstNonBlank));
  if (question.column) return given;
  const std::size_t line = text.line_at(given);
  const auto at = find_symbol(std::string(text.line(line)), question.symbol);
  return at ? text.line_start(line) + *at : given;
}

}  // namespace

asio::awaitable<Result<DeclarationSource>> source_of_declaration(Lean& lean,
                                                                 std::shared_ptr<io::Operation> operation,
                                                                 SourceQuestion question) {
  CO_TRY(const OpenFile file, co_await open_file(lean, operation, question.file.file_path));
  const std::string& symbol = question.symbol;
  if (symbol.empty())
    co_return fail(ErrorKind::InvalidArgument, "symbol is empty.", "Pass the name as written in the file.");
  CO_TRY(const auto offset, place_to_ask(file, question));
  CO_TRY(const SymbolAnswer found, offset ? co_await ask_at(file, *offset, operation->scope)
                                          : co_await ask_in_scratch_for(file, symbol, operation->scope));
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
  Sources sources(lean, file.store());
  const auto source = co_await sources.text_of(place.path, operation->scope);
  if (!source && source.error().kind == ErrorKind::FileNotFound)
    co_return fail(ErrorKind::NotSupported,
                   "Lean locates '" + symbol + "' in " + place.path.string() + ", which does not exist.",
                   "The sources of this library are not installed: use lean_about.");
  if (!source) co_return tl::unexpected(source.error());
  const text::Text& text = **source;
  const int lines = text.line_count();
  int first = 1, last = lines;
  if (!question.full_file) {
    // Lean's range includes the doc comment if it comes from the environment, but not if from an .ilean file.
    int begin = text.position_at(place.full.start).line;
    if (const auto site = text::enclosing_declaration(text.str(), text.offset_at(place.selection.start)))
      begin = std::min(begin, text.position_at(site->start).line);
    const int around = std::min(question.context_lines, lines);
    first = std::max(1, begin - around);
    last = std::min(lines, text.position_at(place.full.end).line + around);
  }
  const std::size_t start = text.line_start(static_cast<std::size_t>(first - 1));
  const std::size_t end = text.line_end(static_cast<std::size_t>(std::max(last, 1) - 1));
  co_return DeclarationSource{place.path.string(),
                              text.str().substr(start, end - start),
                              first,
                              last,
                              lines,
                              text.position_at(place.selection.start).line,
                              status_of(file)};
}

}  // namespace leanbridge::ide
