#include "check_part.hpp"

#include "command/check_options.hpp"
#include "core/program/runtime.hpp"

namespace leanbridge::tools {

mcp::Tool lean_check_batch(Environment& environment);

}  // namespace leanbridge::tools

namespace leanbridge::app {

namespace {

class Client : public ClientPart {
 public:
  explicit Client(tools::Environment& environment) : environment_(environment) {}

  std::vector<mcp::Tool> tools() override { return {tools::lean_check_batch(environment_)}; }

 private:
  tools::Environment& environment_;
};

}  // namespace

void CheckPart::add_options(CLI::App& app, Options& options) {
  add_check(app, options);
}

std::unique_ptr<ClientPart> CheckPart::start_client(Runtime& runtime) {
  return std::make_unique<Client>(runtime.environment());
}

}  // namespace leanbridge::app
