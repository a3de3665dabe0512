// lean_minimal_imports: the imports that a file can do without, and the ones it lacks.

#include "core/ide/import_trials.hpp"
#include "core/ide/project_edit.hpp"
#include "core/tools/common/typed_tool.hpp"

namespace leanbridge::tools {

namespace {

struct MinimalImportsParams {
  FileParams file;
  bool write = false;

  static wire::Fields fields() {
    return {wire::flatten<&MinimalImportsParams::file>(),
            wire::field<&MinimalImportsParams::write>().with_default()};
  }
};

asio::awaitable<Result<ImportReport>> minimal_imports(Environment& environment,
                                                      std::shared_ptr<mcp::Call> call,
                                                      MinimalImportsParams params) {
  CO_TRY(auto location, environment.workspace.locate(params.file.file_path));
  if (params.write) {
    CO_CHECK(require_own_file(*location.project, location.path, location.named));
  }
  co_return co_await try_imports(environment, std::move(call), std::move(location),
                                 params.write ? WriteImports::IfCompiled : WriteImports::No);
}

}  // namespace

mcp::Tool lean_minimal_imports(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_minimal_imports",
       .title = "Find unneeded imports",
       .group = "build",
       .description =
           "Compiles a file without each import, in a copy: unneeded if declarations, axioms and "
           "messages stay the same. Where names are unknown, it first adds what Lean would import. "
           "write: true writes the result if all files that import this one still compile.",
       .annotations = {.read_only = false, .destructive = true, .idempotent = false, .open_world = false},
       .listed = false},
      minimal_imports);
}

}  // namespace leanbridge::tools
