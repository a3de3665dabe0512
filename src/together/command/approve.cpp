// leanbridge approve: keeps statements, as they are compiled now, as approved by a person.

#include "core/base/files.hpp"
#include "core/program/call.hpp"
#include "core/program/output.hpp"
#include "core/program/runtime.hpp"
#include "core/tools/common/typed_tool.hpp"
#include "together/statements/approvals.hpp"
#include <CLI/CLI.hpp>

namespace leanbridge::app {

namespace {

struct ApproveParams {
  std::vector<std::string> names;
  static wire::Fields fields() { return wire::fields<&ApproveParams::names>(); }
};
struct ApproveResult {
  std::vector<together::ApprovedStatement> approved;
  static wire::Fields fields() { return wire::fields<&ApproveResult::approved>(); }
};

asio::awaitable<Result<ApproveResult>> approve_all(tools::Environment& lean, std::shared_ptr<mcp::Call> call,
                                                   ApproveParams params) {
  CO_TRY(const auto store, lean.workspace.project(call->project));
  CO_TRY(const auto now, co_await together::statements_now(lean, store, params.names, call->scope));
  const auto file = store->root() / together::kApprovalsName;
  CO_TRY(auto all, together::approvals_of(store->root()));
  ApproveResult result;
  for (const auto& [name, statement] : now) {
    if (!statement) co_return tl::unexpected(statement.error());
    std::erase_if(all, [&, &each_name = name](const auto& each) { return each.declaration == each_name; });
    all.push_back(*statement);
    result.approved.push_back(*statement);
  }
  std::ranges::sort(all, {}, &together::ApprovedStatement::declaration);
  if (!replace_own_file(file, together::written(all)))
    co_return fail(ErrorKind::Internal, file.string() + " cannot be written.");
  co_return result;
}

int approve(const Options& options) {
  Runtime runtime(options);
  if (const auto selected = runtime.select_tools(); !selected) return usage(selected.error());
  const mcp::Tool tool = tools::make_tool(runtime.environment(), {.name = "approve"}, approve_all);
  bool interrupted = false;
  const auto answer = run_one(runtime, tool, {{"names", options.of<ApproveParams>().names}}, interrupted);
  if (interrupted) return kInterrupted;
  if (!answer) return report(answer.error());
  print_json(*answer);
  return 0;
}

}  // namespace

void add_approve(CLI::App& app, Options& options) {
  ApproveParams& approve = options.of<ApproveParams>();
  CLI::App* command =
      app.add_subcommand("approve", "Keep statements as approved, which no tool may change then");
  command->footer(
      "  leanbridge approve Main.theorem  its statement and all that it means, as compiled now\n\n"
      "Commit leanbridge-approved.json (docs/together.md).\n"
      "Exit status: 0 if all are kept, 1 if not, 2 for wrong usage, 130 if interrupted.");
  command->fallthrough();
  command->add_option("DECLARATION", approve.names, "Full names")->required();
  command->callback([&options] { options.command = app::approve; });
}

}  // namespace leanbridge::app
