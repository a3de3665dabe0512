#include "scratch_query.hpp"

#include "leanbridge/text/lean_declarations.hpp"

#include "input_text.hpp"

#include <algorithm>

namespace leanbridge::tools {

using nlohmann::json;

mcp::Argument name_argument() {
  return mcp::Argument::required_("name", mcp::ArgumentType::String,
                                  "Of a declaration, as it can be written there");
}

std::vector<mcp::Argument> with_position(std::vector<mcp::Argument> arguments) {
  mcp::Argument line = optional_line_argument();
  line.description = "Where names are understood; default: after the imports";
  arguments.push_back(std::move(line));
  arguments.push_back(column_argument());
  return arguments;
}

namespace {

OpenFile opened(const document::Scratch& scratch) {
  document::Synced synced{document::Use(scratch.document()), true, false, std::nullopt, std::nullopt};
  return OpenFile{scratch.table(), std::move(synced)};
}

}  // namespace

Asked::Asked(document::Scratch scratch, std::vector<std::size_t> starts)
    : scratch_(std::move(scratch)), file_(opened(scratch_)), starts_(std::move(starts)) {}

std::vector<const lean::Diagnostic*> Asked::diagnostics(std::size_t command) const {
  std::vector<const lean::Diagnostic*> found;
  const bool last = command + 2 == starts_.size();
  for (const lean::Diagnostic& diagnostic : file_.document().state.diagnostics()) {
    const std::size_t at = file_.text().offset_at(diagnostic.range.start);
    if (is_shown(diagnostic) && starts_[command] <= at && (at < starts_[command + 1] || last))
      found.push_back(&diagnostic);
  }
  return found;
}

std::optional<std::string> Asked::message(std::size_t command, lean::Severity severity) const {
  for (const lean::Diagnostic* diagnostic : diagnostics(command))
    if (diagnostic->severity == severity) return diagnostic->message;
  return std::nullopt;
}

namespace {

// Has every command got an answer? In a proof the first that fails ends it.
bool is_answered(const Asked& asked, std::size_t commands, bool in_proof) {
  for (std::size_t i = 0; i < commands; ++i) {
    if (asked.diagnostics(i).empty() && !(in_proof && i + 1 < commands)) return false;
    if (in_proof && asked.failed(i)) return true;
  }
  return true;
}

}  // namespace

asio::awaitable<Result<std::shared_ptr<Asked>>> ask_in_scratch(std::shared_ptr<document::DocumentTable> table,
                                                               Context context,
                                                               std::vector<std::string> commands,
                                                               io::Scope scope) {
  std::string text = std::move(context.text);
  std::vector<std::size_t> starts;
  const std::size_t count = commands.size();
  for (const std::string& command : commands) {
    if (context.in_proof && !starts.empty()) text.append(context.indent, ' ');
    starts.push_back(text.size());
    text += command + "\n";
  }
  starts.push_back(text.size());
  auto scratch = co_await table->scratch()->acquire(text, scope, std::move(context.file));
  if (!scratch) co_return tl::unexpected(scratch.error());
  scratch->set_text(std::move(text));
  auto asked = std::make_shared<Asked>(std::move(*scratch), std::move(starts));
  const auto document = asked->file().share();
  const bool in_proof = context.in_proof;
  // The beginning of the file may hold slow proofs, which nothing here needs: only what is appended is waited
  // for.
  const auto answered = [&] {
    const document::DocumentState& state = document->state;
    return !state.open() || state.done() || is_answered(*asked, count, in_proof);
  };
  const io::WaitEnd end = co_await io::wait_until(document->changed, scope, answered);
  if (end != io::WaitEnd::Ready) asked->scratch().gave_up();
  if (end == io::WaitEnd::Cancelled) co_return call_cancelled();
  if (end == io::WaitEnd::TimedOut)
    co_return fail(ErrorKind::Timeout, "Lean has not answered within the call's deadline.",
                   "Call again with a larger timeout_s: what is elaborated meanwhile is kept.");
  if (!document->state.open())
    co_return fail(ErrorKind::WorkerCrashed, "Lean's worker ended meanwhile: " + document->last_crash,
                   "Call again.");
  if (const auto failure = document::header_failure(*document)) co_return tl::unexpected(*failure);
  co_return asked;
}

namespace {

// The pieces of a message in order: an expression is one piece, so is what stands between two of them.
void pieces_of(const json& tagged, std::vector<std::string>& pieces, int depth = 0);

std::string joined(const json& tagged, int depth) {
  std::vector<std::string> pieces;
  pieces_of(tagged, pieces, depth);
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

void pieces_of(const json& tagged, std::vector<std::string>& pieces, int depth) {
  if (depth > 400 || !tagged.is_object()) return;
  if (const auto text = tagged.find("text"); text != tagged.end() && text->is_string())
    pieces.push_back(text->get<std::string>());
  if (const auto parts = tagged.find("append"); parts != tagged.end() && parts->is_array())
    for (const json& part : *parts) pieces_of(part, pieces, depth + 1);
  if (const auto tag = tagged.find("tag"); tag != tagged.end() && tag->is_array() && tag->size() == 2) {
    const json& mark = (*tag)[0];
    const bool expression = mark.is_object() && mark.contains("expr");
    pieces.push_back(joined(expression ? mark["expr"] : (*tag)[1], depth + 1));
  }
}

}  // namespace

asio::awaitable<std::vector<std::optional<std::string>>> checked_types(std::shared_ptr<Asked> asked,
                                                                       io::Scope scope) {
  const OpenFile& file = asked->file();
  std::vector<std::optional<std::string>> types(asked->commands());
  const std::size_t at = asked->start(0);
  json range = {
      {"lineRange", {{"start", file.text().line_at(at)}, {"end", file.text().addressable_lines()}}}};
  const document::Version version = file.document().state.version();
  const auto answer =
      co_await document::rpc_ask_at(file.table, file.share(), "Lean.Widget.getInteractiveDiagnostics", at,
                                    version, scope, std::move(range));
  if (!answer || !answer->value.is_array()) co_return types;
  for (const json& diagnostic : answer->value) {
    if (!diagnostic.is_object() || diagnostic.value("severity", 0) != 3) continue;
    const auto place = lean::read_range(diagnostic.value("range", json()));
    std::vector<std::string> pieces;
    pieces_of(diagnostic.value("message", json()), pieces);
    const auto colon = std::find(pieces.begin(), pieces.end(), " : ");
    if (!place || colon == pieces.begin() || colon == pieces.end()) continue;
    std::string type;
    for (auto piece = colon + 1; piece != pieces.end(); ++piece) type += *piece;
    const std::size_t offset = file.text().offset_at(place->start);
    for (std::size_t i = 0; i < types.size(); ++i)
      if (asked->start(i) <= offset && offset < asked->start(i + 1) && !asked->failed(i)) types[i] = type;
  }
  co_return types;
}

asio::awaitable<Result<std::shared_ptr<Asked>>> ask_about_name(const OpenFile& file,
                                                               const mcp::Arguments& arguments,
                                                               std::vector<std::string> commands,
                                                               io::Scope scope) {
  const auto name = lean_name(arguments.string("name"));
  if (!name) co_return tl::unexpected(name.error());
  auto context = command_context(file, arguments);
  if (!context) co_return tl::unexpected(context.error());
  for (std::string& command : commands) command += *name;
  auto asked = co_await ask_in_scratch(file.table, std::move(*context), commands, scope);
  if (!asked || !(*asked)->failed(0)) co_return asked;
  const std::string why = *(*asked)->message(0, lean::Severity::Error);
  const auto sites = text::declarations(file.text().str());
  const bool declared_here = std::any_of(sites.begin(), sites.end(), [&](const text::DeclarationSite& site) {
    return !site.name.empty() && (*name == site.name || name->ends_with("." + site.name));
  });
  if (!arguments.has("line") && declared_here) {
    asked->reset();  // its scratch document is the one to go on with
    asked = co_await ask_in_scratch(file.table, whole_context(file), std::move(commands), scope);
    if (!asked || !(*asked)->failed(0)) co_return asked;
  }
  co_return fail(ErrorKind::InvalidArgument, why,
                 "Find the name with lean_search, or pass line for another context.");
}

}  // namespace leanbridge::tools
