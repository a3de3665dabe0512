#include "runtime.hpp"

#include "leanbridge/base/log.hpp"
#include "leanbridge/prompts/prompts.hpp"
#include "leanbridge/tools/resources.hpp"

#include "instructions.hpp"
#include <signal.h>

namespace leanbridge::app {

namespace {

document::WorkspaceOptions workspace_options(const Options& options) {
  document::WorkspaceOptions workspace;
  if (!options.project_root.empty()) workspace.root = options.project_root;
  std::error_code ignored;
  workspace.directory = std::filesystem::current_path(ignored);
  workspace.lake = options.lake;
  workspace.serve_args = options.serve_args;
  return workspace;
}

}  // namespace

Runtime::Runtime(const Options& options)
    : options_(options),
      workspace_(context_, pool_, workspace_options(options)),
      environment_{workspace_, pool_, [this] { return call_counts(); }, LEANBRIDGE_VERSION},
      all_tools_(tools::all_tools(environment_)) {
  ::signal(SIGPIPE, SIG_IGN);
  log::configure(options.log_level, options.log_file);
}

Runtime::~Runtime() {
  workspace_.kill();
}

Result<void> Runtime::select_tools() {
  auto selected =
      mcp::ToolRegistry::select(all_tools_, options_.groups, options_.disabled, options_.descriptions);
  if (!selected) return tl::unexpected(selected.error());
  tools_ = std::move(*selected);
  return {};
}

mcp::SessionOptions Runtime::session_options() {
  mcp::SessionOptions session;
  session.version = LEANBRIDGE_VERSION;
  session.instructions = options_.instructions.empty() ? instructions_for(*tools_) : options_.instructions;
  session.timeout_s = options_.timeout_s;
  session.prompts = prompts::all_prompts();
  session.resources = tools::all_resources(environment_, all_tools_);
  return session;
}

nlohmann::json Runtime::call_counts() const {
  nlohmann::json all = nlohmann::json::object();
  for (const auto& [name, counts] : tools_->counts())
    all[name] = {{"calls", counts.calls},
                 {"errors", counts.errors},
                 {"cancelled", counts.cancelled},
                 {"mean_ms", counts.calls ? counts.total_ms / static_cast<double>(counts.calls) : 0},
                 {"max_ms", counts.max_ms}};
  return all;
}

}  // namespace leanbridge::app
