// lean_run_code: elaborates the caller's text like a file of the project.

#include "core/ide/hidden_sorries.hpp"
#include "core/ide/scratch_elaboration.hpp"
#include "core/tools/common/typed_tool.hpp"

namespace leanbridge::tools {

namespace {

struct RunCodeParams {
  std::string code;

  static wire::Fields fields() { return wire::fields<&RunCodeParams::code>(); }
};

/// These fields are in every answer, brief or not: callers written for lean-lsp-mcp read `timed_out` by its
/// name.
struct WholeTrialStatus : TrialStatus {
  static wire::Fields fields() {
    wire::Fields all = TrialStatus::fields();
    for (wire::Field& field : all)
      if (field.name == "timed_out") field.in_brief = wire::InBrief::Always;
    return all;
  }
};

struct RunCodeResult {
  bool success = false;
  std::optional<std::string> silenced_by;  ///< a word that could hide a message, if no other field names one
  std::optional<std::string> reason;
  TrialMessages messages;
  WholeTrialStatus status;

  static wire::Fields fields() {
    return {wire::field<&RunCodeResult::success>(), wire::field<&RunCodeResult::silenced_by>(),
            wire::field<&RunCodeResult::reason>(), wire::flatten<&RunCodeResult::messages>(),
            wire::flatten<&RunCodeResult::status>()};
  }
};

asio::awaitable<Result<RunCodeResult>> run_code(Environment& environment, std::shared_ptr<mcp::Call> call,
                                                RunCodeParams params) {
  CO_TRY(const auto project, environment.workspace.project(call->project));
  CO_TRY(const Trial trial, co_await elaborate_text(call, project, params.code, call->scope));
  const auto exit = text::find_exit(params.code);
  RunCodeResult result;
  if (!trial.unannounced.empty()) result.reason = unannounced_reason(trial.unannounced.front());
  if (exit) result.reason = not_checked_below(*exit);
  result.messages = messages_of(trial.messages());
  result.status = {status_of(trial)};
  if (!trial.is_accepted() || exit) co_return result;
  TextOfFile text{
      .project = project, .path = project->root() / "code", .text = params.code, .evaluates = true};
  CO_TRY(auto silencer, in_time(co_await find_silencer(environment, std::move(text), call->scope)));
  if (silencer) {
    result.success = true;
    result.silenced_by = std::move(*silencer);
  } else {
    result.status.partial = result.status.timed_out = true;
  }
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
                      "experiments. A sorry is only a warning.",
       .caller_code = true,
       .shows_timeout = true},
      run_code);
}

}  // namespace leanbridge::tools
