// An MCP client that only measures: it checks nothing, so that little but the server is timed.
// (tests/support/mcp-client.mjs validates every message against a schema, which takes longer than the answer.)
import { spawn } from 'node:child_process';

const DEADLINE_MS = 600_000;   // for one request, so that a hanging benchmark ends

/** What a client asks, over whatever `request(method, params)` sends. */
export class Calls {
  /** {tools, bytes} */
  async tools() {
    const { result, bytes } = await this.request('tools/list', {});
    return { tools: result.tools, bytes };
  }

  /** {value, error, bytes, text}: `value` is the structured content, or the parsed text. */
  async call(name, args = {}) {
    const { result, bytes } = await this.request('tools/call', { name, arguments: args });
    const text = result.content?.find(block => block.type === 'text')?.text ?? '';
    if (result.isError) return { error: text, bytes, text };
    let value = result.structuredContent;
    if (value === undefined) try { value = JSON.parse(text); } catch { value = text; }
    // Results of a union type are wrapped by the framework of lean-lsp-mcp.
    if (value && typeof value === 'object' && Object.keys(value).join() === 'result') value = value.result;
    return { value, bytes, text, result };
  }

  /** The same, but throws an error of the tool. */
  async ask(name, args) {
    const answer = await this.call(name, args);
    if (answer.error !== undefined) throw new Error(`${name} ${JSON.stringify(args).slice(0, 200)}: ${answer.error}`);
    return answer;
  }
}

export class Mcp extends Calls {
  #chunks = [];
  #nextId = 1;
  #waiting = new Map();
  stderr = '';

  constructor({ command, args = [], cwd, env = {} }) {
    super();
    this.started = performance.now();
    this.process = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: 'pipe' });
    this.pid = this.process.pid;
    this.process.stdout.on('data', chunk => this.#receive(chunk));
    this.process.stderr.on('data', chunk => { this.stderr = (this.stderr + chunk).slice(-4000); });
    this.process.stdin.on('error', () => {});
    this.exited = new Promise(resolve => { this.process.once('close', resolve); this.process.once('error', resolve); });
    this.exited.then(() => {
      this.gone = true;
      for (const { reject } of this.#waiting.values()) reject(new Error(`${command} ended: ${this.stderr}`));
    });
  }

  /** The result and the length of its line in bytes. Throws a JSON-RPC error. */
  request(method, params) {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => end(reject)(new Error(`no answer to ${method} ${JSON.stringify(params).slice(0, 200)} within ${DEADLINE_MS / 1000} s`)), DEADLINE_MS);
      const end = settle => value => { clearTimeout(timer); this.#waiting.delete(id); settle(value); };
      this.#waiting.set(id, { resolve: end(resolve), reject: end(reject) });
      this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  }

  async connect() {
    this.server = (await this.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } })).result;
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    return this;
  }

  async end() {
    this.process.stdin.end();
    const timer = setTimeout(() => this.process.kill('SIGKILL'), 8000);
    await this.exited;
    clearTimeout(timer);
  }

  #receive(chunk) {
    for (let start = 0; ;) {
      const end = chunk.indexOf(10, start);
      if (end < 0) {
        if (start < chunk.length) this.#chunks.push(chunk.subarray(start));
        return;
      }
      this.#chunks.push(chunk.subarray(start, end));
      const line = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
      this.#chunks = [];
      start = end + 1;
      if (line.length) this.#take(line);
    }
  }

  #take(line) {
    const message = JSON.parse(line.toString());
    const waiting = message.method ? undefined : this.#waiting.get(message.id);
    if (message.method && message.id !== undefined) this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'not here' } })}\n`);
    if (!waiting) return;
    if (message.error) waiting.reject(new Error(`${message.error.code} ${message.error.message}`));
    else waiting.resolve({ result: message.result, bytes: line.length + 1 });
  }
}
