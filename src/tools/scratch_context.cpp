// Where in the user's file a question is asked: the first half of scratch_query.hpp.

#include "leanbridge/text/lean_declarations.hpp"
#include "leanbridge/text/lean_lexer.hpp"
#include "leanbridge/text/tactic_places.hpp"

#include "goals.hpp"
#include "scratch_query.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\n") == std::string_view::npos;
}

Context context_of(const OpenFile& file) {
  Context context;
  context.file = file.document().path;
  return context;
}

}  // namespace

std::size_t header_end(const std::string& source) {
  text::LeanLexer lexer(source);
  std::size_t end = 0;
  bool name_follows = false;
  while (const auto token = lexer.next()) {
    if (text::is_comment(token->kind)) continue;
    const std::string_view word = std::string_view(source).substr(token->begin, token->end - token->begin);
    if (word == "import") {
      name_follows = true;
    } else if (word == "module" || word == "prelude") {
      end = token->end;
    } else if (name_follows && word != "all" && word != "meta" && word != "public") {
      end = token->end;
      name_follows = false;
    } else if (word != "public" && word != "meta" && word != "all") {
      break;
    }
  }
  return end;
}

std::size_t command_start(const std::string& source, std::size_t offset) {
  // In `mutual ... end` nothing but declarations can stand, so its beginning is that of them all. Elsewhere a
  // command begins in column 0, or where a declaration does.
  const std::size_t header = header_end(source);
  std::size_t start = header, last_code = 0;
  std::optional<std::size_t> mutual;
  text::LeanLexer lexer(source);
  while (const auto token = lexer.next()) {
    if (token->begin > offset) break;
    if (text::is_comment(token->kind)) continue;
    const std::string_view word = std::string_view(source).substr(token->begin, token->end - token->begin);
    const bool column_0 = token->begin == 0 || source[token->begin - 1] == '\n';
    if (column_0 && word == "mutual") mutual = token->begin;
    if (column_0 && word == "end" && token->end <= offset) mutual.reset();
    if (column_0 && token->begin >= header) start = token->begin;
    last_code = token->end;
  }
  if (mutual) return *mutual;
  if (offset <= header) return header;
  const auto declaration = text::enclosing_declaration(source, offset);
  if (declaration && declaration->start <= offset) {
    // White space and comments after a declaration belong to it, but all of it is in scope there.
    const std::string_view rest = std::string_view(source).substr(offset, declaration->end - offset);
    text::LeanLexer after(rest);
    auto token = after.next();
    while (token && text::is_comment(token->kind)) token = after.next();
    const bool behind = !token && last_code <= offset;
    return behind ? offset : declaration->start;
  }
  if (is_blank(std::string_view(source).substr(start, offset - start))) return offset;
  const std::size_t line_end = std::min(source.find('\n', offset), source.size());
  const std::size_t line = offset == 0 ? 0 : source.rfind('\n', offset - 1) + 1;
  return is_blank(std::string_view(source).substr(line, line_end - line)) ? offset : start;
}

Result<Context> command_context(const OpenFile& file, const mcp::Arguments& arguments) {
  const std::string& source = file.text().str();
  std::size_t cut = header_end(source);
  if (arguments.has("line")) {
    const auto offset = offset_of(file, arguments.integer("line"), arguments.optional_integer("column"),
                                  Without::FirstNonBlank);
    if (!offset) return tl::unexpected(offset.error());
    cut = command_start(source, *offset);
  }
  Context context = context_of(file);
  context.text = source.substr(0, cut);
  if (!context.text.empty() && context.text.back() != '\n') context.text += '\n';
  return context;
}

Context whole_context(const OpenFile& file) {
  const std::string& source = file.text().str();
  const auto declarations = text::declarations(source);
  std::size_t end = header_end(source);
  if (!declarations.empty()) {
    const text::DeclarationSite& last = declarations.back();
    end = last.start;
    text::LeanLexer lexer(std::string_view(source).substr(last.start, last.end - last.start));
    while (const auto token = lexer.next())
      if (!text::is_comment(token->kind)) end = last.start + token->end;
  }
  Context context = context_of(file);
  context.text = source.substr(0, end);
  if (!context.text.empty() && context.text.back() != '\n') context.text += '\n';
  return context;
}

asio::awaitable<Result<std::optional<Context>>> proof_context(const OpenFile& file, std::size_t offset,
                                                              io::Scope scope) {
  // Lean is asked only where the text says that a tactic may be near: its answer waits for all of the place.
  const document::Version version = file.document().state.version();
  const auto around = text::enclosing_declaration(file.text().str(), offset);
  const auto is_near = [&](const text::TacticPlace& place) {
    return !around || (around->start <= place.offset && place.offset <= around->end);
  };
  auto places = text::tactic_places(file.text().str());
  if (std::none_of(places.begin(), places.end(), is_near)) co_return std::optional<Context>();
  const auto goals = co_await goals_at(file, offset, GoalFormat::Text, scope);
  if (!goals) co_return tl::unexpected(goals.error());
  if (!goals->in_proof || goals->goals.empty()) co_return std::optional<Context>();
  offset = goals->offset;
  const std::string& source = file.text().str();
  if (file.document().state.version() != version) places = text::tactic_places(source);
  const auto after =
      std::find_if(places.begin(), places.end(), [&](const auto& place) { return place.offset > offset; });
  const text::TacticPlace* here = nullptr;
  for (auto place = after; place != places.begin();) {
    --place;
    if (place->kind == text::TacticPlace::Kind::End) continue;
    here = &*place;
    break;
  }
  const std::size_t next = after == places.end() ? source.size() : after->offset;
  const auto declaration = text::enclosing_declaration(source, offset);
  if (!here || (declaration && here->offset < declaration->start)) {
    // Before the first tactic, at `by` or just after it: the same as at that tactic.
    if (after == places.end()) co_return std::optional<Context>();
    here = &*after;
  }
  Context context = context_of(file);
  context.in_proof = true;
  context.indent = static_cast<std::size_t>(file.text().position_at(here->offset).column - 1);
  const bool behind =
      here->offset < offset && is_blank(std::string_view(source).substr(offset, next - offset));
  context.text = source.substr(0, behind ? offset : here->offset);
  if (behind) context.text += "\n" + std::string(context.indent, ' ');
  co_return std::optional<Context>(std::move(context));
}

}  // namespace leanbridge::tools
