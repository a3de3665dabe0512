// lean_loogle: loogle alone, as lean-lsp-mcp has it.

#include "searching.hpp"

namespace leanbridge::tools {

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
  tool.handler = handled_by(environment, answer_loogle);
  return tool;
}

}  // namespace leanbridge::tools
