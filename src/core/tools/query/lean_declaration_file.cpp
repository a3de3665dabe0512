// lean_declaration_file: the source around the declaration of a symbol.

#include "core/ide/declaration_source.hpp"
#include "core/tools/common/typed_tool.hpp"

namespace leanbridge::tools {

namespace {

asio::awaitable<Result<DeclarationSource>> declaration_file(Environment& environment,
                                                            std::shared_ptr<mcp::Call> call,
                                                            SourceQuestion question) {
  const bool whole = question.full_file;
  auto source = co_await source_of_declaration(environment, call, std::move(question));
  if (source && whole) call->text_budget = 0;  // the caller asked for the whole text
  co_return source;
}

}  // namespace

mcp::Tool lean_declaration_file(Environment& environment) {
  return make_tool(environment,
                   {.name = "lean_declaration_file",
                    .title = "Source of a declaration",
                    .group = "query",
                    .description = "Source around a symbol's declaration, by its use at a line, its first "
                                   "use in the file, or its name."},
                   declaration_file);
}

}  // namespace leanbridge::tools
