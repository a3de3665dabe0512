// lean_verify: the axioms of a theorem, or of everything in files, and the words in a source that deserve
// review.

#include "core/base/similar.hpp"
#include "core/ide/files_verification.hpp"
#include "core/tools/common/typed_tool.hpp"

namespace leanbridge::tools {

namespace {

struct VerifyParams {
  FilesParams files;
  std::optional<std::string> theorem_name;
  std::optional<std::string> baseline;
  bool scan_source = true;
  bool compile = false;

  static wire::Fields fields() {
    return {wire::flatten<&VerifyParams::files>(),
            wire::field<&VerifyParams::theorem_name>("With its namespaces; none: all of them"),
            wire::field<&VerifyParams::baseline>("File with an earlier answer"),
            wire::field<&VerifyParams::scan_source>().with_default(),
            wire::field<&VerifyParams::compile>().with_default()};
  }
};

asio::awaitable<Result<Verdict>> verify_theorem(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                VerifyParams params) {
  if (!params.files.file_path || params.files.files)
    co_return fail(ErrorKind::InvalidArgument, "A theorem is in one file.",
                   "Pass file_path with theorem_name, or files without it.");
  Verification verification(
      environment, call, {*params.files.file_path, *params.theorem_name, params.compile, params.scan_source});
  auto verdict = co_await verification.run();
  if (verdict || !verification.is_unknown()) co_return verdict;
  Error error = std::move(verdict).error();
  const TextOfFile& of = verification.text();
  const std::string meant = did_you_mean(co_await names_like(
      environment, of.project->root(), verification.name(), text::names_declared_in(of.text), call->scope));
  if (!meant.empty()) error.hint = meant + " " + error.hint;
  co_return tl::unexpected(std::move(error));
}

asio::awaitable<Result<Verdict>> verify(Environment& environment, std::shared_ptr<mcp::Call> call,
                                        VerifyParams params) {
  Verdict verdict;
  if (params.theorem_name) {
    CO_TRY(verdict, co_await verify_theorem(environment, call, std::move(params)));
  } else {
    CO_TRY(auto named, co_await named_files(environment, std::move(params.files), call->scope));
    CO_TRY(verdict, co_await verify_files(environment, call, std::move(named), params.baseline));
  }
  verdict.shorten(call->detail);
  co_return verdict;
}

}  // namespace

mcp::Tool lean_verify(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_verify",
       .title = "Axioms of theorems",
       .group = "build",
       .description = "The axioms that a theorem rests on; of files, which declarations rest on sorry or "
                      "more than the three standard axioms. trusted: none; null: reason says whether "
                      "compile: true (slow) would help. A verdict that no program can fake: lean_certify.",
       .shows_timeout = true},
      verify);
}

}  // namespace leanbridge::tools
