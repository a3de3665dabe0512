// lean_hammer_premise: what may help at a goal, from one service, as lean-lsp-mcp has it.

#include "searching.hpp"

namespace leanbridge::tools {

namespace {

constexpr int kHammerResults = 32;

Answer answer_hammer_premise(Environment& environment, std::shared_ptr<mcp::Call> call,
                             mcp::Arguments arguments) {
  auto goal = co_await goal_text_at(environment, call, arguments);
  if (!goal) co_return tl::unexpected(goal.error());
  search::Question question;
  question.text = std::move(*goal);
  question.limit = static_cast<std::size_t>(arguments.integer("num_results", kHammerResults));
  co_return co_await ask_one(environment, call, "hammer", std::move(question));
}

}  // namespace

mcp::Tool lean_hammer_premise(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_hammer_premise";
  tool.title = "Hammer premises";
  tool.description =
      "Names to give to simp, aesop or grind for the first goal at a place, from the Lean Hammer's premise "
      "server.";
  tool.arguments = goal_place(true);
  tool.arguments.push_back(num_results_argument(kHammerResults));
  answers_from_source(tool);
  tool.handler = handled_by(environment, answer_hammer_premise);
  return tool;
}

}  // namespace leanbridge::tools
