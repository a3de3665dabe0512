// Remote MCP servers for tests: started in this process on a free port of this machine, or from npm.
import { spawn } from 'node:child_process';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from './free-port.mjs';

const e2e = path.resolve(import.meta.dirname, '../e2e');
const require = createRequire(path.join(e2e, 'package.json'));
const load = name => import(pathToFileURL(require.resolve(name)).href);

async function listening(handler) {
  const server = http.createServer(handler);
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${server.address().port}`, close() { server.closeAllConnections(); return new Promise(resolve => server.close(resolve)); } };
}

async function bodyOf(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

/** server-everything with its own HTTP: kind is streamableHttp or sse. */
export async function everything(kind) {
  const port = await freePort();
  const child = spawn(process.execPath, [path.join(e2e, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), kind], { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] });
  await new Promise((resolve, reject) => {
    child.once('exit', code => reject(new Error(`server-everything ended with ${code}`)));
    child.stderr.on('data', chunk => { if (/running on port|listening on port/.test(chunk)) resolve(); });
  });
  return { url: `http://127.0.0.1:${port}/${kind === 'sse' ? 'sse' : 'mcp'}`, async close() { child.kill('SIGKILL'); await new Promise(resolve => child.once('close', resolve)); } };
}

/** A modern server made with the official SDK, over HTTP; `requests` records the received headers. */
export async function modernHttp() {
  const { McpServer, createMcpHandler } = await load('@modelcontextprotocol/server');
  const { z } = await load('zod');
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'modern-http', version: '2' }, { capabilities: { tools: {} } });
    server.registerTool('greet «x₁»', { description: 'Greets.', inputSchema: z.object({ name: z.string().meta({ 'x-mcp-header': 'Who' }) }) }, async ({ name }) => ({ content: [{ type: 'text', text: `Hello, ${name}!` }] }));
    server.registerTool('hang', { description: 'Hangs.', inputSchema: z.object({}) }, async (_, context) => new Promise(resolve => context.mcpReq.signal.addEventListener('abort', () => { aborted.count++; resolve({ content: [] }); })));
    return server;
  }, { legacy: 'reject' });
  const requests = [], aborted = { count: 0 };
  const listener = await listening(async (request, response) => {
    requests.push(request.headers);
    const controller = new AbortController();
    response.on('close', () => controller.abort());
    const body = request.method === 'POST' ? await bodyOf(request) : undefined;
    const answer = await handler.fetch(new Request(`http://${request.headers.host}${request.url}`, { method: request.method, headers: request.headers, body, signal: controller.signal }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) for await (const chunk of answer.body) response.write(chunk);
    response.end();
  });
  return { ...listener, requests, aborted };
}

const describe = name => ({ name, inputSchema: { type: 'object' } });

/**
 * A hand-written legacy streamable HTTP server. `state` may be changed while it runs:
 * {sessions: Set, requests: [{method, headers, message}], refuse: status for everything, json: answers as JSON, tools: [...],
 * redirect: [status, address] for calls of tools}.
 * By the arguments of a call, {do: "poll" | "big" | "forget" | "cut" | "hang" | "redirect"}.
 */
export async function legacyHttp(options = {}) {
  const state = { sessions: new Set(), requests: [], tools: ['echo'], streams: new Set(), late: new Map(), ...options };
  let next = 1;
  const listener = await listening(async (request, response) => {
    const text = await bodyOf(request);
    const message = text ? JSON.parse(text) : undefined;
    state.requests.push({ method: request.method, headers: request.headers, message });
    const end = (status, body, headers = {}) => { response.writeHead(status, { 'content-type': 'application/json', ...headers }); response.end(body === undefined ? '' : JSON.stringify(body)); };
    if (state.refuse) return end(state.refuse, undefined, state.refuse === 401 ? { 'www-authenticate': 'Bearer' } : {});
    const session = request.headers['mcp-session-id'];
    const initialize = message?.method === 'initialize';
    if (message?.method === 'server/discover') return end(400, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request: no session' } });
    if (state.redirect && message?.method === 'tools/call') return end(state.redirect[0], undefined, { location: state.redirect[1] });
    if (!initialize && !state.sessions.has(session)) return end(404, { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } });
    if (request.method === 'DELETE') { state.sessions.delete(session); return end(200); }
    const stream = (headers = {}) => { response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }); return (data, id) => response.write(`${id ? `id: ${id}\n` : ''}data: ${data === undefined ? '' : JSON.stringify(data)}\n\n`); };
    if (request.method === 'GET') {
      const id = request.headers['last-event-id'];
      const event = stream();
      if (id && state.late.has(id)) { event({ jsonrpc: '2.0', ...state.late.get(id) }, `${id}-end`); return response.end(); }
      state.streams.add(event);
      response.on('close', () => state.streams.delete(event));
      return response.flushHeaders();
    }
    if (message.id === undefined || !message.method) return end(202);
    const { id, method, params } = message;
    const answer = result => (state.json ? end(200, { jsonrpc: '2.0', id, result }) : (stream()({ jsonrpc: '2.0', id, result }), response.end()));
    if (initialize) {
      const mine = `session-${next++}`;
      state.sessions.add(mine);
      return end(200, { jsonrpc: '2.0', id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'legacy-http', version: '1' } } }, { 'mcp-session-id': mine });
    }
    if (method === 'tools/list') return answer({ tools: state.tools.map(describe) });
    const args = params?.arguments ?? {};
    const result = { content: [{ type: 'text', text: JSON.stringify(args) }] };
    switch (args.do) {
      case 'poll': {   // sends an event with an id, closes the connection, and sends the rest to the client that resumes
        const event = stream();
        response.write(`id: e${id}\nretry: 20\ndata:\n\n`);
        state.late.set(`e${id}`, { id, result });
        void event;
        return response.end();
      }
      case 'cut': stream(); response.write(': nothing\n\n'); return setTimeout(() => response.destroy(), 20);
      case 'big': return answer({ content: [{ type: 'text', text: 'x'.repeat(args.bytes) }] });
      case 'hang': stream(); return response.flushHeaders();
      case 'forget': state.sessions.clear(); return answer(result);
      case 'ask': {   // a request from the server before the answer, in the same stream
        const event = stream();
        event({ jsonrpc: '2.0', id: 's1', method: 'ping' });
        event({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: params._meta?.progressToken, progress: 1 } });
        event({ jsonrpc: '2.0', id, result });
        return response.end();
      }
      default: return answer(result);
    }
  });
  return { ...listener, state, tell(message) { for (const event of state.streams) event({ jsonrpc: '2.0', ...message }); } };
}

/** A hand-written HTTP+SSE server: GET /sse opens the stream; `endpoint` is the address it gives for messages. */
export async function legacySse({ endpoint = '/messages?s=1' } = {}) {
  const state = { posts: 0, streams: new Set() };
  const listener = await listening(async (request, response) => {
    const body = await bodyOf(request);
    if (request.method === 'GET' && request.url === '/sse') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
      state.streams.add(response);
      return response.on('close', () => state.streams.delete(response));
    }
    if (request.method !== 'POST' || !request.url.startsWith('/messages')) { response.writeHead(request.method === 'POST' ? 405 : 404); return response.end(); }
    state.posts++;
    const { id, method, params } = JSON.parse(body);
    response.writeHead(202);
    response.end('Accepted');
    const result = { initialize: () => ({ protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'sse', version: '1' } }), 'tools/list': () => ({ tools: [describe('echo')] }), 'tools/call': () => ({ content: [{ type: 'text', text: JSON.stringify(params.arguments) }] }) }[method];
    if (id !== undefined && result) for (const stream of state.streams) stream.write(`event: message\r\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result: result() })}\r\n\r\n`);
  });
  return { ...listener, state };
}
