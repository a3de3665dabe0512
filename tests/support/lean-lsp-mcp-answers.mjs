// Checks results against the fields that lean-lsp-mcp has.
import { LEAN_LSP_MCP } from './lean-lsp-mcp.mjs';
import { compileToolSchema } from './mcp-schema.mjs';

/** What a client of lean-lsp-mcp, which reads every field by its name, would miss in this result: [text]. */
export function missingFor(tool, structured) {
  if (!(tool in LEAN_LSP_MCP)) return [];
  return compileToolSchema(LEAN_LSP_MCP[tool].answer)(structured);
}
