// lean_build: runs `lake build` beside the language server, which keeps answering.

#include "core/ide/lake_build.hpp"
#include "core/tools/common/typed_tool.hpp"

namespace leanbridge::tools {

namespace {

constexpr auto kBuildLimit = std::chrono::hours(1);  // the first build of a large library is slow
constexpr int kDefaultLines = 20;

struct BuildParams {
  std::string lean_project_path;
  bool clean = false;
  bool fetch_cache = false;
  std::vector<std::string> targets;
  int output_lines = kDefaultLines;

  static wire::Fields fields() {
    return {wire::field<&BuildParams::lean_project_path>().with_default(),
            wire::field<&BuildParams::clean>("lake clean first, without dependencies").with_default(),
            wire::field<&BuildParams::fetch_cache>("lake exe cache get first").with_default(),
            wire::field<&BuildParams::targets>("modules or Lake targets; default: all").with_default(),
            wire::field<&BuildParams::output_lines>().with_default().at_least(0)};
  }
};

asio::awaitable<Result<nlohmann::json>> build_project(Environment& environment,
                                                      std::shared_ptr<LakeBuilds> builds,
                                                      std::shared_ptr<mcp::Call> call, BuildParams params) {
  for (const std::string& target : params.targets)
    if (target.empty() || target.starts_with('-'))
      co_return fail(ErrorKind::InvalidArgument, "\"" + target + "\" is no module or target of Lake's.",
                     "Name modules as in an import, such as App.Basic.");
  CO_TRY(const auto project, environment.workspace.project(params.lean_project_path));
  io::CancelScope scope = call->scope;
  if (!call->has_timeout) scope = io::CancelScope(kBuildLimit, call->scope.cancel);
  CO_TRY(const BuildReport report,
         co_await builds->run(project, {params.clean, params.fetch_cache, std::move(params.targets)},
                              params.output_lines, call, scope));
  co_return wire::write(report, call->detail);
}

}  // namespace

mcp::Tool lean_build(Environment& environment) {
  mcp::Tool tool = describe_tool<BuildParams>(
      {.name = "lean_build",
       .title = "Build the project",
       .group = "build",
       .description = "Runs lake build. For changes in many files: opening a file builds its imports "
                      "anyway. Without timeout_s: up to an hour.",
       // `clean` deletes; lakefiles are programs; the cache comes over the network.
       .annotations = {.read_only = false, .destructive = true, .idempotent = true, .open_world = true},
       .shows_timeout = true,
       .may_be_task = true},
      wire::fields_of<BuildReport>());
  tool.handler = [&environment, builds = std::make_shared<LakeBuilds>(environment.pool, environment.builds)](
                     std::shared_ptr<mcp::Call> call, const nlohmann::json& arguments) {
    return build_project(environment, builds, std::move(call), wire::read<BuildParams>(arguments));
  };
  return tool;
}

}  // namespace leanbridge::tools
