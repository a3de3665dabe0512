// The arguments and answers of lean-lsp-mcp 0.30, tool by tool: what was written for it must work here unchanged. Arguments are compared with
// tools/list (tools.test.mjs); every result that a test gets is checked against the fields (mcp-client.mjs).
import { compileToolSchema } from './mcp-schema.mjs';

const string = { type: 'string' };
const integer = { type: 'integer' };
const number = { type: 'number' };
const boolean = { type: 'boolean' };
const orNull = schema => ({ anyOf: [schema, { type: 'null' }] });
const list = items => ({ type: 'array', items });
/** These members must be present; others may be. */
const object = properties => ({ type: 'object', properties, required: Object.keys(properties) });
const optional = (schema, properties) => ({ ...schema, properties: { ...schema.properties, ...properties } });

const diagnostic = optional(object({ severity: { enum: ['error', 'warning', 'info', 'hint'] }, message: string, line: integer, column: integer }), { lean_tags: list(string) });
const range = { line: integer, column: integer, end_line: integer, end_column: integer };
const edit = object({ new_text: string, start_line: integer, start_column: integer, end_line: integer, end_column: integer });
const outlineEntry = object({ name: string, kind: string, start_line: integer, end_line: integer, type_signature: orNull(string), children: list({ $ref: '#/$defs/entry' }) });
const verdict = object({ binder: string, status: { enum: ['load-bearing', 'removable', 'error'] }, breaks: list(diagnostic), detail: string });
const goals = orNull(list({}));
const found = (...members) => object({ items: list(object(Object.fromEntries(members.map(member => [member, {}])))) });

/** name: {required, optional (arguments), answer}. `search`: of the search group. */
export const LEAN_LSP_MCP = {
  lean_file_outline: { required: ['file_path'], optional: ['max_declarations'],
    answer: { ...object({ imports: list(string), declarations: list({ $ref: '#/$defs/entry' }), total_declarations: integer }), $defs: { entry: outlineEntry } } },
  lean_diagnostic_messages: { required: ['file_path'], optional: ['start_line', 'end_line', 'declaration_name', 'severity', 'interactive', 'timeout_s'],
    answer: optional(object({ partial: boolean, still_elaborating_lines: list(list(integer)), success: boolean, timed_out: boolean, items: list(diagnostic), failed_dependencies: list(string) }), { diagnostics: list({ type: 'object' }) }) },
  // Its `complete` (no goal is left at the position) is four states here: docs/tools.md has the set.
  lean_goal: { required: ['file_path', 'line'], optional: ['column', 'format', 'timeout_s'],
    answer: optional(object({ line_context: string, status: { enum: ['goals', 'closed_here', 'proof_complete', 'sorry', 'error', 'no_goal_at_position', 'still_elaborating'] } }), { goals, goals_before: goals, goals_after: goals }) },
  lean_term_goal: { required: ['file_path', 'line'], optional: ['column'], answer: object({ line_context: string, expected_type: orNull(string) }) },
  lean_hover_info: { required: ['file_path', 'line', 'column'], optional: [], answer: object({ symbol: orNull(string), info: orNull(string), diagnostics: list(diagnostic) }) },
  lean_completions: { required: ['file_path', 'line', 'column'], optional: ['max_completions', 'resolve_details'],
    answer: object({ items: list(object({ label: string, kind: orNull(string), detail: orNull(string) })) }) },
  lean_declaration_file: { required: ['file_path', 'symbol'], optional: ['context_lines', 'full_file'],
    answer: object({ file_path: string, content: string, start_line: integer, end_line: integer, total_lines: integer }) },
  lean_references: { required: ['file_path', 'line', 'column'], optional: ['max_results'], answer: object({ items: list(object({ file_path: string, ...range })), total: integer }) },
  lean_code_actions: { required: ['file_path', 'line'], optional: [], answer: object({ actions: list(object({ title: string, is_preferred: boolean, edits: list(edit) })) }) },
  lean_get_widgets: { required: ['file_path', 'line', 'column'], optional: [], answer: object({ widgets: list({ type: 'object' }) }) },
  lean_get_widget_source: { required: ['file_path', 'javascript_hash'], optional: [], answer: object({ source: { type: 'object' } }) },
  lean_multi_attempt: { required: ['file_path', 'line', 'snippets'], optional: ['column'],
    answer: object({ items: list(object({ snippet: string, goals: list(string), diagnostics: list(diagnostic), timed_out: boolean, proof_status: string })) }) },
  lean_run_code: { required: ['code'], optional: ['timeout_s'], answer: object({ success: boolean, timed_out: boolean, diagnostics: list(diagnostic) }) },
  lean_verify: { required: ['file_path', 'theorem_name'], optional: ['scan_source'],
    answer: object({ axioms: orNull(list(string)), warnings: list(object({ line: integer, pattern: string })) }) },
  lean_minimal_hypotheses: { required: ['file_path', 'theorem_name'], optional: ['inactivity_timeout'],
    answer: object({ theorem_name: string, file: string, verdicts: list(verdict), skipped_implicit: integer }) },
  lean_profile_proof: { required: ['file_path', 'line'], optional: ['top_n', 'timeout'],
    answer: object({ ms: orNull(number), lines: list(object({ line: integer, ms: number, text: string })), categories: { type: 'object', additionalProperties: number } }) },
  lean_build: { required: [], optional: ['lean_project_path', 'clean', 'fetch_cache', 'output_lines'], answer: object({ success: boolean, output: string, errors: list(string) }) },
  lean_local_search: { required: ['query'], optional: ['limit', 'project_root'], answer: found('name', 'kind', 'file'), search: true },
  lean_leansearch: { required: ['query'], optional: ['num_results'], answer: found('name', 'module_name', 'kind', 'type'), search: true },
  lean_loogle: { required: ['query'], optional: ['num_results'], answer: found('name', 'type', 'module'), search: true },
  lean_leanfinder: { required: ['query'], optional: ['num_results', 'version'], answer: found('formal_name', 'informal_name', 'kind', 'type', 'informal_description', 'path'), search: true },
  lean_state_search: { required: ['file_path', 'line', 'column'], optional: ['num_results'], answer: found('name'), search: true },
  lean_hammer_premise: { required: ['file_path', 'line', 'column'], optional: ['num_results'], answer: found('name'), search: true },
};

/** What a client of lean-lsp-mcp would miss in this result: [text]. */
export const missingFor = (tool, structured) => (tool in LEAN_LSP_MCP ? compileToolSchema(LEAN_LSP_MCP[tool].answer)(structured) : []);
