// lean_run_code: elaborates the caller's text like a file of the project.

#include "tools/common/hidden_sorries.hpp"
#include "tools/common/scratch_elaboration.hpp"

namespace leanbridge::tools {

namespace {

struct RunCodeParams {
  std::string code;

  static wire::Fields fields() { return {wire::field<&RunCodeParams::code>("code")}; }
};

struct RunCodeResult {
  Verdict verdict;
  std::optional<std::string> reason;
  TrialMessages messages;
  TrialStatus status;

  static wire::Fields fields() {
    return {wire::flatten<&RunCodeResult::verdict>(), wire::field<&RunCodeResult::reason>("reason"),
            wire::flatten<&RunCodeResult::messages>(), wire::flatten<&RunCodeResult::status>()};
  }
};

asio::awaitable<Result<RunCodeResult>> run_code(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                RunCodeParams params) {
  CO_TRY(const auto project, environment.workspace.project(call->project));
  CO_TRY(const Trial trial, co_await elaborate_text(call, project, params.code, call->scope));
  const auto exit = text::find_exit(params.code);
  const bool success = trial.is_accepted() && !exit;
  TextOfFile text{project, project->root() / "code", params.code};
  CO_TRY(const auto verdict, co_await verdict_on(environment, success, std::move(text), call->scope));

  RunCodeResult result;
  if (!trial.unannounced.empty()) result.reason = unannounced_reason(trial.unannounced.front());
  if (exit) result.reason = not_checked_below(*exit);
  result.messages = messages_of(trial.text, trial.diagnostics);
  result.status = status_of(trial);
  if (verdict)
    result.verdict = *verdict;
  else
    result.status.partial = result.status.timed_out = true;
  co_return result;
}

}  // namespace

mcp::Tool lean_run_code(Environment& environment) {
  return make_tool(
      environment,
      {.name = "lean_run_code",
       .title = "Run Lean code",
       .group = "build",
       .description = "Elaborates a whole Lean text, imports included, without a file: #eval, #check, "
                      "experiments. A sorry is only a warning, which silenced_by may hide.",
       .caller_code = true,
       .shows_timeout = true},
      run_code);
}

}  // namespace leanbridge::tools
