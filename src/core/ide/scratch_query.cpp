#include "scratch_query.hpp"

#include "core/base/try.hpp"
#include "core/lean/tagged_text.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/lean_header.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/lean_quoting.hpp"
#include "core/text/mutual_blocks.hpp"
#include "core/text/tactic_places.hpp"
#include "goals.hpp"

#include <algorithm>

namespace leanbridge::ide {

using nlohmann::json;

namespace {

OpenFile opened(const document::Scratch& scratch) {
  document::SyncReport synced{document::DocumentLease(scratch.document()), true, false, std::nullopt,
                              std::nullopt};
  return OpenFile{scratch.store(), std::move(synced)};
}

}  // namespace

CommandAnswers::CommandAnswers(document::Scratch scratch, std::vector<std::size_t> starts)
    : scratch_(std::move(scratch)), file_(opened(scratch_)), starts_(std::move(starts)) {}

Messages CommandAnswers::messages(std::size_t command) const {
  const bool last = command + 2 == starts_.size();
  const std::size_t end = last ? std::string::npos : starts_[command + 1];
  return Messages(file_.state()).shown().within(starts_[command], end);
}

std::optional<std::string> CommandAnswers::message(std::size_t command, lean::Severity severity) const {
  const lean::Diagnostic* first = messages(command).shown(severity).first();
  return first ? std::optional(first->message) : std::nullopt;
}

namespace {

// Whether every command has an answer. In a proof, the first one that fails is the last one that runs.
bool is_answered(const CommandAnswers& asked, std::size_t commands, bool in_proof) {
  for (std::size_t i = 0; i < commands; ++i) {
    if (!asked.messages(i).any() && !(in_proof && i + 1 < commands)) return false;
    if (in_proof && asked.failed(i)) return true;
  }
  return true;
}

}  // namespace

asio::awaitable<Result<std::shared_ptr<CommandAnswers>>> ask_in_scratch(
    std::shared_ptr<document::DocumentStore> store, Context context, std::vector<std::string> commands,
    io::CancelScope scope) {
  // At the very beginning Lean reports, before it gives up, that it cannot load the imports or the lakefile.
  std::string text = context.text.empty() ? "\n" : std::move(context.text);
  std::vector<std::size_t> starts;
  const std::size_t count = commands.size();
  for (const std::string& command : commands) {
    if (context.in_proof && !starts.empty()) text.append(context.indent, ' ');
    starts.push_back(text.size());
    text += command + "\n";
  }
  starts.push_back(text.size());
  text += context.rest;
  CO_TRY(auto scratch, co_await store->scratch()->acquire(text, scope, std::move(context.file)));
  scratch.set_text(std::move(text));
  auto asked = std::make_shared<CommandAnswers>(std::move(scratch), std::move(starts));
  const auto document = asked->file().share();
  const bool in_proof = context.in_proof;
  // Wait only for the appended commands: they do not need the proofs before them, which may be slow.
  const auto answered = [&] {
    const document::DocumentState& state = document->state;
    return !state.open() || state.done() || is_answered(*asked, count, in_proof);
  };
  const io::WaitStatus end = co_await io::wait_until(document->changed, scope, answered);
  if (end != io::WaitStatus::Ready) asked->scratch().abandon_text();
  if (end == io::WaitStatus::Cancelled) co_return call_cancelled();
  if (end == io::WaitStatus::TimedOut)
    co_return fail(ErrorKind::Timeout, "Lean did not answer by the call's deadline.",
                   "Call again with a larger timeout_s: what is elaborated so far is kept.");
  if (!document->state.open())
    co_return fail(ErrorKind::WorkerCrashed, "Lean's worker ended: " + document->worker.last_crash,
                   "Call again.");
  if (const auto failure = asked->file().header_failure()) co_return tl::unexpected(*failure);
  co_return asked;
}

asio::awaitable<std::vector<std::optional<std::string>>> checked_types(std::shared_ptr<CommandAnswers> asked,
                                                                       io::CancelScope scope) {
  const OpenFile& file = asked->file();
  std::vector<std::optional<std::string>> types(asked->commands());
  const std::size_t at = asked->start(0);
  json range = {
      {"lineRange", {{"start", file.text().line_at(at)}, {"end", file.text().addressable_lines()}}}};
  const document::Version version = file.document().state.version();
  const auto answer = co_await file.rpc_request_at("Lean.Widget.getInteractiveDiagnostics", {at, version},
                                                   scope, std::move(range));
  if (!answer || !answer->value.is_array()) co_return types;
  for (const json& diagnostic : answer->value) {
    if (!diagnostic.is_object() || diagnostic.value("severity", 0) != 3) continue;
    const auto place = lean::read_range(diagnostic.value("range", json()));
    const auto pieces = lean::text_pieces(diagnostic.value("message", json()));
    const auto colon = std::ranges::find(pieces, " : ");
    if (!place || colon == pieces.begin() || colon == pieces.end()) continue;
    std::string type;
    for (auto piece = colon + 1; piece != pieces.end(); ++piece) type += *piece;
    const std::size_t offset = file.text().offset_at(place->start);
    for (std::size_t i = 0; i < types.size(); ++i)
      if (asked->start(i) <= offset && offset < asked->start(i + 1) && !asked->failed(i)) types[i] = type;
  }
  co_return types;
}

asio::awaitable<Result<std::shared_ptr<CommandAnswers>>> ask_about_name(const OpenFile& file,
                                                                        NameParams params,
                                                                        std::vector<std::string> commands,
                                                                        io::CancelScope scope) {
  const auto name = text::quote_name(params.name);
  if (!name) co_return tl::unexpected(name.error());
  auto context = command_context(file, params.at);
  if (!context) co_return tl::unexpected(context.error());
  for (std::string& command : commands) command += *name;
  auto asked = co_await ask_in_scratch(file.store(), std::move(*context), commands, scope);
  if (!asked || !(*asked)->failed(0)) co_return asked;
  const std::string why = *(*asked)->message(0, lean::Severity::Error);
  const auto sites = text::declarations(file.text().str());
  const bool declared_here = std::ranges::any_of(sites, [&](const text::DeclarationSite& site) {
    return !site.name.empty() && (*name == site.name || name->ends_with("." + site.name));
  });
  if (!params.at.line && declared_here) {
    asked->reset();  // returns its scratch document, so that the next attempt reuses it
    asked = co_await ask_in_scratch(file.store(), whole_context(file), std::move(commands), scope);
    if (!asked || !(*asked)->failed(0)) co_return asked;
  }
  co_return fail(ErrorKind::InvalidArgument, why,
                 "Find the name with lean_local_search, or pass line for another context.");
}

// --- the context of the commands ---

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

std::size_t command_start(const std::string& source, std::size_t offset) {
  // `mutual ... end` is one command. Elsewhere a command starts in column 0, or where a declaration starts.
  const std::size_t header = text::parse_lean_header(source).end;
  std::size_t start = header, last_code = 0;
  text::LeanLexer lexer(source);
  while (const auto token = lexer.next()) {
    if (token->begin > offset) break;
    if (text::is_comment(token->kind)) continue;
    const bool column_0 = token->begin == 0 || source[token->begin - 1] == '\n';
    if (column_0 && token->begin >= header) start = token->begin;
    last_code = token->end;
  }
  if (const auto block = text::mutual_block_around(source, offset)) return block->begin;
  if (offset <= header) return header;
  const auto declaration = text::enclosing_declaration(source, offset);
  if (declaration && declaration->start <= offset) {
    // Trailing white space and comments belong to the declaration's range, but the declaration is already in
    // scope there.
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

Result<Context> command_context(const OpenFile& file, const ContextPosition& at) {
  const std::string& source = file.text().str();
  std::size_t cut = text::parse_lean_header(source).end;
  if (at.line) {
    TRY(const auto offset, offset_of(file, *at.line, at.column, ColumnDefault::FirstNonBlank));
    cut = command_start(source, offset);
  }
  Context context = context_of(file);
  context.text = source.substr(0, cut);
  if (!context.text.empty() && context.text.back() != '\n') context.text += '\n';
  return context;
}

Result<Context> context_for_names(const OpenFile& file, const ContextPosition& at,
                                  const std::function<bool(const std::string&)>& is_asked) {
  if (at.line) return command_context(file, at);
  const std::vector<std::string> own = text::names_declared_in(file.text().str());
  return std::ranges::any_of(own, is_asked) ? whole_context(file) : command_context(file, at);
}

Context whole_context(const OpenFile& file) {
  const std::string& source = file.text().str();
  const auto declarations = text::declarations(source);
  std::size_t end = text::parse_lean_header(source).end;
  if (!declarations.empty()) {
    const text::DeclarationSite& last = declarations.back();
    end = last.start;
    text::LeanLexer lexer(std::string_view(source).substr(last.start, last.end - last.start));
    while (const auto token = lexer.next())
      if (!text::is_comment(token->kind)) end = last.start + token->end;
    if (const auto block = text::mutual_block_around(source, last.start)) end = std::max(end, block->end);
  }
  Context context = context_of(file);
  context.text = source.substr(0, end);
  if (!context.text.empty() && context.text.back() != '\n') context.text += '\n';
  return context;
}

asio::awaitable<Result<std::optional<Context>>> proof_context(const OpenFile& file, std::size_t offset,
                                                              io::CancelScope scope) {
  // Ask Lean only if the text shows a tactic nearby: the request waits until the position is elaborated.
  const document::Version version = file.document().state.version();
  const auto around = text::enclosing_declaration(file.text().str(), offset);
  const auto is_near = [&](const text::TacticPlace& place) {
    return !around || (around->start <= place.offset && place.offset <= around->end);
  };
  auto places = text::tactic_places(file.text().str());
  if (std::ranges::none_of(places, is_near)) co_return std::optional<Context>();
  CO_TRY(const auto goals, co_await goals_at(file.handle(), file.anchor(offset), GoalFormat::Text, scope));
  if (!goals.in_proof || goals.goals.empty()) co_return std::optional<Context>();
  offset = goals.offset;
  const std::string& source = file.text().str();
  if (file.document().state.version() != version) places = text::tactic_places(source);
  const auto after = std::ranges::find_if(places, [&](const auto& place) { return place.offset > offset; });
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
    // Before the first tactic, at `by` or just after it, the context is the one at that tactic.
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
  context.rest = text::rest_of_block(source, here->offset);
  co_return std::optional<Context>(std::move(context));
}

}  // namespace leanbridge::ide
