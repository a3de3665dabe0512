#include "corpus_part.hpp"

#include "core/program/runtime.hpp"

namespace leanbridge::tools {

mcp::Tool get_dependency_graph_for_declaration(Environment& environment);
mcp::Tool list_declarations_for_paper(Environment& environment);
mcp::Tool list_declarations_in_file(Environment& environment);

}  // namespace leanbridge::tools

namespace leanbridge::app {

namespace {

class Client : public ClientPart {
 public:
  explicit Client(tools::Environment& environment) : environment_(environment) {}

  std::vector<mcp::Tool> tools() override {
    return {tools::get_dependency_graph_for_declaration(environment_),
            tools::list_declarations_for_paper(environment_), tools::list_declarations_in_file(environment_)};
  }

 private:
  tools::Environment& environment_;
};

}  // namespace

std::unique_ptr<ClientPart> CorpusPart::start_client(Runtime& runtime) {
  return std::make_unique<Client>(runtime.environment());
}

}  // namespace leanbridge::app
