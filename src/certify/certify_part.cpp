#include "certify_part.hpp"

#include "command/certify_options.hpp"
#include "core/program/runtime.hpp"

namespace leanbridge::tools {

mcp::Tool lean_certify(Environment& environment);

}  // namespace leanbridge::tools

namespace leanbridge::app {

void CertifyPart::add_options(CLI::App& app, Options& options) {
  add_certify(app, options);
  add_diff(app, options);
}

std::unique_ptr<ClientPart> CertifyPart::start_client(Runtime& runtime) {
  tools::Environment& environment = runtime.environment();
  return std::make_unique<ToolsOfClient>(std::vector{tools::lean_certify(environment)});
}

}  // namespace leanbridge::app
