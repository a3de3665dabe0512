// Checks results against the fields that lean-lsp-mcp has.
import { LEAN_LSP_MCP } from './lean-lsp-mcp.mjs';
import { compileToolSchema } from './mcp-schema.mjs';

/** What an answer leaves out where it would say nothing (docs/tools.md), and what its absence says. */
const EMPTY = { imports: [], goals: [], partial: false, timed_out: false, still_elaborating_lines: [], failed_dependencies: [], diagnostics: [], children: [], warnings: [], kind: null, detail: null,
  total_declarations: 0 };   // absent: as many as there are

/** The value with what it leaves out, as far as the schema asks for it. */
function filled(schema, value, root = schema) {
  const { type, properties = {}, required = [], items, anyOf, $ref } = schema;
  if ($ref) return filled(root.$defs[$ref.split('/').at(-1)], value, root);
  if (anyOf) return anyOf.reduce((whole, one) => filled(one, whole, root), value);
  if (type === 'array' && Array.isArray(value) && items) return value.map(item => filled(items, item, root));
  if (type !== 'object' || !value || typeof value !== 'object' || Array.isArray(value)) return value;
  const whole = { ...value };
  for (const name of required) if (!(name in whole) && name in EMPTY) whole[name] = EMPTY[name];
  for (const [name, one] of Object.entries(properties)) if (name in whole) whole[name] = filled(one, whole[name], root);
  return whole;
}

/** What a client of lean-lsp-mcp would miss in this result: [text]. */
export function missingFor(tool, structured) {
  if (!(tool in LEAN_LSP_MCP)) return [];
  const { answer } = LEAN_LSP_MCP[tool];
  return compileToolSchema(answer)(filled(answer, structured));
}
