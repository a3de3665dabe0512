// lean_check_type: the type of a term, with the names and hypotheses of a position.

#include "core/ide/goals.hpp"
#include "core/ide/scratch_query.hpp"
#include "core/text/lean_lexer.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/lean_quoting.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <algorithm>

namespace leanbridge::tools {

namespace {

constexpr const char* kName = "leanbridge_it";

struct CheckTypeParams {
  FileParams file;
  std::string expression;
  ContextPosition at;

  static wire::Fields fields() {
    return {wire::flatten<&CheckTypeParams::file>(), wire::field<&CheckTypeParams::expression>("One term"),
            wire::flatten<&CheckTypeParams::at>()};
  }
};

struct CheckTypeResult {
  wire::Nullable<std::string> type;
  std::vector<DiagnosticItem> diagnostics;  ///< why the term has no type, at positions in the expression
  bool in_proof = false;
  FileStatus file;

  static wire::Fields fields() {
    return {wire::field<&CheckTypeResult::type>(), wire::field<&CheckTypeResult::diagnostics>().omit_empty(),
            wire::field<&CheckTypeResult::in_proof>().omit_empty(), wire::flatten<&CheckTypeResult::file>()};
  }
};

// Whether the last part of a name is a part of a word in the expression, which may reach the name by a
// namespace or by a value before a dot.
bool mentions_part_of(std::string_view expression, std::string_view name) {
  const auto part = text::last_part(name);
  text::LeanLexer lexer(expression);
  while (const auto token = lexer.next()) {
    if (token->kind != text::LeanTokenKind::Word) continue;
    const auto parts = text::parts_of(expression.substr(token->begin, token->end - token->begin));
    if (std::find(parts.begin(), parts.end(), part) != parts.end()) return true;
  }
  return false;
}

// Errors and warnings with their positions in the expression, which starts at `start` and whose other lines
// are indented by `indent`. Messages behind the expression are placed at its end.
std::vector<DiagnosticItem> diagnostics_in_expression(const CommandAnswers& asked,
                                                      const std::string& expression, std::size_t start,
                                                      std::size_t indent) {
  const text::Text& text = asked.file().text();
  const text::Text given(expression);
  const text::Position first = text.position_at(start);
  const auto place = [&](text::LspPosition position) {
    text::Position at = text.position_at(position);
    const int left = at.line == first.line ? first.column - 1 : static_cast<int>(indent);
    at.line -= first.line - 1;
    at.column = std::max(at.column - left, 1);
    return std::clamp(at, text::Position(), given.position_at(given.size()));
  };
  std::vector<DiagnosticItem> items;
  for (const lean::Diagnostic* diagnostic : asked.messages(0).list()) {
    if (diagnostic->severity > lean::Severity::Warning) continue;
    const text::Position from = place(diagnostic->range.start), to = place(diagnostic->range.end);
    items.push_back(
        {diagnostic->severity, diagnostic->message, from.line, from.column, to.line, to.column, {}});
  }
  return items;
}

asio::awaitable<std::optional<std::string>> type_in_proof(std::shared_ptr<CommandAnswers> asked,
                                                          io::CancelScope scope) {
  // At the end of the line before the next tactic, which is behind this command.
  const std::size_t end = asked->file().text().line_end(asked->file().text().line_at(asked->start(1)) - 1);
  const auto goals =
      co_await goals_at(asked->file().handle(), asked->file().anchor(end), GoalFormat::Structured, scope);
  if (!goals || goals->goals.empty()) co_return std::nullopt;
  const auto* goal = std::get_if<StructuredGoal>(&goals->goals.front());
  if (!goal) co_return std::nullopt;
  for (const Hypothesis& hypothesis : goal->context)
    if (hypothesis.name == kName) co_return hypothesis.type;
  co_return std::nullopt;
}

asio::awaitable<Result<CheckTypeResult>> check_type(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                    CheckTypeParams params) {
  CO_CHECK(text::parenthesize_term(params.expression, 0));
  CO_TRY(const OpenFile file, co_await open_file(environment, call, params.file.file_path));
  const auto is_mentioned = [&](const std::string& own) { return mentions_part_of(params.expression, own); };
  CO_TRY(Context context, context_for_names(file, params.at, is_mentioned));
  CheckTypeResult result;
  const auto late = [&] {
    result.file = status_of(file, Completeness::TimedOut);
    return std::move(result);
  };
  if (params.at.line) {
    CO_TRY(const std::size_t offset,
           offset_of(file, *params.at.line, params.at.column, ColumnDefault::FirstNonBlank));
    CO_TRY(auto proof, in_time(co_await proof_context(file, offset, call->scope)));
    if (!proof) co_return late();
    if (*proof) context = std::move(**proof);
  }

  result.in_proof = context.in_proof;
  const std::size_t indent = context.indent + 2;
  CO_TRY(const std::string term, text::parenthesize_term(params.expression, indent));
  const std::string before = result.in_proof ? std::string("have ") + kName + " := " : "#check ";
  std::vector<std::string> commands(1, before + term);
  // `have` may print nothing, so a tactic that does print follows: its output shows that `have` is done.
  if (result.in_proof) commands.emplace_back("trace \"leanbridge\"");
  CO_TRY(auto asked,
         in_time(co_await ask_in_scratch(file.store(), std::move(context), commands, call->scope)));
  if (!asked) co_return late();
  if (!params.at.line && (*asked)->failed(0)) {
    // The header does not suffice: the file may have a notation or an instance for the term.
    asked->reset();
    CO_TRY(asked, in_time(co_await ask_in_scratch(file.store(), whole_context(file), commands, call->scope)));
    if (!asked) co_return late();
  }
  const std::size_t start = (*asked)->start(0) + before.size() + 1;  // after the opening bracket
  if ((*asked)->failed(0)) {
    result.diagnostics = diagnostics_in_expression(**asked, params.expression, start, indent);
  } else if (result.in_proof) {
    result.type = co_await type_in_proof(*asked, call->scope);
  } else {
    const auto types = co_await checked_types(*asked, call->scope);
    result.type = types[0];
  }
  if (!result.type && result.diagnostics.empty()) {
    // Lean reported something else: pass all its errors on, wherever they are.
    result.diagnostics = list_of(Messages((*asked)->file().state()).errors()).items;
  }
  result.file = status_of(file);
  co_return result;
}

}  // namespace

mcp::Tool lean_check_type(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_check_type",
       .title = "Type of an expression",
       .group = "query",
       .description = "The type of any expression as if written at a position, with the hypotheses "
                      "there; or why it has none.",
       .caller_code = true},
      check_type);
}

}  // namespace leanbridge::tools
