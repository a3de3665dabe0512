// list_declarations_for_paper: what a published paper's records name.

#include "corpus_paper.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

Answer answer_list_declarations_for_paper(Environment& environment, std::shared_ptr<mcp::Call> call,
                                          mcp::Arguments arguments) {
  const auto published = co_await read_published(environment, call, arguments);
  if (!published) co_return tl::unexpected(published.error());
  auto records = corpus::declarations(published->paper);
  if (arguments.boolean("dedupe", false)) records = corpus::without_duplicates(std::move(records));
  json list = json::array();
  for (const corpus::Record& record : records) list.push_back(corpus::to_json(record));
  json result;
  add_declarations(result, std::move(list));
  co_return finish_published(std::move(result), *published);
}

}  // namespace

mcp::Tool list_declarations_for_paper(Environment& environment) {
  using mcp::Argument;
  using mcp::ArgumentType;
  mcp::Tool tool;
  tool.name = "list_declarations_for_paper";
  tool.title = "Declarations of a paper";
  tool.group = "corpus";
  tool.description =
      "The Lean declarations that the published records of a paper name: its manifest and its theorem cards, "
      "which "
      "may both name one. dedupe makes one record of those that say the same.";
  tool.arguments = {paper_argument(), Argument::optional_("dedupe", ArgumentType::Boolean, "Default false")};
  answers(tool,
          {{"declarations", schema::list({})},
           {"total", schema::integer()},
           {"truncated", schema::boolean()},
           {"error", schema::string()}},
          {"declarations", "total", "truncated"});
  tool.handler = bind_handler(environment, answer_list_declarations_for_paper);
  return tool;
}

}  // namespace leanbridge::tools
