#include "term_type.hpp"

#include "core/text/lean_lexer.hpp"
#include "core/text/lean_names.hpp"
#include "core/text/lean_quoting.hpp"
#include "goals.hpp"

#include <algorithm>

namespace leanbridge::ide {

namespace {

constexpr const char* kIt = "leanbridge_it";

// Whether the last part of a name is a part of a word in the expression, which may reach the name by a
// namespace or by a value before a dot.
bool mentions_part_of(std::string_view expression, std::string_view name) {
  const auto part = text::last_part(name);
  text::LeanLexer lexer(expression);
  while (const auto token = lexer.next()) {
    if (token->kind != text::LeanTokenKind::Word) continue;
    const auto parts = text::parts_of(expression.substr(token->begin, token->end - token->begin));
    if (std::ranges::find(parts, part) != parts.end()) return true;
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
    if (hypothesis.name == kIt) co_return hypothesis.type;
  co_return std::nullopt;
}

}  // namespace

asio::awaitable<Result<TermType>> type_of_term(Lean& lean, std::shared_ptr<io::Operation> operation,
                                               TypeQuestion question) {
  CO_CHECK(text::parenthesize_term(question.expression, 0));
  CO_TRY(const OpenFile file, co_await open_file(lean, operation, question.file.file_path));
  const auto is_mentioned = [&](const std::string& own) {
    return mentions_part_of(question.expression, own);
  };
  CO_TRY(Context context, context_for_names(file, question.at, is_mentioned));
  TermType result;
  const auto late = [&] {
    result.file = status_of(file, Completeness::TimedOut);
    return std::move(result);
  };
  if (question.at.line) {
    CO_TRY(const std::size_t offset,
           offset_of(file, *question.at.line, question.at.column, ColumnDefault::FirstNonBlank));
    CO_TRY(auto proof, in_time(co_await proof_context(file, offset, operation->scope)));
    if (!proof) co_return late();
    if (*proof) context = std::move(**proof);
  }

  result.in_proof = context.in_proof;
  const std::size_t indent = context.indent + 2;
  CO_TRY(const std::string term, text::parenthesize_term(question.expression, indent));
  const std::string before = result.in_proof ? std::string("have ") + kIt + " := " : "#check ";
  std::vector<std::string> commands(1, before + term);
  // `have` may print nothing, so a tactic that does print follows: its output shows that `have` is done.
  if (result.in_proof) commands.emplace_back("trace \"leanbridge\"");
  CO_TRY(auto asked,
         in_time(co_await ask_in_scratch(file.store(), std::move(context), commands, operation->scope)));
  if (!asked) co_return late();
  if (!question.at.line && (*asked)->failed(0)) {
    // The header does not suffice: the file may have a notation or an instance for the term.
    asked->reset();
    CO_TRY(asked,
           in_time(co_await ask_in_scratch(file.store(), whole_context(file), commands, operation->scope)));
    if (!asked) co_return late();
  }
  const std::size_t start = (*asked)->start(0) + before.size() + 1;  // after the opening bracket
  if ((*asked)->failed(0)) {
    result.diagnostics = diagnostics_in_expression(**asked, question.expression, start, indent);
  } else if (result.in_proof) {
    result.type = co_await type_in_proof(*asked, operation->scope);
  } else {
    const auto types = co_await checked_types(*asked, operation->scope);
    result.type = types[0];
  }
  if (!result.type && result.diagnostics.empty()) {
    // Lean reported something else: pass all its errors on, wherever they are.
    result.diagnostics = list_of(Messages((*asked)->file().state()).errors()).items;
  }
  result.file = status_of(file);
  co_return result;
}

}  // namespace leanbridge::ide
