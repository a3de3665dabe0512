// A bare LSP client over the standard streams of a child process, for tests.
import { spawn } from 'node:child_process';
import { MessageReader, encodeMessage } from '../../fixtures/lean-wasm/lib/frames.mjs';

export class ResponseError extends Error {
  constructor(method, { code, message }) {
    super(`${method}: ${message} (${code})`);
    this.code = code;
  }
}

export class LspClient {
  /** Everything the server sent that is not a response, oldest first: notifications and requests as received. */
  received = [];
  /** The end of the server's standard error, for reports of failures. */
  stderr = '';

  #nextId = 1;
  #pending = new Map();
  #waiters = new Set();
  #deadline;

  /**
   * @param {string} command
   * @param {string[]} args
   * @param {{cwd: string, env?: object, deadline?: number}} options `deadline`: milliseconds after which a wait fails
   */
  constructor(command, args, { cwd, env = process.env, deadline = 60_000 }) {
    this.#deadline = deadline;
    this.process = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.process.stdin.on('error', () => {}); // the exit says more
    this.process.stderr.on('data', chunk => { this.stderr = (this.stderr + chunk).slice(-8000); });
    this.exited = new Promise(resolve => {
      this.process.on('exit', (code, signal) => resolve({ code, signal }));
      this.process.on('error', error => resolve({ code: -1, signal: null, error }));
    });
    const reader = new MessageReader(message => this.#receive(message));
    this.process.stdout.on('data', chunk => reader.feed(chunk));
    this.exited.then(({ code, signal }) => {
      const error = new Error(`the server ended (${signal ?? code})\n${this.stderr}`);
      for (const { reject } of this.#pending.values()) reject(error);
      this.#pending.clear();
      for (const waiter of [...this.#waiters]) waiter.fail(error);
    });
  }

  get pid() {
    return this.process.pid;
  }

  notify(method, params) {
    this.#send({ jsonrpc: '2.0', method, params });
  }

  /** Sends a request. The promise has the id of the request as property `id`. */
  request(method, params) {
    const id = this.#nextId++;
    const answer = new Promise((resolve, reject) => {
      this.#pending.set(id, { method, resolve, reject });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
    const bounded = withDeadline(answer, this.#deadline, () => `no answer to ${method}\n${this.stderr}`);
    bounded.id = id;
    return bounded;
  }

  respond(id, result = null) {
    this.#send({ jsonrpc: '2.0', id, result });
  }

  async initialize(capabilities = {}) {
    const result = await this.request('initialize', { processId: process.pid, rootUri: null, capabilities });
    this.notify('initialized', {});
    return result;
  }

  open(uri, text, version = 1, more = {}) {
    this.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'lean4', version, text }, ...more });
  }

  /** Replaces the whole text. */
  change(uri, text, version) {
    this.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
  }

  close(uri) {
    this.notify('textDocument/didClose', { textDocument: { uri } });
  }

  /** Waits until the whole file is checked; returns the diagnostics of the last publication. */
  async check(uri, version = 1) {
    await this.request('textDocument/waitForDiagnostics', { uri, version });
    return this.diagnostics(uri);
  }

  diagnostics(uri) {
    return this.received.findLast(m => m.method === 'textDocument/publishDiagnostics' && m.params.uri === uri)?.params.diagnostics;
  }

  progress(uri) {
    return this.received.filter(m => m.method === '$/lean/fileProgress' && m.params.textDocument.uri === uri).map(m => m.params.processing);
  }

  /** Resolves with the first message that `accept` accepts, already received (from index `since`) or still to come. */
  waitFor(accept, what = accept.toString(), since = 0) {
    const seen = this.received.slice(since).find(accept);
    if (seen) return Promise.resolve(seen);
    let waiter;
    const arrival = new Promise((resolve, reject) => {
      waiter = { accept, resolve, fail: reject };
      this.#waiters.add(waiter);
    });
    return withDeadline(arrival, this.#deadline, () => `never received: ${what}\n${this.stderr}`).finally(() => this.#waiters.delete(waiter));
  }

  /** Shuts the server down properly; returns its exit. */
  async shutdown() {
    await this.request('shutdown', null);
    this.notify('exit', undefined);
    return this.exited;
  }

  /** For the end of a test: shuts down properly if possible, by force if not. */
  async dispose() {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const timer = setTimeout(() => this.process.kill('SIGKILL'), 5000);
    await this.shutdown().catch(() => this.process.kill('SIGKILL'));
    await this.exited;
    clearTimeout(timer);
  }

  #send(message) {
    this.process.stdin.write(encodeMessage(message));
  }

  #receive(message) {
    if (message.method === undefined) {
      const pending = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (!pending) this.received.push({ unexpectedResponse: message });
      else if (message.error) pending.reject(new ResponseError(pending.method, message.error));
      else pending.resolve(message.result);
      return;
    }
    this.received.push(message);
    if (message.id !== undefined) this.respond(message.id);
    for (const waiter of [...this.#waiters]) if (waiter.accept(message)) waiter.resolve(message);
  }
}

function withDeadline(promise, milliseconds, describe) {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`after ${milliseconds} ms: ${describe()}`)), milliseconds); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
