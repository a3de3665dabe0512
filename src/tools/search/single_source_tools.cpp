// The tools that ask one service, as lean-lsp-mcp has them.

#include "search_common.hpp"

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
  tool.handler = bind_handler(environment, answer_leansearch);
  return tool;
}

// --- lean_leanfinder: leanfinder alone

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
  tool.handler = bind_handler(environment, answer_leanfinder);
  return tool;
}

// --- lean_loogle: loogle alone

namespace {

constexpr int kLoogleResults = 8;

Answer answer_loogle(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  search::Question question;
  question.text = arguments.string("query");
  question.limit = static_cast<std::size_t>(arguments.integer("num_results", kLoogleResults));
  // A Loogle of this machine comes first: it knows the project's own library, and has no limit.
  if (const auto own = environment.search.engine().source("loogle_local")) {
    auto reply = co_await own->ask(question, call->scope);
    if (reply.value) {
      search::OneAnswer answer;
      answer.found = std::move(*reply.value);
      answer.source = own->name();
      answer.cached = reply.cached;
      co_return in_shape_of("loogle", answer);
    }
    if (!search::falls_back(reply.value.error()))
      co_return tl::unexpected(search::to_error(reply.value.error()));
  }
  co_return co_await ask_one(environment, call, "loogle", std::move(question));
}

}  // namespace

mcp::Tool lean_loogle(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_loogle";
  tool.title = "Loogle";
  tool.description =
      "Mathlib theorems by the shape of their statement, from Loogle: Real.sin, \"comm\", (?a -> ?b) -> List "
      "?a -> List ?b, |- _ < _. For when you know what the type looks like.";
  tool.arguments = {
      mcp::Argument::required_("query", mcp::ArgumentType::String, "Pattern, constant or \"name part\""),
      num_results_argument(kLoogleResults)};
  answers_from_source(tool);
  tool.handler = bind_handler(environment, answer_loogle);
  return tool;
}

// --- lean_state_search, lean_hammer_premise: what may help at a goal

namespace {

constexpr int kStateSearchResults = 5;
constexpr int kHammerResults = 32;

Answer ask_about_goal(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments,
                      std::string source, int results) {
  auto goal = co_await goal_text_at(environment, call, arguments);
  if (!goal) co_return tl::unexpected(goal.error());
  search::Question question;
  question.text = std::move(*goal);
  question.limit = static_cast<std::size_t>(arguments.integer("num_results", results));
  co_return co_await ask_one(environment, call, std::move(source), std::move(question));
}

Answer answer_state_search(Environment& environment, std::shared_ptr<mcp::Call> call,
                           mcp::Arguments arguments) {
  return ask_about_goal(environment, std::move(call), std::move(arguments), "state_search",
                        kStateSearchResults);
}

Answer answer_hammer_premise(Environment& environment, std::shared_ptr<mcp::Call> call,
                             mcp::Arguments arguments) {
  return ask_about_goal(environment, std::move(call), std::move(arguments), "hammer", kHammerResults);
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
  tool.handler = bind_handler(environment, answer_state_search);
  return tool;
}

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
  tool.handler = bind_handler(environment, answer_hammer_premise);
  return tool;
}

}  // namespace leanbridge::tools
