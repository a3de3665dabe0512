// lean_check: does the proof hold up to a place, and what is left to prove there?

#include "tools/common/compiler_fallback.hpp"
#include "tools/common/goals.hpp"

namespace leanbridge::tools {

namespace {

struct CheckParams {
  FilePosition at;
  FormatParam format;

  static wire::Fields fields() {
    return {wire::flatten<&CheckParams::at>(), wire::flatten<&CheckParams::format>()};
  }
};

struct CheckResult {
  std::string line_context;
  GoalList goals;
  GoalStatus status = GoalStatus::StillElaborating;
  DiagnosticList messages;  ///< all that stand before the place
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&CheckResult::line_context>("line_context"),
            wire::field<&CheckResult::goals>("goals"), wire::field<&CheckResult::status>("status"),
            wire::flatten<&CheckResult::messages>(), wire::flatten<&CheckResult::file>()};
  }
};

std::vector<const lean::Diagnostic*> items_before(const std::vector<lean::Diagnostic>& diagnostics,
                                                  const text::Text& text, std::size_t offset) {
  std::vector<const lean::Diagnostic*> items;
  for (const lean::Diagnostic& diagnostic : diagnostics)
    if (is_shown(diagnostic) && text.offset_at(diagnostic.range.start) <= offset)
      items.push_back(&diagnostic);
  return items;
}

asio::awaitable<Result<CheckResult>> check(Environment& environment, std::shared_ptr<mcp::Call> call,
                                           CheckParams params) {
  const auto at = co_await open_place(environment, call, params.at, ColumnDefault::LineEnd);
  if (!at) co_return tl::unexpected(at.error());
  const OpenFile& file = at->file;
  const document::DocumentState& state = file.document().state;
  // The place in the text that there is now: edits come while this waits.
  const auto place = [&] { return file.resolve(at->anchor); };

  Result<Goals> goals = fail(ErrorKind::Internal, "not asked");
  bool late = false, reported_all = false;
  do {
    goals = co_await goals_at(file.handle(), place(), params.format.format, call->scope);
    late = !goals && goals.error().kind == ErrorKind::Timeout;
    if (!goals && !late) co_return tl::unexpected(goals.error());
    const auto reported = co_await file.wait_until_reported(place(), call->scope);
    if (!reported) co_return tl::unexpected(reported.error());
    reported_all = *reported == document::WaitOutcome::Complete;
    // Goals and messages of one text: an edit that came between makes the former worthless.
  } while (goals && goals->version != state.version());

  CheckResult result;
  result.line_context = line_context(file, place());
  if (goals) {
    result.goals = goals->list();
    result.status = goals->status();
  }
  file.document().set_cursor(place());
  result.messages = list_of(file.text(), items_before(state.diagnostics(), file.text(), place()));
  result.file = status_of(file, late || !reported_all ? Completeness::TimedOut : Completeness::Complete);
  co_return result;
}

// Of goals the compiler says nothing, and so does this.
asio::awaitable<Result<CheckResult>> check_compiled(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                    CheckParams params, Error why) {
  const FilePosition& at = params.at;
  const auto compiled = co_await diagnose_with_compiler(environment, call, at.file_path, why);
  if (!compiled) co_return tl::unexpected(compiled.error());
  const text::Text& text = compiled->text;
  if (auto valid = text.require_line(at.line, compiled->name); !valid)
    co_return tl::unexpected(valid.error());
  const auto offset = text.offset_of({at.line, at.column.value_or(text.end_column(at.line))}, compiled->name);
  if (!offset) co_return tl::unexpected(offset.error());
  CheckResult result;
  result.line_context = text.line(text.line_at(*offset));
  result.status = GoalStatus::Unknown;
  result.messages = list_of(text, items_before(compiled->diagnostics, text, *offset));
  result.file = status_of(*compiled);
  co_return result;
}

}  // namespace

mcp::Tool lean_check(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_check",
                    .title = "Check up to a place",
                    .group = "proof",
                    .description = "Goals at a place and every message up to it; waits for nothing below. "
                                   "Use it after an edit in the middle of a file."},
                   check, check_compiled);
}

}  // namespace leanbridge::tools
