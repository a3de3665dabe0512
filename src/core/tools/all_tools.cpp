// The list of the core's tools. Declare and list a new one here.

#include "tools.hpp"

#include <array>

namespace leanbridge::tools {

mcp::Tool lean_about(Environment& environment);
mcp::Tool lean_build(Environment& environment);
mcp::Tool lean_check(Environment& environment);
mcp::Tool lean_check_all(Environment& environment);
mcp::Tool lean_check_type(Environment& environment);
mcp::Tool lean_close(Environment& environment);
mcp::Tool lean_code_actions(Environment& environment);
mcp::Tool lean_completions(Environment& environment);
mcp::Tool lean_declaration_file(Environment& environment);
mcp::Tool lean_diagnostic_messages(Environment& environment);
mcp::Tool lean_document_proofs(Environment& environment);
mcp::Tool lean_document_state(Environment& environment);
mcp::Tool lean_extract_lemma(Environment& environment);
mcp::Tool lean_file_outline(Environment& environment);
mcp::Tool lean_fill(Environment& environment);
mcp::Tool lean_get_widget_source(Environment& environment);
mcp::Tool lean_get_widgets(Environment& environment);
mcp::Tool lean_goal(Environment& environment);
mcp::Tool lean_hover_info(Environment& environment);
mcp::Tool lean_locate(Environment& environment);
mcp::Tool lean_minimal_hypotheses(Environment& environment);
mcp::Tool lean_minimal_imports(Environment& environment);
mcp::Tool lean_multi_attempt(Environment& environment);
mcp::Tool lean_open(Environment& environment);
mcp::Tool lean_print(Environment& environment);
mcp::Tool lean_profile_proof(Environment& environment);
mcp::Tool lean_references(Environment& environment);
mcp::Tool lean_rename(Environment& environment);
mcp::Tool lean_reset(Environment& environment);
mcp::Tool lean_run_code(Environment& environment);
mcp::Tool lean_search(Environment& environment);
mcp::Tool lean_server_health(Environment& environment);
mcp::Tool lean_step_backward(Environment& environment);
mcp::Tool lean_step_forward(Environment& environment);
mcp::Tool lean_sync(Environment& environment);
mcp::Tool lean_term_goal(Environment& environment);
mcp::Tool lean_validate_step(Environment& environment);
mcp::Tool lean_verify(Environment& environment);
mcp::Tool lean_write_proof(Environment& environment);

std::vector<mcp::Tool> all_tools(Environment& environment) {
  constexpr auto kMakers = std::to_array({
      lean_about,
      lean_build,
      lean_check,
      lean_check_all,
      lean_check_type,
      lean_close,
      lean_code_actions,
      lean_completions,
      lean_declaration_file,
      lean_diagnostic_messages,
      lean_document_proofs,
      lean_document_state,
      lean_extract_lemma,
      lean_file_outline,
      lean_fill,
      lean_get_widget_source,
      lean_get_widgets,
      lean_goal,
      lean_hover_info,
      lean_locate,
      lean_minimal_hypotheses,
      lean_minimal_imports,
      lean_multi_attempt,
      lean_open,
      lean_print,
      lean_profile_proof,
      lean_references,
      lean_rename,
      lean_reset,
      lean_run_code,
      lean_search,
      lean_server_health,
      lean_step_backward,
      lean_step_forward,
      lean_sync,
      lean_term_goal,
      lean_validate_step,
      lean_verify,
      lean_write_proof,
  });
  std::vector<mcp::Tool> tools;
  tools.reserve(kMakers.size());
  for (const auto make : kMakers) tools.push_back(make(environment));
  return tools;
}

}  // namespace leanbridge::tools
