// lean_declaration_file: the source around the declaration of a symbol.

#include "leanbridge/text/lean_declarations.hpp"
#include "leanbridge/text/lean_lexer.hpp"

#include "source_locations.hpp"
#include "text/lean_quoting.hpp"
#include "tools/common/scratch_query.hpp"

#include <algorithm>

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

// Where the symbol stands in the code of the file: as a word of its own, or as a part of one
// (`p.scale`).
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

// Lean's answer at a place of a document, and what it calls the thing where it knows of no source.
struct Found {
  std::vector<Place> places;
  std::string module;
  bool known = false;
};

asio::awaitable<Result<Found>> ask(const OpenFile& file, std::size_t offset, io::CancelScope scope) {
  const document::Version version = file.document().state.version();
  auto answer = co_await document::request_at(file.table, file.share(), "textDocument/declaration", offset,
                                              version, {}, scope);
  if (!answer) co_return tl::unexpected(answer.error());
  Found found;
  found.places = read_places(answer->value);
  if (!found.places.empty()) co_return found;
  const auto hover = co_await document::request_at(file.table, file.share(), "textDocument/hover", offset,
                                                   version, {}, scope);
  if (!hover) co_return tl::unexpected(hover.error());
  const Hover told = read_hover(hover->value);
  found.module = told.module;
  found.known = !told.signature.empty();
  co_return found;
}

// A symbol that the file does not hold, by its name in the file's whole context.
asio::awaitable<Result<Found>> ask_in_scratch_for(const OpenFile& file, std::string symbol,
                                                  io::CancelScope scope) {
  const auto name = lean_name(symbol);
  if (!name) co_return tl::unexpected(name.error());
  const std::string before = "#check @";
  std::vector<std::string> commands(1, before + *name);
  const auto asked = co_await ask_in_scratch(file.table, whole_context(file), std::move(commands), scope);
  if (!asked) co_return tl::unexpected(asked.error());
  if ((*asked)->failed(0))
    co_return fail(ErrorKind::InvalidArgument, *(*asked)->message(0, lean::Severity::Error),
                   "Find the name with lean_search, or pass line and column of a place where it is used.");
  auto found = co_await ask((*asked)->file(), (*asked)->start(0) + before.size(), scope);
  if (found)
    for (Place& place : found->places)
      if (place.path == (*asked)->file().document().path) place.path = file.document().path;
  co_return found;
}

Answer answer_declaration_file(Environment& environment, std::shared_ptr<mcp::Call> call,
                               mcp::Arguments arguments) {
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  const std::string symbol = arguments.string("symbol");
  if (symbol.empty())
    co_return fail(ErrorKind::InvalidArgument, "symbol is empty.", "Pass the name as it stands in the file.");
  std::optional<std::size_t> offset;
  if (arguments.has("line")) {
    const auto given = offset_of(*file, arguments.integer("line"), arguments.optional_integer("column"),
                                 ColumnDefault::FirstNonBlank);
    if (!given) co_return tl::unexpected(given.error());
    offset = *given;
    if (!arguments.has("column")) {
      const std::size_t line = file->text().line_at(*given);
      const auto at = find_symbol(std::string(file->text().line(line)), symbol);
      if (at) offset = file->text().line_start(line) + *at;
    }
  } else {
    offset = find_symbol(file->text().str(), symbol);
  }
  auto found = offset ? co_await ask(*file, *offset, call->scope)
                      : co_await ask_in_scratch_for(*file, symbol, call->scope);
  if (!found) co_return tl::unexpected(found.error());
  if (found->places.empty() && found->known)
    co_return fail(
        ErrorKind::NotSupported,
        "Lean knows '" + symbol + "'" + (found->module.empty() ? "" : " from " + found->module) +
            ", but not where its source is.",
        "Sources of this library are not installed, or it is not built: use lean_about or lean_print.");
  if (found->places.empty())
    co_return fail(ErrorKind::InvalidArgument, "Lean knows no declaration of '" + symbol + "' at that place.",
                   "Pass line and column of the first character of the name.");

  const Place place = found->places.front();
  Sources sources(environment, file->table);
  const auto source = co_await sources.text_of(place.path, call->scope);
  if (!source && source.error().kind == ErrorKind::FileNotFound)
    co_return fail(ErrorKind::NotSupported,
                   "Lean names " + place.path.string() + " for '" + symbol + "', which is not there.",
                   "The sources of this library are not installed: use lean_about or lean_print.");
  if (!source) co_return tl::unexpected(source.error());
  const text::Text& text = **source;
  const int lines = text.line_count();
  int first = 1, last = lines;
  if (!arguments.boolean("full_file", false)) {
    const int around = arguments.integer("context_lines", 20);
    // Lean's range begins with the doc comment where it looked into the environment, and behind it where it
    // looked into an .ilean file.
    int begin = text.position_at(place.full.start).line;
    if (const auto site = text::enclosing_declaration(text.str(), text.offset_at(place.selection.start)))
      begin = std::min(begin, text.position_at(site->start).line);
    first = std::max(1, begin - std::min(around, lines));
    last = std::min(lines, text.position_at(place.full.end).line + std::min(around, lines));
  }
  const std::size_t start = text.line_start(static_cast<std::size_t>(first - 1));
  const std::size_t end = text.line_end(static_cast<std::size_t>(std::max(last, 1) - 1));
  json result = {{"file_path", place.path.string()},
                 {"content", text.str().substr(start, end - start)},
                 {"start_line", first},
                 {"end_line", last},
                 {"total_lines", lines},
                 {"line", text.position_at(place.selection.start).line}};
  co_return finish(std::move(result), *file, false, false);
}

}  // namespace

mcp::Tool lean_declaration_file(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "lean_declaration_file";
  tool.title = "Source of a declaration";
  tool.group = "query";
  tool.description =
      "The source lines around the declaration of a symbol. Without line, the "
      "symbol's first "
      "use in the file is taken, else its name.";
  Argument line = optional_line_argument();
  line.description = "Of a use of the symbol";
  tool.arguments = {
      file_argument(),
      Argument::required_("symbol", ArgumentType::String, "As it is written"),
      line,
      column_argument(),
      Argument::optional_("context_lines", ArgumentType::Integer, "Around it, default 20").at_least(0),
      Argument::optional_("full_file", ArgumentType::Boolean, "All of the file")};
  answers(tool,
          {{"file_path", schema::string()},
           {"content", schema::string()},
           {"line", schema::integer()},
           {"start_line", schema::integer()},
           {"end_line", schema::integer()},
           {"total_lines", schema::integer()}},
          {"file_path", "content", "start_line", "end_line", "total_lines"});
  tool.handler = bind_handler(environment, answer_declaration_file);
  return tool;
}

}  // namespace leanbridge::tools
