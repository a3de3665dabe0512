// An MCP client over streamable HTTP that only measures, with the interface of mcp.mjs: one legacy session, one POST for each request.
import http from 'node:http';
import { messagesIn } from '../../tests/support/http-server.mjs';
import { Calls } from './mcp.mjs';

const DEADLINE_MS = 600_000;

/** What a request is sent to: a URL, or `unix:PATH`. */
const target = url => (url.startsWith('unix:') ? { socketPath: url.slice(5), path: '/mcp' } : (({ hostname, port, pathname }) => ({ host: hostname, port, path: pathname }))(new URL(url)));

/** The JSON-RPC message in a body of JSON or of events; undefined if there is none. */
function messageIn(type, text) {
  if (!type?.startsWith('text/event-stream')) return text ? JSON.parse(text) : undefined;
  return messagesIn(text).find(message => message.id !== undefined && !message.method);
}

export class HttpMcp extends Calls {
  #nextId = 1;

  /** @param headers  for every request, such as Authorization */
  constructor(url, { headers = {} } = {}) {
    super();
    this.url = url;
    this.agent = new http.Agent({ keepAlive: true });
    this.headers = { Host: 'localhost', 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers };
  }

  /** {status, headers, text} of one exchange. Rejects if the connection is cut. */
  send(method, body, headers = {}) {
    return new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', ...body });
      const request = http.request({ ...target(this.url), method, agent: this.agent, timeout: DEADLINE_MS, headers: { ...this.headers, ...(text === undefined ? {} : { 'Content-Length': Buffer.byteLength(text) }), ...headers } });
      request.on('error', reject).on('timeout', () => request.destroy(new Error(`no answer within ${DEADLINE_MS / 1000} s`)));
      request.on('response', response => {
        const parts = [];
        response.on('data', part => parts.push(part)).on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text: Buffer.concat(parts).toString() }));
      });
      request.end(text);
    });
  }

  async request(method, params) {
    const id = this.#nextId++;
    const { status, headers, text } = await this.send('POST', { id, method, params });
    if (status !== 200) throw Object.assign(new Error(`${method}: ${status} ${text.slice(0, 300)}`), { status });
    if (headers['mcp-session-id']) this.headers['Mcp-Session-Id'] = headers['mcp-session-id'];
    const message = messageIn(headers['content-type'], text);
    if (!message) throw new Error(`${method}: no answer in ${text.slice(0, 300)}`);
    if (message.error) throw new Error(`${message.error.code} ${message.error.message}`);
    return { result: message.result, bytes: text.length };
  }

  async connect() {
    this.server = (await this.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } })).result;
    this.headers['MCP-Protocol-Version'] = '2025-06-18';
    const { status } = await this.send('POST', { method: 'notifications/initialized' });
    if (status !== 202) throw new Error(`notifications/initialized: ${status}`);
    return this;
  }

  /** Goes away without a word. */
  drop() { this.agent.destroy(); }
  async end() {
    await this.send('DELETE').catch(() => {});
    this.drop();
  }
}
