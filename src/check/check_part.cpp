#include "check_part.hpp"

#include "command/check_options.hpp"
#include "core/program/runtime.hpp"

namespace leanbridge::tools {

mcp::Tool lean_check_batch(Environment& environment);

}  // namespace leanbridge::tools

namespace leanbridge::app {

void CheckPart::add_options(CLI::App& app, Options& options) {
  add_check(app, options);
}

std::unique_ptr<ClientPart> CheckPart::start_client(Runtime& runtime) {
  tools::Environment& environment = runtime.environment();
  return std::make_unique<ToolsOfClient>(std::vector{tools::lean_check_batch(environment)});
}

}  // namespace leanbridge::app
