// How leanbridge differs from lean-lsp-mcp (lean-lsp-mcp.mjs), and which end-to-end tests check the values. docs/compatibility.md shows it.
//
// A test is "SUITE: the beginning of its name"; scripts/lib/compatibility.mjs checks that there is one.

const fallback = 'if the service cannot answer, the local index does: then source, fallback_for and problem are added';

/** tool: {differs, tests}. */
export const TOOLS = {
  lean_file_outline: { tests: ['query: lean_file_outline: imports, namespaces, types'] },
  lean_diagnostic_messages: {
    differs: 'items also have end_line, end_column; total and truncated are added; `still_elaborating_lines` is `[]`, never null; with `interactive`, items are present too; without a language server, the compiler\'s messages, with `fallback_for` and a null `version`',
    tests: ['session: lean_diagnostic_messages: filters by line, declaration and severity', 'session: errors of every kind, in order, with their ranges', 'slow: diagnostics with too little time', 'multi: an import that does not compile', 'query: interactive diagnostics'],
  },
  lean_goal: {
    differs: 'status `complete`, which there means that no goal is left at the position, is `closed_here`, `proof_complete`, `sorry` or `error` ([tools.md](tools.md#group-proof)), and present without a column, too; `format: "structured"` comes from Lean\'s interactive goals instead of splitting the text: one context entry for each name, with value, is_instance, is_inserted and is_removed where they say something; user_name is added, and a hint where there is no proof',
    tests: ['session: before a tactic, after it, and where the proof is done', 'session: a line without a column: goals before and after it', 'session: outside of a proof there is none', "session: structured goals are Lean's own"],
  },
  lean_term_goal: { tests: ['session: lean_term_goal: the expected type at a term'] },
  lean_hover_info: { differs: '`symbol` and `info` are null if there is nothing to show, which is no error', tests: ['query: lean_hover_info: signature, symbol, and null where there is nothing'] },
  lean_completions: { differs: 'total and truncated are added', tests: ['query: lean_completions: the best first, with types'] },
  lean_declaration_file: { differs: 'the symbol need not be in the file; line and column may be passed; `line` is added', tests: ['query: lean_declaration_file: the source in another file'] },
  lean_references: { differs: 'truncated and index_complete are added', tests: ['query: lean_references: declaration and uses in all files'] },
  lean_code_actions: { tests: ['query: lean_code_actions: what Try this would put there'] },
  lean_get_widgets: { tests: ['query: widgets'] },
  lean_get_widget_source: { tests: ['query: widgets'] },
  lean_multi_attempt: {
    differs: '`proof_status` is a state of a proof, as for `lean_goal`; progress, closes_goal, proof_complete, remaining_goals, uses_sorry and replaces_lines are added, and a hint where there is no proof; `goals` are those left in the snippet\'s block or, if none is, in the whole proof, and `[]` if it fails; without `verbose`, `snippet` is the first 200 bytes of a longer one, with its `number`, and hypotheses that `goal` has are counted',
    tests: ['attempts: eight attempts of which one sleeps and one loops'],
  },
  lean_run_code: { tests: ['build: lean_run_code: what the code prints, and no file', 'build: lean_run_code: an error, and a missing import', 'build: lean_run_code: a loop ends with the time'] },
  lean_verify: {
    differs: '`axioms` and `trust` are null, with a reason, where the answer to `#print axioms` cannot be relied on, which is no error (`compile: true` then reads the compiled theorem); uses_sorry and trusted are added; no ripgrep is needed, and the patterns differ',
    tests: ['build: lean_verify: axioms, from what Lean compiled', 'build: lean_verify: sorry, and words that defeat trust, outside of comments', 'axioms: through an import, and all of them', 'axioms: of mixed axioms'],
  },
  lean_minimal_hypotheses: {
    differs: 'hypothesis, type and tried are added; a hypothesis that the proof only names is `removable`, with what to change in `breaks`; `(a b : Nat)` is two binders; the file is not touched; namespaces count in `theorem_name`; after the theorem only what names it is checked again',
    tests: ['build: lean_minimal_hypotheses: needed, removable, mentioned, and skipped', 'build: lean_minimal_hypotheses: the proof does without it, but what stands below passes it', 'build: lean_minimal_hypotheses: an unproved theorem, and a missing one'],
  },
  lean_profile_proof: {
    differs: 'declaration is added; too little time gives `ms: null` with a reason, not an error; earlier declarations of the file are available',
    tests: ['build: lean_profile_proof: the slow line comes first', 'build: lean_profile_proof: not in time, and no declaration'],
  },
  lean_build: {
    differs: 'the language server keeps running; targets may be passed; items (errors with their places), known_errors, total, truncated and warning_count are added',
    tests: ['build: lean_build: everything, then nothing to do', 'build: lean_build: errors have their places, and open files go on without a restart', 'superseded-build: cancel: its caller is told so'],
  },
  lean_local_search: {
    differs: 'from an index of its own, so no ripgrep and no open file are needed and names are full; module, line, type, total, truncated, complete, similar and index_parts are added; `file` is the path of the module for a library without sources; also finds parts, words and globs',
    tests: ['search-local: a name, with kind, module and type', 'search-local: a file of the project, relative to it, with its line', 'search-local: a name that does not exist is not confirmed by others', 'search-local: warming: it is being built'],
  },
  lean_leansearch: { differs: fallback, tests: ['search: the tools of lean-lsp-mcp, field by field'] },
  lean_loogle: { differs: fallback, tests: ['search: the tools of lean-lsp-mcp, field by field'] },
  lean_leanfinder: { differs: fallback, tests: ['search: the tools of lean-lsp-mcp, field by field'] },
  lean_state_search: { differs: fallback, tests: ['search: at a goal'] },
  lean_hammer_premise: { differs: fallback, tests: ['search: at a goal'] },
};

/** Its flags here: `same` (our name for it, or its own), `differs`, `none`: why it has no effect, which the log says once, or
 * `onlyHttp`: it has one over HTTP only. */
export const FLAGS = {
  '--version': { same: '--version' },
  '--transport': { same: '--transport', differs: 'streamable-http is `serve --http`, with all its protections; sse, the transport of 2024, ends the program with exit code 2' },
  '--host': { same: '--host', differs: 'an IP address or localhost; one that other machines reach needs LEAN_LSP_MCP_TOKEN', onlyHttp: true },
  '--port': { same: '--port', onlyHttp: true },
  '--lean-project-path': { same: '--project-root', differs: 'that takes only the root' },
  '--disable-tools': { same: '--disable' },
  '--tool-descriptions': { same: '--tool-descriptions', differs: 'also takes the name of a file; unknown tools are ignored' },
  '--instructions': { same: '--instructions' },
  '--loogle-local': { same: '--loogle-local', differs: 'installs nothing ([how to build it](search.md#a-local-loogle)); without an installation for the project\'s toolchain the log says so and the service is asked. It may also be given a program' },
  '--loogle-cache-dir': { same: '--loogle-cache-dir', differs: 'the same folders by default, so one installation serves both' },
  '--repl': { none: 'attempts and snippets need no REPL' },
  '--repl-timeout': { none: 'attempts and snippets need no REPL' },
};

/** Its variables, in the same form. */
export const VARIABLES = {
  LEAN_PROJECT_PATH: { same: '--project-root' },
  LEAN_LSP_MAX_OPEN_FILES: { same: '--max-open-files', differs: '12 by default' },
  LEAN_LSP_MCP_TOKEN: { same: 'LEAN_LSP_MCP_TOKEN', differs: 'at least 16 visible ASCII characters', onlyHttp: true },
  LEAN_BUILD_CONCURRENCY: { same: '--builds', differs: 'allow: builds of one project take turns, since two at once would write the same files' },
  LEAN_LOG_FILE_CONFIG: { none: 'it is for Python; see `--log-level` and `--log-file`' },
  LEAN_LOG_LEVEL: { same: '--log-level', differs: 'warning by default' },
  LEAN_MCP_DISABLED_TOOLS: { same: '--disable' },
  LEAN_MCP_TOOL_DESCRIPTIONS: { same: '--tool-descriptions', differs: 'unknown tools are ignored' },
  LEAN_MCP_INSTRUCTIONS: { same: '--instructions' },
  LEAN_MCP_PREWARM_FILES: { same: '--prewarm' },
  LEAN_MCP_SCRATCH_SLOTS: { same: '--max-scratch-workers', differs: '3 by default' },
  LEAN_MCP_MAX_OUTPUT_CHARS: { same: '--max-output-chars', differs: 'it covers every text of an answer, and `verbose: true` lifts it for one call' },
  LEAN_LOOGLE_LOCAL: { same: '--loogle-local' },
  LEAN_LOOGLE_CACHE_DIR: { same: '--loogle-cache-dir' },
  LOOGLE_URL: { same: '--loogle-url' },
  LOOGLE_HEADERS: { same: '--loogle-headers' },
  LEAN_FINDER_URL: { same: '--leanfinder-url' },
  LEAN_HAMMER_URL: { same: '--hammer-url' },
  LEAN_REPL: { none: 'attempts and snippets need no REPL' },
  LEAN_REPL_PATH: { none: 'attempts and snippets need no REPL' },
  LEAN_REPL_TIMEOUT: { none: 'attempts and snippets need no REPL' },
  LEAN_REPL_MEM_MB: { none: 'attempts and snippets need no REPL' },
};
