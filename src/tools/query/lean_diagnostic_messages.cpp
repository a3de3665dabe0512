// lean_diagnostic_messages: the messages of a file, a range of lines or a declaration.

#include "leanbridge/base/json.hpp"

#include "tools/common/compiler_fallback.hpp"
#include "tools/common/hidden_sorries.hpp"

#include <set>

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

struct LineFilter {
  int first = 1;
  int last = 1;
};

Result<LineFilter> lines_of(const text::Text& text, const std::string& name,
                            const mcp::Arguments& arguments) {
  const int count = static_cast<int>(text.addressable_lines());
  LineFilter lines{arguments.integer("start_line", 1), arguments.integer("end_line", count)};
  if (auto valid = text.require_line(lines.first, name); !valid) return tl::unexpected(valid.error());
  if (auto valid = text.require_line(lines.last, name); !valid) return tl::unexpected(valid.error());
  if (lines.first > lines.last)
    return fail(ErrorKind::InvalidArgument, "start_line is after end_line.", "Pass start_line <= end_line.");
  return lines;
}

Result<LineFilter> declaration_lines(const text::Text& text, const std::string& name,
                                     const std::string& file) {
  const auto declaration = declaration_named(text, name, file);
  if (!declaration) return tl::unexpected(declaration.error());
  const text::DeclarationSite& site = declaration->site;
  const std::size_t last = site.end > site.start ? site.end - 1 : site.end;
  return LineFilter{text.position_at(site.start).line, text.position_at(last).line};
}

// Paths in "error: A/B.lean:3:4: ..." lines of a failed build of the imports.
json failed_dependencies(const document::DocumentState& state) {
  std::set<std::string> paths;
  if (state.header_failed())
    for (const lean::Diagnostic& diagnostic : state.diagnostics()) {
      constexpr std::string_view kMark = "error: ";
      const std::string& text = diagnostic.message;
      for (std::size_t at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at + 1)) {
        const std::size_t start = at + kMark.size();
        const std::size_t end = text.find(".lean:", start);
        if (end != std::string::npos && text.find('\n', start) > end)
          paths.insert(text.substr(start, end + 5 - start));
      }
    }
  return paths;
}

// As an editor's info view gets them, from a server of its own: one that is told of widgets leaves the texts
// of traces out of plain messages. The silent ones are signals, and for nobody to read.
asio::awaitable<Result<json>> interactive(Environment& environment, const OpenFile& file, LineFilter lines,
                                          io::CancelScope scope) {
  const auto table = environment.workspace.with_widgets(file.table->root());
  const auto synced = co_await table->sync(file.document().path, scope);
  if (!synced) co_return tl::unexpected(synced.error());
  const auto document = synced->document.share();
  if (document->state.text() != file.text()) co_return overtaken(file.document().name);
  const text::Text& text = document->state.text();
  const document::Version version = document->state.version();
  const std::size_t offset = text.line_start(static_cast<std::size_t>(lines.first - 1));
  const std::size_t end = text.line_end(static_cast<std::size_t>(lines.last - 1));
  const auto known = co_await document::wait_until_reported(document, end, scope);
  if (!known) co_return tl::unexpected(known.error());
  json range = {{"lineRange", {{"start", lines.first - 1}, {"end", lines.last}}}};
  auto answer = co_await document::rpc_request_at(table, document, "Lean.Widget.getInteractiveDiagnostics",
                                                  offset, version, scope, std::move(range));
  if (!answer) co_return tl::unexpected(answer.error());
  json shown = json::array();
  if (answer->value.is_array())
    for (json& diagnostic : answer->value)
      if (!is_true(diagnostic, "isSilent")) shown.push_back(std::move(diagnostic));
  co_return shown;
}

/// What is known of a file's messages, whoever has said so.
struct KnownMessages {
  const text::Text& text;
  const std::vector<lean::Diagnostic>& diagnostics;
  bool complete;
  bool header_failed;
};

void add_messages(json& result, const KnownMessages& known, LineFilter lines, const std::string& severity) {
  bool errors = known.header_failed;
  std::vector<const lean::Diagnostic*> items;
  for (const lean::Diagnostic& diagnostic : known.diagnostics) {
    const int start = known.text.position_at(diagnostic.range.start).line,
              end = known.text.position_at(diagnostic.range.end).line;
    if (!is_shown(diagnostic) || end < lines.first || start > lines.last) continue;
    errors = errors || diagnostic.severity == lean::Severity::Error;
    if (is_wanted(diagnostic, severity)) items.push_back(&diagnostic);
  }
  result["success"] = known.complete && !errors;
  if (const auto exit = text::find_exit(known.text.str()); exit && *exit < lines.last) {
    result["success"] = false;
    result["reason"] = not_checked_below(*exit);
  }
  add_items(result, known.text, std::move(items));
}

Answer answer_diagnostic_messages(Environment& environment, std::shared_ptr<mcp::Call> call,
                                  mcp::Arguments arguments) {
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  auto lines = lines_of(file->text(), file->document().name, arguments);
  if (lines && arguments.has("declaration_name"))
    lines = declaration_lines(file->text(), arguments.string("declaration_name"), file->document().name);
  if (!lines) co_return tl::unexpected(lines.error());

  const text::Text& text = file->text();
  const document::DocumentState& state = file->document().state;
  const document::TextAnchor first =
      state.anchor(text.line_start(static_cast<std::size_t>(lines->first - 1)));
  const std::size_t last_byte = text.line_end(static_cast<std::size_t>(lines->last - 1));
  const document::TextAnchor last = state.anchor(last_byte);
  const bool to_the_end =
      last_byte >= text.size() || static_cast<std::size_t>(lines->last) >= text.addressable_lines();
  const auto now = [&](const document::TextAnchor& place) {
    return state.resolve(place).value_or(text.size());
  };
  const auto line_now = [&](const document::TextAnchor& place) {
    return static_cast<int>(text.line_at(now(place))) + 1;
  };

  json result;
  bool complete = false;
  document::Version version = 0;
  do {
    const auto known = to_the_end
                           ? co_await document::wait_until_done(file->share(), call->scope)
                           : co_await document::wait_until_reported(file->share(), now(last), call->scope);
    if (!known) co_return tl::unexpected(known.error());

    // Nothing suspends while these are read: one version of the table. The text may have become longer.
    result = json::object();
    version = state.version();
    complete = *known == document::Known::Complete || state.done();
    const LineFilter asked{line_now(first), line_now(last)};
    lines = LineFilter{lines->first == 1 ? 1 : asked.first,
                       to_the_end ? static_cast<int>(text.addressable_lines()) : asked.last};
    add_messages(result, {text, state.diagnostics(), complete, state.header_failed()}, *lines,
                 arguments.string("severity", ""));
    result["failed_dependencies"] = failed_dependencies(state);

    if (arguments.boolean("interactive", false)) {
      auto tagged = co_await interactive(environment, *file, asked, call->scope);
      if (!tagged) co_return tl::unexpected(tagged.error());
      result["diagnostics"] = std::move(*tagged);
    }
    const auto whole = co_await name_silencer(environment, result,
                                              {file->table, file->document().path, text.str()}, call->scope);
    if (!whole) co_return tl::unexpected(whole.error());
    complete = complete && *whole;
  } while (state.version() != version);
  co_return finish(std::move(result), *file, !complete, !complete);
}

// Tagged messages are the language server's alone.
Answer compiled_answer_diagnostic_messages(Environment& environment, std::shared_ptr<mcp::Call> call,
                                           mcp::Arguments arguments, Error why) {
  if (arguments.boolean("interactive", false)) co_return tl::unexpected(why);
  auto compiled = co_await diagnose_with_compiler(environment, call, arguments.string("file_path"), why);
  if (!compiled) co_return tl::unexpected(compiled.error());
  auto lines = lines_of(compiled->text, compiled->name, arguments);
  if (lines && arguments.has("declaration_name"))
    lines = declaration_lines(compiled->text, arguments.string("declaration_name"), compiled->name);
  if (!lines) co_return tl::unexpected(lines.error());
  json result = {{"failed_dependencies", json::array()}};
  add_messages(result, {compiled->text, compiled->diagnostics, compiled->complete, compiled->header_failed},
               *lines, arguments.string("severity", ""));
  const auto location = environment.workspace.locate(arguments.string("file_path"));
  if (!location) co_return tl::unexpected(location.error());
  const auto known = co_await name_silencer(
      environment, result, {location->project, location->path, compiled->text.str()}, call->scope);
  if (!known) co_return tl::unexpected(known.error());
  if (!*known) {
    compiled->complete = false;
    compiled->timed_out = true;
  }
  co_return finish_compiled(std::move(result), *compiled);
}

}  // namespace

mcp::Tool lean_diagnostic_messages(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "lean_diagnostic_messages";
  tool.title = "Errors and warnings";
  tool.group = "query";
  tool.description =
      "Errors, warnings and infos of a file, of some lines, or of one declaration; waits only for those. "
      "partial: no errors is not yet correct; silenced_by: Lean may keep some to itself.";
  tool.arguments = {file_argument(),
                    Argument::optional_("start_line", ArgumentType::Integer, "First line").at_least(1),
                    Argument::optional_("end_line", ArgumentType::Integer, "Last line").at_least(1),
                    Argument::optional_("declaration_name", ArgumentType::String, "Only this declaration"),
                    severity_argument(),
                    Argument::optional_("interactive", ArgumentType::Boolean, "Also Lean's tagged messages")};
  answers(tool,
          {{"success", schema::boolean()},
           {"items", schema::list({})},
           {"failed_dependencies", schema::list(schema::string())}},
          {"success", "items", "failed_dependencies"});
  tool.handler = bind_handler(environment, answer_diagnostic_messages, compiled_answer_diagnostic_messages);
  return tool;
}

}  // namespace leanbridge::tools
