#include "certify_part.hpp"

#include "command/certify_options.hpp"
#include "core/program/runtime.hpp"

namespace leanbridge::tools {

mcp::Tool lean_certify(Environment& environment);

}  // namespace leanbridge::tools

namespace leanbridge::app {

namespace {

class Client : public ClientPart {
 public:
  explicit Client(tools::Environment& environment) : environment_(environment) {}

  std::vector<mcp::Tool> tools() override { return {tools::lean_certify(environment_)}; }

 private:
  tools::Environment& environment_;
};

}  // namespace

void CertifyPart::add_options(CLI::App& app, Options& options) {
  add_certify(app, options);
  add_diff(app, options);
}

std::unique_ptr<ClientPart> CertifyPart::start_client(Runtime& runtime) {
  return std::make_unique<Client>(runtime.environment());
}

}  // namespace leanbridge::app
