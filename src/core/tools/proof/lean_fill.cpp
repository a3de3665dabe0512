// lean_fill: tries automatic tactics at every sorry of a file, in a few elaborations of the whole.

#include "core/document/file.hpp"
#include "core/ide/filling.hpp"
#include "core/ide/project_edit.hpp"
#include "core/ide/statement_changes.hpp"
#include "core/tools/common/typed_tool.hpp"

#include <cmath>

namespace leanbridge::tools {

namespace {

constexpr double kUsualBudget = 30;  // s

struct FillParams {
  FileParams file;
  std::optional<std::string> declaration;
  double budget_s = kUsualBudget;
  bool write = false;

  static wire::Fields fields() {
    return {wire::flatten<&FillParams::file>(),
            wire::field<&FillParams::declaration>("Default: the whole file"),
            wire::field<&FillParams::budget_s>("Of processor time").with_default(),
            wire::field<&FillParams::write>().with_default()};
  }
};

struct FillResult {
  FillReport filled;  ///< its reason may also say why nothing was written
  bool written = false;
  double seconds = 0;

  static wire::Fields fields() {
    return {wire::flatten<&FillResult::filled>(), wire::field<&FillResult::written>().omit_empty(),
            wire::field<&FillResult::seconds>()};
  }
};

double hundredths(double seconds) {
  return std::round(seconds * 100) / 100;
}

asio::awaitable<Result<FillResult>> fill_file(Environment& environment, std::shared_ptr<mcp::Call> call,
                                              FillParams params) {
  const auto start = io::Clock::now();
  if (!(params.budget_s > 0))
    co_return fail(ErrorKind::InvalidArgument, "budget_s must be more than 0.", "Pass seconds, such as 30.");
  CO_TRY(const auto file, co_await open_file(environment, call, params.file.file_path));
  if (params.write) {
    CO_TRY(const auto location, environment.workspace.locate(params.file.file_path));
    CO_CHECK(require_own_file(*file.store(), file.document().path, location.named));
    CO_CHECK(document::check_replaceable(file.document().path, file.document().name));
  }
  CO_CHECK(co_await file.wait_until_done(call->scope));
  if (auto failure = file.header_failure()) co_return tl::unexpected(std::move(*failure));
  CO_TRY(auto places, places_to_fill(file, params.declaration));
  FillResult result;
  if (places.empty()) {
    result.filled.reason = "There is no sorry here, and nothing that fails.";
    co_return result;
  }
  const std::string source = file.text().str();
  const auto budget =
      std::chrono::duration_cast<io::Clock::duration>(std::chrono::duration<double>(params.budget_s));
  std::filesystem::path counts;
  if (!environment.cache.empty()) counts = TacticCounts::file_for(environment.cache, file.store()->root());
  Filling filling(environment, call, file, std::move(places), {.budget = budget}, std::move(counts));
  CO_TRY(result.filled, co_await filling.run());
  if (call->scope.cancel->cancelled()) co_return call_cancelled();
  if (params.write && result.filled.closed > 0) {
    const FileEdit edit{file.store(), file.document().path, source, result.filled.text};
    CO_TRY(std::string objection,
           co_await statement_objection(environment, call, edit, nullptr, call->scope));
    if (objection.empty()) {
      PlannedWrite write =
          planned_write(*file.store(), *call, {{edit.path, file.document().name, source, edit.after}});
      CO_CHECK(co_await write_text(environment, std::move(write)));
      result.written = true;
    } else {
      result.filled.reason = "Nothing is written. " + objection;
    }
  }
  if (result.filled.cpu_s) result.filled.cpu_s = hundredths(*result.filled.cpu_s);
  result.seconds = hundredths(std::chrono::duration<double>(io::Clock::now() - start).count());
  co_return result;
}

}  // namespace

mcp::Tool lean_fill(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_fill",
       .title = "Fill sorries",
       .group = "proof",
       .description = "Tries what a machine can prove at every sorry of a file: what closes each, values "
                      "that refute it, or its goal. write: true puts in all that Lean accepts.",
       .annotations = {.read_only = false, .destructive = true, .idempotent = false, .open_world = false},
       .may_be_task = true},
      fill_file);
}

}  // namespace leanbridge::tools
