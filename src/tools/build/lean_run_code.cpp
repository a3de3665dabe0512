// lean_run_code: a text of the caller's own, as a file of the project that does not exist.

#include "tools/common/hidden_sorries.hpp"
#include "tools/common/scratch_elaboration.hpp"

namespace leanbridge::tools {

using nlohmann::json;
namespace schema = mcp::schema;

namespace {

Answer answer_run_code(Environment& environment, std::shared_ptr<mcp::Call> call, mcp::Arguments arguments) {
  const auto project = environment.workspace.project("");
  if (!project) co_return tl::unexpected(project.error());
  const std::string code = arguments.string("code");
  const auto trial = co_await elaborate_text(call, *project, code, call->scope);
  if (!trial) co_return tl::unexpected(trial.error());
  const auto exit = text::find_exit(code);
  json result = {{"success", trial->is_accepted() && !exit}};
  if (exit) result["reason"] = not_checked_below(*exit);
  const auto known =
      co_await name_silencer(environment, result, {*project, (*project)->root() / "code", code}, call->scope);
  if (!known) co_return tl::unexpected(known.error());
  add_diagnostics(result, trial->text, trial->diagnostics);
  result = finish_trial(std::move(result), *trial);
  if (!*known) result["partial"] = result["timed_out"] = true;
  co_return result;
}

}  // namespace

mcp::Tool lean_run_code(Environment& environment) {
  mcp::Tool tool;
  tool.name = "lean_run_code";
  tool.title = "Run Lean code";
  tool.group = "build";
  tool.description =
      "Elaborates a whole Lean text, imports included, in the project without writing a file: #eval, #check, "
      "experiments. sorry is only a warning, and with silenced_by perhaps none.";
  tool.arguments = {mcp::Argument::required_("code", mcp::ArgumentType::String, "With its own imports")};
  answers_from_trial(tool, {{"success", schema::boolean()}, {"diagnostics", schema::list({})}},
                     {"success", "diagnostics"});
  tool.caller_code = true;
  tool.handler = bind_handler(environment, answer_run_code);
  return tool;
}

}  // namespace leanbridge::tools
