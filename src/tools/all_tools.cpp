// The list of tools. Declare and list a new one here.

#include "leanbridge/tools/tools.hpp"

namespace leanbridge::tools {

mcp::Tool get_dependency_graph_for_declaration(Environment& environment);
mcp::Tool lean_about(Environment& environment);
mcp::Tool lean_build(Environment& environment);
mcp::Tool lean_certify(Environment& environment);
mcp::Tool lean_check(Environment& environment);
mcp::Tool lean_check_all(Environment& environment);
mcp::Tool lean_check_batch(Environment& environment);
mcp::Tool lean_check_type(Environment& environment);
mcp::Tool lean_close(Environment& environment);
mcp::Tool lean_code_actions(Environment& environment);
mcp::Tool lean_completions(Environment& environment);
mcp::Tool lean_declaration_file(Environment& environment);
mcp::Tool lean_diagnostic_messages(Environment& environment);
mcp::Tool lean_document_proofs(Environment& environment);
mcp::Tool lean_document_state(Environment& environment);
mcp::Tool lean_explore_get_by_id(Environment& environment);
mcp::Tool lean_explore_get_dependencies(Environment& environment);
mcp::Tool lean_explore_search(Environment& environment);
mcp::Tool lean_extract_lemma(Environment& environment);
mcp::Tool lean_file_outline(Environment& environment);
mcp::Tool lean_fill(Environment& environment);
mcp::Tool lean_get_widget_source(Environment& environment);
mcp::Tool lean_get_widgets(Environment& environment);
mcp::Tool lean_goal(Environment& environment);
mcp::Tool lean_hammer_premise(Environment& environment);
mcp::Tool lean_hover_info(Environment& environment);
mcp::Tool lean_leanfinder(Environment& environment);
mcp::Tool lean_leansearch(Environment& environment);
mcp::Tool lean_local_search(Environment& environment);
mcp::Tool lean_locate(Environment& environment);
mcp::Tool lean_loogle(Environment& environment);
mcp::Tool lean_minimal_hypotheses(Environment& environment);
mcp::Tool lean_minimal_imports(Environment& environment);
mcp::Tool lean_modules(Environment& environment);
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
mcp::Tool lean_state_search(Environment& environment);
mcp::Tool lean_step_backward(Environment& environment);
mcp::Tool lean_step_forward(Environment& environment);
mcp::Tool lean_sync(Environment& environment);
mcp::Tool lean_term_goal(Environment& environment);
mcp::Tool lean_theorem_search(Environment& environment);
mcp::Tool lean_validate_step(Environment& environment);
mcp::Tool lean_verify(Environment& environment);
mcp::Tool lean_write_proof(Environment& environment);
mcp::Tool list_declarations_for_paper(Environment& environment);
mcp::Tool list_declarations_in_file(Environment& environment);

std::vector<mcp::Tool> all_tools(Environment& environment) {
  return {
      get_dependency_graph_for_declaration(environment),
      lean_about(environment),
      lean_build(environment),
      lean_certify(environment),
      lean_check(environment),
      lean_check_all(environment),
      lean_check_batch(environment),
      lean_check_type(environment),
      lean_close(environment),
      lean_code_actions(environment),
      lean_completions(environment),
      lean_declaration_file(environment),
      lean_diagnostic_messages(environment),
      lean_document_proofs(environment),
      lean_document_state(environment),
      lean_explore_get_by_id(environment),
      lean_explore_get_dependencies(environment),
      lean_explore_search(environment),
      lean_extract_lemma(environment),
      lean_file_outline(environment),
      lean_fill(environment),
      lean_get_widget_source(environment),
      lean_get_widgets(environment),
      lean_goal(environment),
      lean_hammer_premise(environment),
      lean_hover_info(environment),
      lean_leanfinder(environment),
      lean_leansearch(environment),
      lean_local_search(environment),
      lean_locate(environment),
      lean_loogle(environment),
      lean_minimal_hypotheses(environment),
      lean_minimal_imports(environment),
      lean_modules(environment),
      lean_multi_attempt(environment),
      lean_open(environment),
      lean_print(environment),
      lean_profile_proof(environment),
      lean_references(environment),
      lean_rename(environment),
      lean_reset(environment),
      lean_run_code(environment),
      lean_search(environment),
      lean_server_health(environment),
      lean_state_search(environment),
      lean_step_backward(environment),
      lean_step_forward(environment),
      lean_sync(environment),
      lean_term_goal(environment),
      lean_theorem_search(environment),
      lean_validate_step(environment),
      lean_verify(environment),
      lean_write_proof(environment),
      list_declarations_for_paper(environment),
      list_declarations_in_file(environment),
  };
}

}  // namespace leanbridge::tools
