// What tests/support/soak.mjs drives `leanbridge serve --http` with: an McpClient as far as it needs one, whose calls go over several sessions
// and single requests, with cut connections, resumed streams, slow readers, and sessions that end in the middle.
import { setTimeout as sleep } from 'node:timers/promises';
import { binary, cacheFolder } from './bridge.mjs';
import { exchange, lastEventIn, messagesIn, modern, startHttpServer } from './http-server.mjs';
import { assertGone, descendants, survivors } from './processes.mjs';

const SESSIONS = 3;
const OWN_TOOL = /^lean_/;

export class HttpAgents {
  #server;
  #nextId = 1;
  #sessions = [];
  messages = [];
  violations = [];   // breaches of the protocol by the server
  exit = undefined;
  counts = new Map();

  constructor({ project, lake, env = {}, random }) {
    this.start = () => startHttpServer(binary, {
      args: ['serve', '--http', '127.0.0.1:0', '--project-root', project, '--lake', lake],
      env: { ...process.env, LEAN_PROJECT_PATH: '', LEAN_MCP_DISABLED_TOOLS: '', LEAN_LOG_LEVEL: '', LEANBRIDGE_CACHE_DIR: cacheFolder(), LEANBRIDGE_DUMPABLE: '1', ...env }, cwd: project,
    });
    this.random = random;
  }
  get pid() { return this.#server.pid; }
  tail() { return `\n${this.#server?.stderr().slice(-2000)}`; }
  descendants() { return descendants(this.pid); }
  #count(what) { this.counts.set(what, (this.counts.get(what) ?? 0) + 1); }

  async connect() {
    this.#server = await this.start();
    this.#server.exit.then(exit => { this.exit = exit; });
    while (this.#sessions.length < SESSIONS) this.#sessions.push(await this.#open());
    // Nobody ever reads these.
    for (const headers of this.#sessions) exchange(this.#server.url, { method: 'GET', headers, opened: response => response.pause() }).catch(() => {});
  }
  async listTools() { return (await this.#post(this.#sessions[0], { id: this.#nextId++, method: 'tools/list' })).message.result.tools; }

  async #open() {
    const { status, headers } = await exchange(this.#server.url, { body: { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'soak', version: '1' } } } });
    if (status !== 200) throw new Error(`initialize: ${status}`);
    const session = { 'Mcp-Session-Id': headers['mcp-session-id'], 'MCP-Protocol-Version': '2025-11-25' };
    await exchange(this.#server.url, { headers: session, body: { method: 'notifications/initialized' } });
    return session;
  }
  async #end(session) {
    const { status } = await exchange(this.#server.url, { method: 'DELETE', headers: session });
    if (status !== 204) this.violations.push(`DELETE: ${status}`);
  }

  /** {status, message}: the answer in a whole exchange. */
  async #post(headers, body, opened) {
    const { status, headers: back, text } = await exchange(this.#server.url, { headers, body, opened });
    const message = back['content-type'] === 'text/event-stream' ? messagesIn(text).find(({ id }) => id === body.id) : text ? JSON.parse(text) : undefined;
    return { status, message, text };
  }

  // --- ways of asking

  async #plain(params) { return (await this.#post(this.random.pick(this.#sessions), { id: this.#nextId++, method: 'tools/call', params })).message; }
  async #modern(params, cut) {
    const { headers, body } = modern({ id: this.#nextId++, method: 'tools/call', params });
    return (await this.#post(headers, body, (_, request) => cut?.(request))).message;
  }
  async #slowly(params) {
    const read = async response => { response.pause(); await sleep(this.random.below(400)); response.resume(); };
    return (await this.#post(this.random.pick(this.#sessions), { id: this.#nextId++, method: 'tools/call', params }, read)).message;
  }
  /** Loses the connection, at once or when events begin, and asks for the rest, or again if it does not know what to ask for. */
  async #cutOff(params) {
    const session = this.random.pick(this.#sessions), id = this.#nextId++;
    const early = this.random.chance(0.3);
    let text = () => '';
    const opened = (response, request, received) => {
      text = received;
      response.on('data', () => { if (!early && lastEventIn(received())) request.destroy(); });
    };
    const sent = async request => { if (early) { await sleep(this.random.below(20)); request.destroy(); } };
    const asked = await exchange(this.#server.url, { headers: session, body: { id, method: 'tools/call', params }, sent, opened }).catch(() => undefined);
    const whole = asked && !asked.headers['content-type']?.startsWith('text/event-stream') && asked.text.endsWith('}') ? JSON.parse(asked.text) : undefined;
    const found = whole ?? messagesIn(text()).find(message => message.id === id);
    if (found) return found;
    for (let last = lastEventIn(text()); last;) {
      this.#count('resumed');
      const { status, text: rest } = await exchange(this.#server.url, { method: 'GET', headers: { ...session, 'Last-Event-ID': last } });
      const answer = messagesIn(rest).find(message => message.id === id);
      if (answer) return answer;
      if (status !== 200) { this.violations.push(`a stream cannot be resumed after ${last}: ${status} ${rest}`); break; }
      last = lastEventIn(rest) ?? last;
    }
    this.#count('asked again');
    return this.#plain(params);
  }
  /** In a session of its own; another call of it is still under way when it ends. */
  async #ownSession(params) {
    const session = await this.#open();
    const { message } = await this.#post(session, { id: 1, method: 'tools/call', params });
    const left = this.#post(session, { id: 2, method: 'tools/call', params }).catch(() => {});
    await this.#end(session);
    await left;
    this.#count('session ended');
    return message;
  }

  /** As McpClient.call: {structured, error, text}. */
  async call(tool, args, { signal, timeoutMs = 20_000 } = {}) {
    const params = { name: tool, arguments: OWN_TOOL.test(tool) ? { verbose: true, ...args } : args };
    let late;
    const limit = new Promise((resolve, reject) => { late = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs); });
    const message = await Promise.race([limit, signal ? this.#cancellable(params, signal) : this.#ask(params)]).finally(() => clearTimeout(late));
    if (!message || message.error) throw new Error(message ? JSON.stringify(message.error) : 'the answer is missing');
    const text = message.result.content.find(block => block.type === 'text')?.text;
    if (message.result.isError) return { text, error: JSON.parse(text).error };
    if (message.result.structuredContent === undefined) this.violations.push(`${tool}: no structuredContent`);
    return { text, structured: message.result.structuredContent };
  }
  #ask(params) {
    const dice = this.random.below(100);
    if (dice < 45) return this.#plain(params);
    if (dice < 70) return this.#modern(params);
    if (dice < 85) return this.#cutOff(params);
    if (dice < 95) return this.#slowly(params);
    return this.#ownSession(params);
  }
  /** In one era a closed connection cancels, in the other a notification. */
  async #cancellable(params, signal) {
    const aborted = new Promise((resolve, reject) => { if (signal.aborted) reject(signal.reason); signal.addEventListener('abort', () => reject(signal.reason), { once: true }); });
    if (this.random.chance(0.5)) {
      let request;
      const { headers, body } = modern({ id: this.#nextId++, method: 'tools/call', params });
      const asked = exchange(this.#server.url, { headers, body, sent: sent => { request = sent; } }).then(({ headers: back, text }) => (back['content-type'] === 'text/event-stream' ? messagesIn(text).at(-1) : JSON.parse(text)));
      asked.catch(() => {});
      return Promise.race([asked, aborted]).catch(error => { request.destroy(); throw error; });
    }
    const session = this.random.pick(this.#sessions), id = this.#nextId++;
    const asked = this.#post(session, { id, method: 'tools/call', params });
    asked.catch(() => {});
    return Promise.race([asked.then(({ message }) => message), aborted]).catch(async error => {
      await exchange(this.#server.url, { headers: session, body: { method: 'notifications/cancelled', params: { requestId: id, reason: 'soak' } } });
      throw error;
    });
  }

  async close({ orphansMs = 15_000 } = {}) {
    const tree = this.descendants();
    const { code, signal } = await this.#server.stop();
    if (code !== 0) throw new Error(`it ended with ${code ?? signal}${this.tail()}`);
    await assertGone(tree, orphansMs);
  }
  async destroy() {
    if (!this.#server) return;
    const left = this.exit ? [] : this.descendants();
    await this.#server.stop('SIGKILL');
    for (const { pid } of survivors(left)) try { process.kill(pid, 'SIGKILL'); } catch { /* gone meanwhile */ }
  }
}
