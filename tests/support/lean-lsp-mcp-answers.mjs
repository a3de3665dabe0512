// Checks results against the fields that lean-lsp-mcp has.
import { LEAN_LSP_MCP } from './lean-lsp-mcp.mjs';
import { compileToolSchema } from './mcp-schema.mjs';

/** What a client of lean-lsp-mcp would miss in this result: [text]. */
export const missingFor = (tool, structured) => (tool in LEAN_LSP_MCP ? compileToolSchema(LEAN_LSP_MCP[tool].answer)(structured) : []);
