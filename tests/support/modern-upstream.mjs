// A modern server over stdio, made with the official SDK.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(path.resolve(import.meta.dirname, '../e2e/package.json'));
const load = name => import(pathToFileURL(require.resolve(name)).href);
const { McpServer } = await load('@modelcontextprotocol/server');
const { serveStdio } = await load('@modelcontextprotocol/server/stdio');
const { z } = await load('zod');

serveStdio(() => {
  const server = new McpServer({ name: 'modern', version: '2' }, { capabilities: { tools: { listChanged: true }, prompts: {} } });
  server.registerTool('greet', { description: 'Greets somebody.', inputSchema: z.object({ name: z.string() }) }, async ({ name }) => ({ content: [{ type: 'text', text: `Hello, ${name}!` }] }));
  server.registerTool('steps', { description: 'Tells its progress.', inputSchema: z.object({}) }, async (_, context) => {
    const token = context.mcpReq?._meta?.progressToken;
    for (let i = 1; i <= 3; i++) await context.mcpReq.notify({ method: 'notifications/progress', params: { progressToken: token, progress: i, total: 3 } });
    return { content: [{ type: 'text', text: `token ${typeof token}` }] };
  });
  server.registerTool('grow', { description: 'Adds a tool.', inputSchema: z.object({}) }, async () => {
    server.registerTool('grown', { description: 'New.', inputSchema: z.object({}) }, async () => ({ content: [{ type: 'text', text: 'I am new' }] }));
    return { content: [{ type: 'text', text: 'grown' }] };
  });
  server.registerPrompt('ask', { description: 'Asks.', argsSchema: z.object({ about: z.string() }) }, ({ about }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `What of ${about}?` } }] }));
  return server;
}, { legacy: 'reject' });
