// lean_check_type: the type of a term, with the names and hypotheses of a place.

#include "text/lean_quoting.hpp"
#include "tools/common/goals.hpp"
#include "tools/common/scratch_query.hpp"

#include <algorithm>

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

constexpr const char* kName = "leanbridge_it";

// Errors and warnings with their places in the expression, which began at `start` with `indent` blanks before
// its other lines. What is found behind it is at its end.
json diagnostics_in_expression(const Asked& asked, const std::string& expression, std::size_t start,
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
  json items = json::array();
  for (const lean::Diagnostic* diagnostic : asked.diagnostics(0)) {
    if (diagnostic->severity != lean::Severity::Error && diagnostic->severity != lean::Severity::Warning)
      continue;
    const text::Position from = place(diagnostic->range.start), to = place(diagnostic->range.end);
    items.push_back({{"severity", wire::name_of(diagnostic->severity)},
                     {"message", diagnostic->message},
                     {"line", from.line},
                     {"column", from.column},
                     {"end_line", to.line},
                     {"end_column", to.column}});
  }
  return items;
}

asio::awaitable<std::optional<std::string>> type_in_proof(std::shared_ptr<Asked> asked,
                                                          io::CancelScope scope) {
  // At the end of the line before the next tactic: after this one.
  const std::size_t end = asked->file().text().line_end(asked->file().text().line_at(asked->start(1)) - 1);
  const auto goals = co_await goals_at(asked->file(), end, GoalFormat::Structured, scope);
  if (!goals || goals->goals.empty()) co_return std::nullopt;
  const auto* goal = std::get_if<StructuredGoal>(&goals->goals.front());
  if (!goal) co_return std::nullopt;
  for (const Hypothesis& hypothesis : goal->hyps)
    for (const std::string& name : hypothesis.names)
      if (name == kName) co_return hypothesis.type;
  co_return std::nullopt;
}

Answer answer_check_type(Environment& environment, std::shared_ptr<mcp::Call> call,
                         mcp::Arguments arguments) {
  const std::string expression = arguments.string("expression");
  if (auto valid = lean_term(expression, 0); !valid) co_return tl::unexpected(valid.error());
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  auto context = command_context(*file, arguments);
  if (!context) co_return tl::unexpected(context.error());
  json result = {{"type", nullptr}, {"diagnostics", json::array()}, {"in_proof", false}};
  if (arguments.has("line")) {
    const auto offset = offset_of(*file, arguments.integer("line"), arguments.optional_integer("column"),
                                  ColumnDefault::FirstNonBlank);
    auto proof = co_await proof_context(*file, *offset, call->scope);
    if (!proof && proof.error().kind == ErrorKind::Timeout)
      co_return finish(std::move(result), *file, true, true);
    if (!proof) co_return tl::unexpected(proof.error());
    if (*proof) *context = std::move(**proof);
  }

  const bool in_proof = context->in_proof;
  result["in_proof"] = in_proof;
  const std::size_t indent = context->indent + 2;
  const auto term = lean_term(expression, indent);
  const std::string before = in_proof ? std::string("have ") + kName + " := " : "#check ";
  std::vector<std::string> commands(1, before + *term);
  // A tactic that says something, after the one that need not: so the end of that one shows.
  if (in_proof) commands.emplace_back("trace \"leanbridge\"");
  auto asked = co_await ask_in_scratch(file->table, std::move(*context), std::move(commands), call->scope);
  if (!asked && asked.error().kind == ErrorKind::Timeout)
    co_return finish(std::move(result), *file, true, true);
  if (!asked) co_return tl::unexpected(asked.error());
  const std::size_t start = (*asked)->start(0) + before.size() + 1;  // after the bracket
  std::optional<std::string> type;
  if ((*asked)->failed(0)) {
    result["diagnostics"] = diagnostics_in_expression(**asked, expression, start, indent);
  } else {
    if (in_proof) {
      type = co_await type_in_proof(*asked, call->scope);
    } else {
      const auto types = co_await checked_types(*asked, call->scope);
      type = types[0];
    }
    if (type) result["type"] = *type;
  }
  if (!type && result["diagnostics"].empty()) {
    // Lean said something else: its words, wherever they are.
    json items;
    std::vector<const lean::Diagnostic*> shown;
    for (const lean::Diagnostic& diagnostic : (*asked)->file().document().state.diagnostics())
      if (is_wanted(diagnostic, "error")) shown.push_back(&diagnostic);
    add_items(items, (*asked)->file().text(), std::move(shown));
    result["diagnostics"] = std::move(items["items"]);
  }
  co_return finish(std::move(result), *file, false, false);
}

}  // namespace

mcp::Tool lean_check_type(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_check_type";
  tool.title = "Type of an expression";
  tool.group = "query";
  tool.description =
      "The type of any expression, with the names, variables and (in a proof) hypotheses of a place; or why "
      "it has none, "
      "at lines and columns of the expression. Use it before writing a term into the file.";
  tool.arguments = with_position(
      {file_argument(), mcp::Argument::required_("expression", mcp::ArgumentType::String, "One term")});
  answers(tool,
          {{"type", schema::nullable(schema::string())},
           {"diagnostics", schema::list({})},
           {"in_proof", schema::boolean()}},
          {"type", "diagnostics", "in_proof"});
  tool.caller_code = true;
  tool.handler = bind_handler(environment, answer_check_type);
  return tool;
}

}  // namespace leanbridge::tools
