// lean_check: does the proof hold up to a place, and what is left to prove there?

#include "tools/common/compiler_fallback.hpp"
#include "tools/common/goals.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

std::vector<const lean::Diagnostic*> items_before(const std::vector<lean::Diagnostic>& diagnostics,
                                                  const text::Text& text, std::size_t offset) {
  std::vector<const lean::Diagnostic*> items;
  for (const lean::Diagnostic& diagnostic : diagnostics)
    if (is_shown(diagnostic) && text.offset_at(diagnostic.range.start) <= offset)
      items.push_back(&diagnostic);
  return items;
}

Answer answer_check(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  const auto at = co_await open_place(environment, call, arguments, ColumnDefault::LineEnd);
  if (!at) co_return tl::unexpected(at.error());
  const OpenFile& file = at->file;
  const document::DocumentState& state = file.document().state;
  // The place in the text that there is now: edits come while this waits.
  const auto place = [&state, then = state.anchor(at->offset)] {
    return state.resolve(then).value_or(state.text().size());
  };

  Result<Goals> goals = fail(ErrorKind::Internal, "not asked");
  bool late = false, reported_all = false;
  do {
    goals = co_await goals_at(file, place(), goal_format(arguments), call->scope);
    late = !goals && goals.error().kind == ErrorKind::Timeout;
    if (!goals && !late) co_return tl::unexpected(goals.error());
    const auto reported = co_await document::wait_until_reported(file.share(), place(), call->scope);
    if (!reported) co_return tl::unexpected(reported.error());
    reported_all = *reported == document::Known::Complete;
    // Goals and messages of one text: an edit that came between makes the former worthless.
  } while (goals && goals->version != state.version());

  json result = {{"line_context", line_context(file, place())},
                 {"goals", goals ? goals_json(*goals) : json(nullptr)},
                 {"status", goals ? goal_status(*goals) : kStillElaborating}};
  file.document().set_cursor(place());
  add_items(result, file.text(), items_before(state.diagnostics(), file.text(), place()));
  const bool partial = late || !reported_all;
  co_return finish(std::move(result), file, partial, partial);
}

// Of goals the compiler says nothing, and so does this.
Answer compiled_answer_check(Environment& environment, std::shared_ptr<mcp::Call> call,
                             mcp::Arguments arguments, Error why) {
  const auto compiled =
      co_await diagnose_with_compiler(environment, call, arguments.string("file_path"), why);
  if (!compiled) co_return tl::unexpected(compiled.error());
  const text::Text& text = compiled->text;
  const int line = arguments.integer("line");
  if (auto valid = text.require_line(line, compiled->name); !valid) co_return tl::unexpected(valid.error());
  const int column = arguments.integer("column", text.end_column(line));
  const auto offset = text.offset_of({line, column}, compiled->name);
  if (!offset) co_return tl::unexpected(offset.error());
  json result = {
      {"line_context", text.line(text.line_at(*offset))}, {"goals", nullptr}, {"status", "unknown"}};
  add_items(result, text, items_before(compiled->diagnostics, text, *offset));
  co_return finish_compiled(std::move(result), *compiled);
}

}  // namespace

mcp::Tool lean_check(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_check";
  tool.title = "Check up to a place";
  tool.group = "proof";
  tool.description =
      "Goals at a place and every message up to it; waits for nothing below. Use it after an edit in the "
      "middle of a file.";
  tool.arguments = {file_argument(), line_argument(), column_argument(), format_argument()};
  answers(tool,
          {{"line_context", schema::string()},
           {"goals", goals_schema()},
           {"status", schema::string()},
           {"items", schema::list(diagnostic_schema())}},
          {"line_context", "goals", "status", "items"});
  tool.handler = bind_handler(environment, answer_check, compiled_answer_check);
  return tool;
}

}  // namespace leanbridge::tools
