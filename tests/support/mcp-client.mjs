// An MCP client for tests: speaks to a server over stdio, checks everything it writes, and shows the conversation on failure.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { assertGone, descendants, survivors, withEnvironment } from './processes.mjs';
import { missingFor } from './lean-lsp-mcp-answers.mjs';
import { recordCall } from './tool-coverage.mjs';
import { compileToolSchema, MODERN_REVISIONS, REVISIONS, validate } from './mcp-schema.mjs';

const KEY = 'io.modelcontextprotocol/';
const MODERN = MODERN_REVISIONS.at(-1);
const TRANSCRIPT_LINES = 40;
const OWN_TOOL = /^(lean_|list_declarations_|get_dependency_graph_)/;

/** A JSON-RPC error that the server answered. */
export class RpcError extends Error {
  constructor(error, context) {
    super(`${error.code} ${error.message}${context ?? ''}`);
    this.code = error.code;
    this.data = error.data;
  }
}

export class McpClient extends EventEmitter {
  #stdout = Buffer.alloc(0);
  #stderr = '';
  #sent = Buffer.alloc(0);
  #nextId = 1;
  #requests = new Map();     // JSON text of the id -> {id, method, params, revision}, answered or not
  #waiting = new Map();      // JSON text of the id -> (message) => void
  #progress = new Map();     // JSON text of the token -> {last, open, onProgress}
  #transcript = [];
  #started = performance.now();
  #outputSchemas = new Map(); // tool name -> schema
  #isGone = false;            // with all that it started

  /** Whether call() asks our own tools for the whole answer. Tests read fields that a brief one leaves out when they say nothing. */
  verbose = false;

  era = undefined;
  revision = undefined;      // of the connection; a request's own _meta wins over it
  messages = [];             // every message received
  violations = [];           // breaches of the protocol by the server; close() fails on them
  lateAnswers = [];          // answers that came after their request was cancelled or its wait had ended

  /** @param options {command, args, cwd, env, label, realLean, verbose} */
  constructor({ command, args = [], cwd, env = {}, label = 'server', realLean = false, verbose = false }) {
    super();
    this.realLean = realLean;
    this.verbose = verbose;
    this.setMaxListeners(0);
    this.label = label;
    this.mark = randomUUID();
    this.process = spawn(command, args, { cwd, env: { ...process.env, LEANBRIDGE_TEST_MARK: this.mark, ...env }, stdio: 'pipe' });
    this.pid = this.process.pid;
    this.process.stdout.on('data', chunk => this.#receive(chunk));
    this.process.stdout.on('error', () => {});
    this.process.stderr.on('data', chunk => { this.#stderr = (this.#stderr + chunk).slice(-16_384); });
    this.process.stdin.on('error', () => {});   // the server may end first; tests check its exit
    this.exited = new Promise(resolve => {
      this.process.once('error', error => resolve({ error, code: null, signal: null }));
      this.process.once('close', (code, signal) => {
        if (this.#stdout.length) this.#violation(`unfinished line at the end of stdout: ${this.#stdout.toString().slice(0, 200)}`);
        resolve({ code, signal });
      });
    });
    this.exited.then(how => { this.exit = how; this.emit('exit', how); });
  }

  get stderr() { return this.#stderr; }
  get elapsed() { return Math.round(performance.now() - this.#started); }

  /** The end of the conversation, for error messages. */
  tail(lines = 12) {
    const said = this.#transcript.slice(-lines).map(({ ms, from, text }) => `  ${String(ms).padStart(6)} ${from} ${text.length > 400 ? `${text.slice(0, 400)}… (${text.length})` : text}`);
    return `\n[${this.label} pid ${this.pid}${this.exit ? ` exited ${JSON.stringify(this.exit)}` : ''}]\n${said.join('\n')}\n  stderr: ${this.#stderr.slice(-1500).trim() || '(empty)'}`;
  }

  // --- sending

  /** Writes raw bytes. Requests in them are recorded, so that their answers can be checked. */
  send(bytes) {
    const buffer = Buffer.from(bytes);
    this.#note('>>', buffer.toString());
    this.#sent = Buffer.concat([this.#sent, buffer]);
    for (let end; (end = this.#sent.indexOf(10)) >= 0; this.#sent = this.#sent.subarray(end + 1)) this.#noteRequest(this.#sent.subarray(0, end).toString());
    return this.process.stdin.write(buffer);
  }

  sendMessage(message) { return this.send(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`); }

  notify(method, params) { this.sendMessage({ method, params: this.era === 'modern' ? this.withMeta(params) : params }); }

  /** The params plus what a 2026-07-28 request must carry. */
  withMeta(params = {}, revision = this.revision ?? MODERN) {
    const meta = { [`${KEY}protocolVersion`]: revision, [`${KEY}clientCapabilities`]: this.capabilities ?? {}, [`${KEY}clientInfo`]: { name: 'leanbridge-e2e', version: '1' } };
    return { ...params, _meta: { ...meta, ...params._meta } };
  }

  /** Sends a request; {id, answer}: `answer` resolves with the whole response message or fails after the deadline. */
  begin(method, params, { timeoutMs = 30_000, id = this.#nextId++ } = {}) {
    const key = JSON.stringify(id);
    const answer = new Promise((resolve, reject) => {
      const end = finish => { clearTimeout(timer); this.#waiting.delete(key); this.off('exit', onExit); finish(); };
      const onExit = () => end(() => reject(new Error(`the server ended before it answered ${method}${this.tail()}`)));
      const timer = setTimeout(() => end(() => reject(new Error(`no answer to ${method} ${JSON.stringify(params ?? {}).slice(0, 200)} within ${timeoutMs} ms${this.tail()}`))), timeoutMs);
      this.#waiting.set(key, message => end(() => resolve(message)));
      if (this.exit) onExit(); else this.once('exit', onExit);
    });
    answer.catch(() => {});   // the failure still reaches whoever awaits it; without this it counts as unhandled until then
    this.sendMessage({ id, method, params: this.era === 'modern' ? this.withMeta(params) : params });
    return { id, answer };
  }

  /** Sends a request and resolves with its result; a JSON-RPC error is thrown as RpcError. */
  async request(method, params, options) {
    const message = await this.begin(method, params, options).answer;
    if (message.error) throw new RpcError(message.error, this.tail(4));
    return message.result;
  }

  cancel(id, reason = 'test') { this.notify('notifications/cancelled', { requestId: id, reason }); }

  /** The handshake of an era. */
  async connect({ era = 'legacy', revision = era === 'modern' ? MODERN : '2025-11-25', capabilities = {} } = {}) {
    this.capabilities = capabilities;
    if (era === 'modern') {
      this.era = era;
      this.revision = revision;
      this.server = await this.request('server/discover', {});
    } else {
      this.server = await this.request('initialize', { protocolVersion: revision, capabilities, clientInfo: { name: 'leanbridge-e2e', version: '1' } });
      this.era = era;
      this.revision = this.server.protocolVersion;
      this.notify('notifications/initialized');
    }
    return this;
  }

  /** Asks for tools/list. From then on every result of a call is checked against its tool's outputSchema. */
  async listTools() {
    const { tools } = await this.request('tools/list', {});
    for (const tool of tools) if (tool.outputSchema) this.#outputSchemas.set(tool.name, tool.outputSchema);
    return tools;
  }

  /** Starts a call: {id, answer}. `progress`: true asks for notifications; a function gets each of them. */
  beginCall(tool, args = {}, { progress, timeoutMs = 20_000, id } = {}) {
    const token = progress ? `p-${randomUUID()}` : undefined;
    const notes = [];
    if (token) this.#progress.set(JSON.stringify(token), { last: -Infinity, open: true, onProgress: params => { notes.push(params); if (typeof progress === 'function') progress(params); } });
    const started = performance.now();
    const whole = this.verbose && OWN_TOOL.test(tool) && !('verbose' in args);
    const params = { name: tool, arguments: whole ? { ...args, verbose: true } : args, ...(token && { _meta: { progressToken: token } }) };
    const begun = this.begin('tools/call', params, { timeoutMs, ...(id !== undefined && { id }) });
    const answer = begun.answer.then(message => {
      if (token) this.#progress.get(JSON.stringify(token)).open = false;
      if (message.error) throw new RpcError(message.error, this.tail(4));
      return this.#toolResult(tool, message.result, Math.round(performance.now() - started), notes);
    });
    answer.catch(() => {});
    return { id: begun.id, answer };
  }

  /** One tool call: {result, structured, error, text, ms, progress}. An aborted `signal` cancels it and rejects at once. */
  async call(tool, args, { signal, ...options } = {}) {
    const { id, answer } = this.beginCall(tool, args, options);
    if (!signal) return answer;
    return new Promise((resolve, reject) => {
      const abort = () => { this.#waiting.delete(JSON.stringify(id)); this.cancel(id); reject(signal.reason); };
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    });
  }

  #toolResult(tool, result, ms, progress) {
    const text = result.content.find(block => block.type === 'text')?.text;
    const parsed = (() => { try { return JSON.parse(text); } catch { return undefined; } })();
    recordCall(tool, result.isError ? 'refused' : this.realLean ? 'answered on a real Lean' : 'answered');
    if (result.isError) {
      if (result.structuredContent !== undefined) this.#violation(`${tool}: structuredContent on an error`);
      if (typeof parsed?.error?.kind !== 'string' || typeof parsed.error.message !== 'string') this.#violation(`${tool}: the first text block of an error is not {"error":{"kind","message","hint"}}: ${text?.slice(0, 300)}`);
      return { result, text, error: parsed?.error ?? { message: text }, ms, progress };
    }
    const structured = result.structuredContent;
    if (structured === undefined) this.#violation(`${tool}: no structuredContent`);
    if (text?.includes('\n') || !isDeepStrictEqual(parsed, structured)) this.#violation(`${tool}: the text block is not structuredContent as compact JSON: ${text?.slice(0, 200)}`);
    const schema = this.#outputSchemas.get(tool);
    for (const error of schema ? compileToolSchema(schema)(structured) : []) this.#violation(`${tool}: the result does not match outputSchema: ${error}`);
    for (const error of missingFor(tool, structured)) this.#violation(`${tool}: not what lean-lsp-mcp answers: ${error}`);
    return { result, structured, text, ms, progress };
  }

  /** Resolves with the next (or, with `past`, any) message that `predicate` accepts. */
  async next(predicate, { timeoutMs = 10_000, what = 'a message', past = false } = {}) {
    const seen = past ? this.messages.find(predicate) : undefined;
    if (seen) return seen;
    return new Promise((resolve, reject) => {
      const finish = (settle, value) => { clearTimeout(timer); this.off('message', listen); this.off('exit', onExit); settle(value); };
      const listen = message => { if (predicate(message)) finish(resolve, message); };
      const onExit = () => finish(reject, new Error(`the server ended before ${what}${this.tail()}`));
      const timer = setTimeout(() => finish(reject, new Error(`${what} did not come within ${timeoutMs} ms${this.tail()}`)), timeoutMs);
      this.on('message', listen);
      if (this.exit) onExit(); else this.once('exit', onExit);
    });
  }

  /** The answer to a request that was sent raw. */
  answerTo(id, options) { return this.next(message => !message.method && message.id === id, { what: `the answer to ${JSON.stringify(id)}`, past: true, ...options }); }

  // --- receiving

  #receive(chunk) {
    this.#stdout = Buffer.concat([this.#stdout, chunk]);
    for (let end; (end = this.#stdout.indexOf(10)) >= 0;) {
      const line = this.#stdout.subarray(0, end).toString();
      this.#stdout = this.#stdout.subarray(end + 1);
      this.#note('<<', line);
      let message;
      try {
        message = JSON.parse(line);
      } catch {
        this.#violation(`not JSON on stdout: ${line.slice(0, 200)}`);
        continue;
      }
      this.#take(message);
    }
  }

  #take(message) {
    const key = JSON.stringify(message?.id);
    const request = message?.method ? undefined : this.#requests.get(key);
    const asked = request?.method === 'initialize' ? message.result?.protocolVersion : request?.revision;
    const revision = REVISIONS.includes(asked) ? asked : REVISIONS.includes(this.revision) ? this.revision : request?.modern ? MODERN : '2025-11-25';
    try {
      validate(revision, 'server', message, { request });
    } catch (error) {
      this.#violation(error.message);
    }
    this.messages.push(message);
    if (message?.method === 'notifications/progress') this.#takeProgress(message.params);
    else if (message && !message.method && 'id' in message) {
      if (!request) this.#violation(`an answer to a request that was not made: id ${key}`);
      else if (request.answered) this.#violation(`a second answer to id ${key} (${request.method})`);
      else request.answered = true;
      const token = JSON.stringify(request?.params?._meta?.progressToken);
      if (this.#progress.has(token)) this.#progress.get(token).open = false;
      const waiting = this.#waiting.get(key);
      if (waiting) waiting(message); else this.lateAnswers.push(message);
    }
    this.emit('message', message);
  }

  #takeProgress(params) {
    const progress = this.#progress.get(JSON.stringify(params?.progressToken));
    if (!progress) return this.#violation(`progress for a token that was not given: ${JSON.stringify(params)}`);
    if (!progress.open) this.#violation(`progress after the answer: ${JSON.stringify(params)}`);
    if (!(params.progress > progress.last)) this.#violation(`progress does not increase: ${params.progress} after ${progress.last}`);
    progress.last = params.progress;
    return progress.onProgress(params);
  }

  #noteRequest(line) {
    let message;
    try { message = JSON.parse(line); } catch { return; }
    for (const one of Array.isArray(message) ? message : [message]) {
      if (!one?.method || !('id' in one)) continue;
      const own = one.params?._meta?.[`${KEY}protocolVersion`];
      const token = one.params?._meta?.progressToken;
      if (token !== undefined && !this.#progress.has(JSON.stringify(token))) this.#progress.set(JSON.stringify(token), { last: -Infinity, open: true, onProgress() {} });
      this.#requests.set(JSON.stringify(one.id), { method: one.method, params: one.params, revision: own ?? this.revision, modern: own !== undefined });
    }
  }

  #note(from, text) {
    this.#transcript.push({ ms: this.elapsed, from, text: text.length > 4000 ? `${text.slice(0, 2000)} … (${text.length} characters)` : text.trimEnd() });
    if (this.#transcript.length > TRANSCRIPT_LINES) this.#transcript.shift();
  }

  #violation(text) { this.violations.push(text); }

  // --- ending

  descendants() { return descendants(this.pid); }

  assertClean() {
    if (this.violations.length) throw new Error(`the server broke the protocol:\n- ${this.violations.slice(0, 10).join('\n- ')}${this.tail()}`);
  }

  /** Ends stdin, waits for the exit, and fails on a bad exit, on a process left behind, or on any violation seen. */
  async close({ timeoutMs = 5000, code = 0, orphansMs = 6000 } = {}) {
    const how = await this.#end(() => this.process.stdin.end(), { timeoutMs, orphansMs });
    if (how.code !== code) throw new Error(`exit ${JSON.stringify(how)} after the end of stdin, expected code ${code}${this.tail()}`);
    this.assertClean();
    return how;
  }

  /** Sends a signal and waits for the exit; {code, signal, ms}. */
  async kill(signal, { timeoutMs = 5000, orphansMs = 6000 } = {}) { return this.#end(() => this.process.kill(signal), { timeoutMs, orphansMs }); }

  async #end(act, { timeoutMs, orphansMs }) {
    const started = performance.now();
    if (this.exit) return { ...this.exit, ms: 0 };
    const tree = this.descendants();
    act();
    let timer;
    const late = new Promise(resolve => { timer = setTimeout(resolve, timeoutMs, 'late'); });
    const how = await Promise.race([this.exited, late]);
    clearTimeout(timer);
    if (how === 'late') {
      const left = survivors(this.descendants());
      this.process.kill('SIGKILL');
      throw new Error(`the server did not end within ${timeoutMs} ms; it had ${left.length} descendants${this.tail()}`);
    }
    const ms = Math.round(performance.now() - started);
    await assertGone([...tree, ...withEnvironment('LEANBRIDGE_TEST_MARK', this.mark)], orphansMs);
    this.#isGone = true;
    return { ...how, ms };
  }

  /** For clean-up after a failed test: nothing is checked, nothing survives. */
  async destroy() {
    if (this.#isGone) return;
    const left = [...this.descendants(), ...withEnvironment('LEANBRIDGE_TEST_MARK', this.mark)];
    if (!this.exit) this.process.kill('SIGKILL');
    for (const { pid } of survivors(left)) try { process.kill(pid, 'SIGKILL'); } catch { /* gone meanwhile */ }
    await this.exited;
  }
}
