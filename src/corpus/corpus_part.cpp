#include "corpus_part.hpp"

#include "core/program/runtime.hpp"

namespace leanbridge::tools {

mcp::Tool get_dependency_graph_for_declaration(Environment& environment);
mcp::Tool list_declarations_for_paper(Environment& environment);
mcp::Tool list_declarations_in_file(Environment& environment);

}  // namespace leanbridge::tools

namespace leanbridge::app {

std::unique_ptr<ClientPart> CorpusPart::start_client(Runtime& runtime) {
  tools::Environment& environment = runtime.environment();
  return std::make_unique<ToolsOfClient>(std::vector{tools::get_dependency_graph_for_declaration(environment),
                                                     tools::list_declarations_for_paper(environment),
                                                     tools::list_declarations_in_file(environment)});
}

}  // namespace leanbridge::app
