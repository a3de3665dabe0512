// The list of the core's tools. Declare and list a new one here.

#include "tools.hpp"

namespace leanbridge::tools {

using MakeTool = mcp::Tool(Environment&);
MakeTool lean_about, lean_build, lean_check, lean_check_all, lean_check_type, lean_close, lean_code_actions,
    lean_completions, lean_declaration_file, lean_diagnostic_messages, lean_document_proofs,
    lean_document_state, lean_extract_lemma, lean_file_outline, lean_fill, lean_get_widget_source,
    lean_get_widgets, lean_goal, lean_hover_info, lean_locate, lean_minimal_hypotheses, lean_minimal_imports,
    lean_multi_attempt, lean_open, lean_print, lean_profile_proof, lean_references, lean_rename, lean_reset,
    lean_run_code, lean_search, lean_server_health, lean_step_backward, lean_step_forward, lean_sync,
    lean_term_goal, lean_validate_step, lean_verify, lean_write_proof;

namespace {

template <class... Make>
std::vector<mcp::Tool> made_by(Environment& environment, Make&... make) {
  std::vector<mcp::Tool> tools;
  tools.reserve(sizeof...(make));
  (tools.push_back(make(environment)), ...);
  return tools;
}

}  // namespace

std::vector<mcp::Tool> all_tools(Environment& environment) {
  return made_by(environment, lean_about, lean_build, lean_check, lean_check_all, lean_check_type, lean_close,
                 lean_code_actions, lean_completions, lean_declaration_file, lean_diagnostic_messages,
                 lean_document_proofs, lean_document_state, lean_extract_lemma, lean_file_outline, lean_fill,
                 lean_get_widget_source, lean_get_widgets, lean_goal, lean_hover_info, lean_locate,
                 lean_minimal_hypotheses, lean_minimal_imports, lean_multi_attempt, lean_open, lean_print,
                 lean_profile_proof, lean_references, lean_rename, lean_reset, lean_run_code, lean_search,
                 lean_server_health, lean_step_backward, lean_step_forward, lean_sync, lean_term_goal,
                 lean_validate_step, lean_verify, lean_write_proof);
}

}  // namespace leanbridge::tools
