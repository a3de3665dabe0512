// The list of tools. Declare and list a new one here.

#include "leanbridge/tools/tools.hpp"

#include <array>

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
  constexpr auto kMakers = std::to_array({
      get_dependency_graph_for_declaration,
      lean_about,
      lean_build,
      lean_certify,
      lean_check,
      lean_check_all,
      lean_check_batch,
      lean_check_type,
      lean_close,
      lean_code_actions,
      lean_completions,
      lean_declaration_file,
      lean_diagnostic_messages,
      lean_document_proofs,
      lean_document_state,
      lean_explore_get_by_id,
      lean_explore_get_dependencies,
      lean_explore_search,
      lean_extract_lemma,
      lean_file_outline,
      lean_fill,
      lean_get_widget_source,
      lean_get_widgets,
      lean_goal,
      lean_hammer_premise,
      lean_hover_info,
      lean_leanfinder,
      lean_leansearch,
      lean_local_search,
      lean_locate,
      lean_loogle,
      lean_minimal_hypotheses,
      lean_minimal_imports,
      lean_modules,
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
      lean_state_search,
      lean_step_backward,
      lean_step_forward,
      lean_sync,
      lean_term_goal,
      lean_theorem_search,
      lean_validate_step,
      lean_verify,
      lean_write_proof,
      list_declarations_for_paper,
      list_declarations_in_file,
  });
  std::vector<mcp::Tool> tools;
  tools.reserve(kMakers.size());
  for (const auto make : kMakers) tools.push_back(make(environment));
  return tools;
}

}  // namespace leanbridge::tools
