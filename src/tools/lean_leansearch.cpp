// lean_leansearch: leansearch alone, as lean-lsp-mcp has it.

#include "searching.hpp"

namespace leanbridge::tools {

namespace {

constexpr int kLeanSearchResults = 5;

Answer answer_leansearch(Environment& environment, std::shared_ptr<mcp::Call> call,
                         mcp::Arguments arguments) {
  search::Question question;
  question.text = arguments.string("query");
  question.limit = static_cast<std::size_t>(arguments.integer("num_results", kLeanSearchResults));
  return ask_one(environment, std::move(call), "leansearch", std::move(question));
}

}  // namespace

mcp::Tool lean_leansearch(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_leansearch";
  tool.title = "LeanSearch";
  tool.description =
      "Mathlib theorems by meaning, from leansearch.net. For a description in words; lean_theorem_search "
      "asks it together with the others.";
  tool.arguments = {mcp::Argument::required_("query", mcp::ArgumentType::String, "Prose or a Lean statement"),
                    num_results_argument(kLeanSearchResults)};
  answers_from_source(tool);
  tool.handler = handled_by(environment, answer_leansearch);
  return tool;
}

}  // namespace leanbridge::tools
