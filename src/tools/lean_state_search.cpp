// lean_state_search: what may help at a goal, from one service, as lean-lsp-mcp has it.

#include "searching.hpp"

namespace leanbridge::tools {

namespace {

constexpr int kStateSearchResults = 5;

Answer answer_state_search(Environment& environment, std::shared_ptr<mcp::Call> call,
                           mcp::Arguments arguments) {
  auto goal = co_await goal_text_at(environment, call, arguments);
  if (!goal) co_return tl::unexpected(goal.error());
  search::Question question;
  question.text = std::move(*goal);
  question.limit = static_cast<std::size_t>(arguments.integer("num_results", kStateSearchResults));
  co_return co_await ask_one(environment, call, "state_search", std::move(question));
}

}  // namespace

mcp::Tool lean_state_search(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_state_search";
  tool.title = "State search";
  tool.description = "Theorems that may close the first goal at a place, from premise-search.com.";
  tool.arguments = goal_place(true);
  tool.arguments.push_back(num_results_argument(kStateSearchResults));
  answers_from_source(tool);
  tool.handler = handled_by(environment, answer_state_search);
  return tool;
}

}  // namespace leanbridge::tools
