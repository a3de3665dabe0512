// lean_check_all: the messages of whole files, and the declarations that they leave unproved.

#include "core/ide/file_checks.hpp"
#include "core/tools/common/typed_tool.hpp"

namespace leanbridge::tools {

namespace {

struct CheckAllParams {
  FilesParams files;
  std::optional<lean::Severity> severity;
  bool goals = false;
  bool suggest = false;

  static wire::Fields fields() {
    return {wire::flatten<&CheckAllParams::files>(), wire::field<&CheckAllParams::severity>(),
            wire::field<&CheckAllParams::goals>("All, not 3").with_default(),
            wire::field<&CheckAllParams::suggest>("Proofs, sought for 10 s a file").with_default()};
  }
};

asio::awaitable<Result<FilesCheck>> check_all(Environment& environment, std::shared_ptr<mcp::Call> call,
                                              CheckAllParams params) {
  CO_TRY(auto named, co_await named_files(environment, std::move(params.files), call->scope));
  CheckExtent extent{params.severity, params.goals, params.suggest, environment.cache};
  co_return co_await check_files(environment, call, std::move(named), std::move(extent));
}

}  // namespace

mcp::Tool lean_check_all(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_check_all",
       .title = "Check whole files",
       .group = "proof",
       .description = "Are whole files done? success: everything is proved, without error and sorry (even "
                      "hidden); unfinished says what is not, where, and its goals.",
       .shows_timeout = true},
      check_all);
}

}  // namespace leanbridge::tools
