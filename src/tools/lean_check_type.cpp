// lean_check_type: the type of a term, with the names and hypotheses of a place.

#include "goals.hpp"
#include "input_text.hpp"
#include "scratch_query.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

constexpr const char* kName = "leanbridge_it";

// Diagnostics with their places in the expression, which began at `start` with `indent` blanks before its other lines.
json diagnostics_in_expression(const Asked& asked, std::size_t start, std::size_t indent) {
  const text::Text& text = asked.file().text();
  const text::Position first = text.position_at(start);
  json items;
  add_items(items, text, asked.diagnostics(0));
  for (json& item : items["items"])
    for (const auto& [line, column] : {std::pair("line", "column"), std::pair("end_line", "end_column")}) {
      const int at = item[line].get<int>() - first.line + 1;
      const int left = at == 1 ? first.column - 1 : static_cast<int>(indent);
      item[line] = std::max(at, 1);
      item[column] = at < 1 ? 1 : std::max(item[column].get<int>() - left, 1);
    }
  return std::move(items["items"]);
}

asio::awaitable<std::optional<std::string>> type_in_proof(std::shared_ptr<Asked> asked, io::Scope scope) {
  // At the end of the line before the next tactic: after this one.
  const std::size_t end = asked->file().text().line_end(asked->file().text().line_at(asked->start(1)) - 1);
  const auto goals = co_await goals_at(asked->file(), end, GoalFormat::Structured, scope);
  if (!goals || goals->goals.empty()) co_return std::nullopt;
  for (const json& hypothesis : goals->goals[0]["hyps"])
    for (const json& name : hypothesis["names"])
      if (name == kName) co_return hypothesis["type"].get<std::string>();
  co_return std::nullopt;
}

Answer answer(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  const std::string expression = arguments.string("expression");
  if (auto valid = lean_term(expression, 0); !valid) co_return tl::unexpected(valid.error());
  const auto file = co_await open_file(environment, call, arguments);
  if (!file) co_return tl::unexpected(file.error());
  auto context = command_context(*file, arguments);
  if (!context) co_return tl::unexpected(context.error());
  json result = {{"type", nullptr}, {"diagnostics", json::array()}, {"in_proof", false}};
  if (arguments.has("line")) {
    const auto offset =
        offset_of(*file, arguments.integer("line"), arguments.optional_integer("column"), Without::FirstNonBlank);
    auto proof = co_await proof_context(*file, *offset, call->scope);
    if (!proof && proof.error().kind == ErrorKind::Timeout) co_return finish(std::move(result), *file, true, true);
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
  if (!asked && asked.error().kind == ErrorKind::Timeout) co_return finish(std::move(result), *file, true, true);
  if (!asked) co_return tl::unexpected(asked.error());
  const std::size_t start = (*asked)->start(0) + before.size() + 1;  // after the bracket
  std::optional<std::string> type;
  if ((*asked)->failed(0)) {
    result["diagnostics"] = diagnostics_in_expression(**asked, start, indent);
  } else {
    type = in_proof ? co_await type_in_proof(*asked, call->scope) : co_await checked_type(*asked, 0, call->scope);
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
      "The type of any expression, with the names, variables and (in a proof) hypotheses of a place; or why it has none, "
      "at lines and columns of the expression. Use it before writing a term into the file.";
  tool.arguments = with_position(
      {file_argument(), mcp::Argument::required_("expression", mcp::ArgumentType::String, "One term")});
  answers(tool,
          {{"type", schema::nullable(schema::string())},
           {"diagnostics", schema::list(diagnostic_schema())},
           {"in_proof", schema::boolean()}},
          {"type", "diagnostics", "in_proof"});
  tool.handler = handled_by(environment, answer);
  return tool;
}

}  // namespace leanbridge::tools
