#include "bench.hpp"

#include "calls.hpp"
#include <stdlib.h>

namespace leanbridge::faults {

namespace fs = std::filesystem;

Bench::Bench() {
  const fs::path memory = "/dev/shm";
  std::error_code ignored;
  std::string pattern =
      ((fs::is_directory(memory, ignored) ? memory : fs::temp_directory_path()) / "leanbridge-faults-XXXXXX")
          .string();
  folder = fs::canonical(::mkdtemp(pattern.data()));
}

Bench::~Bench() {
  end();
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

void Bench::begin(document::WorkspaceOptions options, std::function<void(io::Pool::Task)> defer) {
  end();
  context.emplace(1);
  schedule.emplace(*context);
  pool_.emplace(std::move(defer));
  projects.emplace(*context, *pool_);
  workspace.emplace(*projects, std::move(options));
  if (environment_) return;
  // Its references stay valid: later workspaces and pools take the place of the first.
  environment_.emplace(
      tools::Environment{{*workspace, *pool_}, [] { return nlohmann::json::object(); }, "0"});
  std::vector<mcp::Tool> all = tools::all_tools(*environment_);
  problems = problems_of_list(all);
  std::set<std::string> disabled;
  for (const LeftOut& one : left_out()) disabled.insert(one.tool);
  auto tools = mcp::ToolRegistry::select(std::move(all), {"proof", "query", "build", "server"}, disabled);
  registry.emplace(std::move(tools.value()));
}

void Bench::end() {
  schedule.reset();
  workspace.reset();
  projects.reset();
  pool_.reset();
  context.reset();  // destroys the coroutines that are still suspended in it
}

}  // namespace leanbridge::faults
