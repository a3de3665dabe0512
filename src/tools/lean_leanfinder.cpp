// lean_leanfinder: leanfinder alone, as lean-lsp-mcp has it.

#include "searching.hpp"

namespace leanbridge::tools {

namespace {

constexpr int kLeanFinderResults = 5;

Answer answer_leanfinder(Environment& environment, std::shared_ptr<mcp::Call> call,
                         mcp::Arguments arguments) {
  search::Question question;
  question.text = arguments.string("query");
  question.limit = static_cast<std::size_t>(arguments.integer("num_results", kLeanFinderResults));
  question.version = arguments.string("version", "");
  return ask_one(environment, std::move(call), "leanfinder", std::move(question));
}

}  // namespace

mcp::Tool lean_leanfinder(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_leanfinder";
  tool.title = "Lean Finder";
  tool.description =
      "Mathlib theorems by meaning, from Lean Finder. For questions and proof states in words.";
  tool.arguments = {
      mcp::Argument::required_("query", mcp::ArgumentType::String, "A concept, a question or a proof state"),
      num_results_argument(kLeanFinderResults),
      mcp::Argument::optional_("version", mcp::ArgumentType::String, "Of Mathlib")
          .one_of({"v4.19.0", "v4.24.0", "v4.28.0"})};
  answers_from_source(tool);
  tool.handler = handled_by(environment, answer_leanfinder);
  return tool;
}

}  // namespace leanbridge::tools
