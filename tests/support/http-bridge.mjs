// An HTTP endpoint in front of a server on stdio, for tests only: the official conformance suite speaks only HTTP.
//
// Each legacy session has a child of its own; all modern requests share one, as a host's would. This bridge implements the HTTP
// transport (sessions, status codes, headers that mirror the message, Host and Origin), so checks of that say nothing about the server.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import readline from 'node:readline';

const META = 'io.modelcontextprotocol/';
const NAMED = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };
const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;
const isResponse = message => message.method === undefined && message.id !== undefined;
const statusOf = ({ error }) => (!error ? 200 : error.code === -32601 ? 404 : error.code === -32602 || (error.code <= -32020 && error.code >= -32022) ? 400 : 200);

/** A pending answer: JSON if the response comes first, a stream of events if anything else does. */
class Answer {
  constructor(response, { id, token, modern, headers = {} }) {
    Object.assign(this, { response, id, token, modern, headers, over: false });
  }
  event(message) {
    if (!this.response.headersSent) this.response.writeHead(200, { 'Content-Type': 'text/event-stream', ...this.headers });
    this.response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }
  end(message) {
    this.over = true;
    if (!this.response.headersSent) {
      this.response.writeHead(this.modern ? statusOf(message) : 200, { 'Content-Type': 'application/json', ...this.headers });
      return this.response.end(JSON.stringify(message));
    }
    this.event(message);
    this.response.end();
  }
}

/** A child and its pending requests. Ids are remapped, since those of different HTTP clients are not unique. */
class Child {
  constructor({ command, args, env, log }) {
    this.open = new Map(); // by our id
    this.next = 1;
    this.stream = null; // of a GET: what the server sends unasked
    this.process = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.exit = new Promise(resolve => this.process.once('close', (code, signal) => resolve({ code, signal })));
    this.process.stderr.on('data', chunk => log(String(chunk)));
    this.process.stdin.on('error', () => {});
    readline.createInterface({ input: this.process.stdout }).on('line', line => this.receive(JSON.parse(line)));
    this.exit.then(() => { for (const answer of this.open.values()) answer.response.destroy(); this.stream?.end(); });
  }
  send(message) { this.process.stdin.write(`${JSON.stringify(message)}\n`); }
  ask(message, answer) {
    const id = this.next++;
    this.open.set(id, answer);
    answer.response.once('close', () => {
      this.open.delete(id);
      // Modern: closing the stream is the cancellation. Legacy: it means nothing.
      if (!answer.over && answer.modern) this.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    });
    this.send({ ...message, id });
  }
  tell(message) {
    if (message.method === 'notifications/cancelled') {
      const found = [...this.open].find(([, answer]) => answer.id === message.params?.requestId);
      if (!found) return;
      message = { ...message, params: { ...message.params, requestId: found[0] } };
    }
    this.send(message);
  }
  receive(message) {
    if (isResponse(message)) {
      const answer = this.open.get(message.id);
      this.open.delete(message.id);
      if (answer) answer.end({ ...message, id: answer.id });
      return;
    }
    const subscription = message.params?._meta?.[`${META}subscriptionId`];
    const open = [...this.open.values()];
    if (subscription !== undefined) {
      const answer = this.open.get(subscription);
      answer?.event({ ...message, params: { ...message.params, _meta: { ...message.params._meta, [`${META}subscriptionId`]: answer.id } } });
    } else if (message.params?.progressToken !== undefined) {
      open.find(answer => answer.token === message.params.progressToken)?.event(message);
    } else if (open.length) {
      open.at(-1).event(message);
    } else {
      this.stream?.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    }
  }
  async end() {
    this.process.stdin.end();
    const late = setTimeout(() => this.process.kill('SIGKILL'), 3000);
    const { code } = await this.exit;
    clearTimeout(late);
    return code;
  }
}

const body = request => new Promise((resolve, reject) => {
  let text = '';
  request.setEncoding('utf8').on('data', chunk => { text += chunk; }).on('end', () => resolve(text)).on('error', reject);
});
const refuse = (response, status, code, message, id) => {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: { code, message } }));
};
const decoded = value => /^=\?base64\?.*\?=$/.test(value) ? Buffer.from(value.slice(9, -2), 'base64').toString('utf8') : value;

/** How a modern request's headers contradict its body, or null. */
function mismatch(headers, message) {
  const version = message.params?._meta?.[`${META}protocolVersion`];
  if (!headers['mcp-protocol-version']) return 'MCP-Protocol-Version is missing';
  if (version !== undefined && version !== headers['mcp-protocol-version']) return 'MCP-Protocol-Version is another than that of the message';
  if (headers['mcp-method'] !== message.method) return 'Mcp-Method is another than that of the message';
  const named = NAMED[message.method];
  if (named && decoded(headers['mcp-name'] ?? '') !== message.params?.[named]) return 'Mcp-Name is another than that of the message';
  return null;
}

/**
 * Serves http://127.0.0.1:PORT/mcp: {url, stderr(), close()}. close() ends all children and returns their exit codes.
 * @param server {command, args, env} of the program behind it
 */
export async function httpBridge({ command, args = [], env = process.env }) {
  let stderr = '';
  const log = text => { stderr = (stderr + text).slice(-20_000); };
  const start = () => new Child({ command, args, env, log });
  const sessions = new Map();
  const codes = [];
  let modern = null;

  async function post(request, response) {
    const text = await body(request);
    let message;
    try { message = JSON.parse(text); } catch { return refuse(response, 400, -32700, 'not JSON'); }
    const session = request.headers['mcp-session-id'];
    const isModern = message.params?._meta?.[`${META}protocolVersion`] !== undefined || (!session && message.method !== 'initialize');
    if (isModern) {
      const wrong = mismatch(request.headers, message);
      if (wrong) return refuse(response, 400, -32020, wrong, message.id);
      modern ??= start();
      return modern.ask(message, new Answer(response, { id: message.id, token: message.params?._meta?.progressToken, modern: true }));
    }
    let child = sessions.get(session);
    let headers = {};
    if (!session) {
      const id = randomUUID();
      child = start();
      sessions.set(id, child);
      headers = { 'Mcp-Session-Id': id };
    }
    if (!child) return refuse(response, 404, -32600, 'no such session', message.id);
    if (message.method === undefined || message.id === undefined) {
      child.tell(message);
      return response.writeHead(202).end();
    }
    child.ask(message, new Answer(response, { id: message.id, token: message.params?._meta?.progressToken, modern: false, headers }));
  }

  const server = http.createServer(async (request, response) => {
    const origin = request.headers.origin;
    if (!LOCAL.test(request.headers.host ?? '') || (origin && !LOCAL.test(origin.replace(/^https?:\/\//, '')))) return refuse(response, 403, -32600, 'not from this machine');
    if (request.method === 'POST') return post(request, response);
    const session = request.headers['mcp-session-id'];
    const child = sessions.get(session);
    if (!session) return response.writeHead(405).end();
    if (!child) return response.writeHead(404).end();
    if (request.method === 'GET') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
      child.stream = response;
      response.once('close', () => { if (child.stream === response) child.stream = null; });
    } else if (request.method === 'DELETE') {
      sessions.delete(session);
      codes.push(await child.end());
      response.writeHead(204).end();
    } else {
      response.writeHead(405).end();
    }
  });
  server.keepAliveTimeout = 300_000; // a connection must not close while a client relies on it, however slow the machine is
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    stderr: () => stderr,
    async close() {
      server.closeAllConnections();
      server.close();
      for (const child of [...sessions.values(), ...(modern ? [modern] : [])]) codes.push(await child.end());
      return codes;
    },
  };
}
