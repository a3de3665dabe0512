// The facts about lean-lsp-mcp 0.32: its tools with their arguments and answers, its flags, its variables. Whatever was written for it must work
// here unchanged. tools.test.mjs compares the arguments with tools/list; mcp-client.mjs checks the fields of every result that a test gets;
// compatibility.test.mjs starts a session with every flag and variable. scripts/lib/compatibility.mjs makes docs/compatibility.md from this file
// and compatibility-notes.mjs, and compares the facts with an unpacked lean-lsp-mcp.

const string = { type: 'string' };
const integer = { type: 'integer' };
const number = { type: 'number' };
const boolean = { type: 'boolean' };
const orNull = schema => ({ anyOf: [schema, { type: 'null' }] });
const list = items => ({ type: 'array', items });
/** These members must be present; others may be. */
const object = properties => ({ type: 'object', properties, required: Object.keys(properties) });
const optional = (schema, properties) => ({ ...schema, properties: { ...schema.properties, ...properties } });

const diagnostic = optional(object({ severity: { enum: ['error', 'warning', 'info', 'hint'] }, message: string, line: integer, column: integer }), { lean_tags: list(string), category: string, hint: string });
const range = { line: integer, column: integer, end_line: integer, end_column: integer };
const edit = object({ new_text: string, start_line: integer, start_column: integer, end_line: integer, end_column: integer });
const outlineEntry = object({ name: string, kind: string, start_line: integer, end_line: integer, type_signature: orNull(string), children: list({ $ref: '#/$defs/entry' }) });
const verdict = object({ binder: string, status: { enum: ['load-bearing', 'removable', 'error'] }, breaks: list(diagnostic), detail: string });
const structuredGoal = object({ context: list(object({ name: string, type: string })), goal: orNull(string), status: { enum: ['open', 'complete', 'unknown'] }, pretty: string });
const goals = orNull(list({ anyOf: [string, structuredGoal] }));
const found = (...members) => object({ items: list(object(Object.fromEntries(members.map(member => [member, {}])))) });

/** name: {required, optional (arguments), answer}. `search`: of the search group; `until`: the last version that had it. */
export const LEAN_LSP_MCP = {
  lean_file_outline: { required: ['file_path'], optional: ['max_declarations'],
    answer: { ...object({ imports: list(string), declarations: list({ $ref: '#/$defs/entry' }), total_declarations: integer }), $defs: { entry: outlineEntry } } },
  lean_diagnostic_messages: { required: ['file_path'], optional: ['start_line', 'end_line', 'declaration_name', 'severity', 'interactive', 'timeout_s'],
    answer: optional(object({ partial: boolean, still_elaborating_lines: list(list(integer)), success: boolean, timed_out: boolean, items: list(diagnostic), failed_dependencies: list(string) }), { diagnostics: list({ type: 'object' }) }) },
  // Its `complete` (no goal is left at the position) corresponds to four states here, which docs/tools.md lists.
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
  lean_run_code: { required: ['code'], optional: [], answer: object({ success: boolean, timed_out: boolean, diagnostics: list(diagnostic) }) },
  lean_verify: { required: ['file_path', 'theorem_name'], optional: ['scan_source'],
    answer: optional(object({ axioms: orNull(list(string)), warnings: list(object({ line: integer, pattern: string })) }), { trust: orNull({ enum: ['standard', 'incomplete', 'native', 'custom'] }), non_standard_axioms: list(string) }) },
  lean_minimal_hypotheses: { required: ['file_path', 'theorem_name'], optional: ['inactivity_timeout'],
    answer: object({ theorem_name: string, file: string, verdicts: list(verdict), skipped_implicit: integer }) },
  lean_profile_proof: { required: ['file_path', 'line'], optional: ['top_n', 'timeout'],
    answer: object({ ms: orNull(number), lines: list(object({ line: integer, ms: number, text: string })), categories: { type: 'object', additionalProperties: number } }) },
  lean_build: { required: [], optional: ['lean_project_path', 'clean', 'fetch_cache', 'output_lines'], answer: object({ success: boolean, output: string, errors: list(string) }) },
  lean_local_search: { required: ['query'], optional: ['limit', 'project_root'],
    answer: object({ ...found('name', 'kind', 'file').properties, index: { enum: ['consulted', 'warming', 'unavailable', 'error'] } }), search: true },
  lean_leansearch: { required: ['query'], optional: ['num_results'], answer: found('name', 'module_name', 'kind', 'type'), search: true },
  lean_loogle: { required: ['query'], optional: ['num_results'], answer: found('name', 'type', 'module'), search: true },
  lean_leanfinder: { required: ['query'], optional: ['num_results', 'version'], answer: found('formal_name', 'informal_name', 'kind', 'type', 'informal_description', 'path'), search: true },
  lean_state_search: { required: ['file_path', 'line', 'column'], optional: ['num_results'], answer: found('name'), search: true, until: '0.30' },
  lean_hammer_premise: { required: ['file_path', 'line', 'column'], optional: ['num_results'], answer: found('name'), search: true },
};

/** flag: {value (an example of what it takes), meaning}. */
export const FLAGS = {
  '--version': { short: '-v', meaning: 'prints the version and ends' },
  '--transport': { value: 'stdio', meaning: 'stdio (default), streamable-http or sse' },
  '--host': { value: '127.0.0.1', meaning: 'where to listen, for HTTP' },
  '--port': { value: '8000', meaning: 'where to listen, for HTTP' },
  '--lean-project-path': { value: 'PROJECT', meaning: 'the root of the project, or any path in it' },
  '--disable-tools': { value: 'lean_build,lean_run_code', meaning: 'tools to leave out' },
  '--tool-descriptions': { value: '{"lean_goal":"Goals."}', meaning: 'a JSON object from tool names to descriptions' },
  '--instructions': { value: 'Prove.', meaning: 'replaces the instructions' },
  '--loogle-local': { meaning: 'installs Loogle and asks it instead of the service' },
  '--loogle-cache-dir': { value: 'FOLDER', meaning: 'where Loogle is installed' },
  '--repl': { meaning: 'attempts and snippets in a REPL' },
  '--repl-timeout': { value: '60', meaning: 'seconds for a command of the REPL' },
};

/** variable: {value (an example), meaning}. `internal`: not a setting for users. */
export const VARIABLES = {
  LEAN_PROJECT_PATH: { value: 'PROJECT', meaning: 'the root of the project' },
  LEAN_LSP_MAX_OPEN_FILES: { value: '4', meaning: 'files open at once (4)' },
  LEAN_LSP_MCP_TOKEN: { value: 'secret', meaning: 'what a client must send, for HTTP' },
  LEAN_BUILD_CONCURRENCY: { value: 'share', meaning: 'allow (default), cancel or share: what a build does to one that runs' },
  LEAN_LOG_FILE_CONFIG: { value: 'logging.ini', meaning: "a configuration file of Python's logging" },
  LEAN_LOG_LEVEL: { value: 'INFO', meaning: 'the log level (INFO); NONE for none' },
  LEAN_MCP_DISABLED_TOOLS: { value: 'lean_build', meaning: 'tools to leave out' },
  LEAN_MCP_TOOL_DESCRIPTIONS: { value: '{"lean_goal":"Goals."}', meaning: 'a JSON object from tool names to descriptions' },
  LEAN_MCP_INSTRUCTIONS: { value: 'Prove.', meaning: 'replaces the instructions' },
  LEAN_MCP_PREWARM_FILES: { value: 'A.lean', meaning: 'files to elaborate at the start' },
  LEAN_MCP_SCRATCH_SLOTS: { value: '2', meaning: 'attempts at once (1)' },
  LEAN_MCP_MAX_OUTPUT_CHARS: { value: '6000', meaning: 'the longest goal or message (6000); 0 for no limit' },
  LEAN_LOOGLE_LOCAL: { value: 'true', meaning: '--loogle-local' },
  LEAN_LOOGLE_CACHE_DIR: { value: 'FOLDER', meaning: '--loogle-cache-dir' },
  LOOGLE_URL: { value: 'http://127.0.0.1:9', meaning: 'the Loogle service' },
  LOOGLE_HEADERS: { value: '{"X-Key":"k"}', meaning: 'headers for it, as a JSON object' },
  LEAN_FINDER_URL: { value: 'http://127.0.0.1:9', meaning: 'the Lean Finder service' },
  LEAN_HAMMER_URL: { value: 'http://127.0.0.1:9', meaning: 'the premise service' },
  LEAN_REPL: { value: 'true', meaning: '--repl' },
  LEAN_REPL_PATH: { value: '/nowhere/repl', meaning: 'the program of the REPL' },
  LEAN_REPL_TIMEOUT: { value: '60', meaning: '--repl-timeout' },
  LEAN_REPL_MEM_MB: { value: '16384', meaning: 'memory of the REPL' },
  LEAN_LSP_TEST_MODE: { internal: true, meaning: 'for its own tests' },
  LEAN_LSP_MCP_ACTIVE_TRANSPORT: { internal: true, meaning: 'set by its command line' },
};
