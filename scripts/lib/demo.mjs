// One proof session over MCP, printed as the agent sees it: every call, its answer, its time.
//
//   node demo.mjs BINARY LAKE
//
// Works on a copy of fixtures/projects/basics: two seconds on a native Lean, half a minute on the WebAssembly one. Ends with a client's
// configuration; exits with 1 if an answer is wrong.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { leanAt } from '../../tests/support/leans.mjs';

const DEADLINE_MS = 180_000;   // the first check of a file by the WebAssembly Lean takes about ten seconds

/** A minimal MCP client: requests as lines, answers matched by id. */
class Client {
  #nextId = 1;
  #pending = new Map();
  #stderr = '';

  constructor(command, args) {
    this.process = spawn(command, args, { stdio: 'pipe' });
    this.process.stdin.on('error', () => {});   // the exit says more
    this.process.stderr.on('data', chunk => { this.#stderr = (this.#stderr + chunk).slice(-4000); });
    this.ended = new Promise(resolve => {
      this.process.on('error', error => this.#end(error.message, resolve));
      this.process.on('exit', (code, signal) => this.#end(`exit ${signal ?? code}`, resolve));
    });
    createInterface({ input: this.process.stdout }).on('line', line => this.#receive(JSON.parse(line)));
  }

  #receive(message) {
    if (message.method) return;   // progress, logging
    this.#pending.get(message.id)?.(message);
    this.#pending.delete(message.id);
  }

  #end(how, resolve) {
    for (const answer of this.#pending.values()) answer({ error: { message: `leanbridge ended (${how})\n${this.#stderr}` } });
    resolve();
  }

  #send(message) { this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`); }

  async request(method, params) {
    const id = this.#nextId++;
    let timer;
    const message = await new Promise(resolve => {
      this.#pending.set(id, resolve);
      timer = setTimeout(resolve, DEADLINE_MS, { error: { message: `no answer to ${method} within ${DEADLINE_MS / 1000} s\n${this.#stderr}` } });
      this.#send({ id, method, params });
    });
    clearTimeout(timer);
    if (message.error) throw new Error(message.error.message);
    return message.result;
  }

  async connect() {
    const server = await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'demo', version: '1' } });
    this.#send({ method: 'notifications/initialized' });
    return server;
  }

  async close() {
    this.process.stdin.end();
    const timer = setTimeout(() => this.process.kill('SIGKILL'), 10_000);
    await this.ended;
    clearTimeout(timer);
  }
}

// --- printing

const indented = (text, by) => text.split('\n').map(line => `${' '.repeat(by)}${line}`).join('\n');

/** Shows goals, and lists of goals, as text. */
function printed(value, by) {
  if (typeof value === 'string') return value.includes('\n') || value.includes('⊢') ? `\n${indented(value, by + 2)}` : ` ${value}`;
  if (Array.isArray(value) && value.length && value.every(one => typeof one === 'string')) return value.map(one => `\n${indented(one, by + 2)}`).join('\n');
  if (Array.isArray(value) && !value.length) return ' none';
  return ` ${JSON.stringify(value)}`;
}

/** In the order of a story; all other keys come last. */
const ORDER = ['line_context', 'line', 'column', 'step_text', 'goals_before', 'goals_after', 'goals', 'status'];
const rank = key => (ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length);

const firstLine = message => message.split('\n', 1)[0];
const isFound = value => Array.isArray(value) && value.length > 0 && value.every(one => one?.message ?? one?.snippet ?? one?.declaration);

/** Attempts, messages and places, a line each; of a message that one stands alone, all of it. */
function found(items, by) {
  const width = Math.max(...items.map(({ snippet = '' }) => snippet.length));
  return items.map(({ snippet, proof_status: status, severity, message, diagnostics, line, declaration, closed_by: closed, reason }) => indented(declaration !== undefined ? `line ${line}, ${declaration}: ${closed ? `closed by ${closed}` : reason}` : snippet === undefined ? `${severity}: ${message}`
    : `${snippet.padEnd(width)}  ${status}${diagnostics?.length ? `: ${firstLine(diagnostics[0].message)}` : ''}`, by)).join('\n');
}

function show(result) {
  for (const [key, value] of Object.entries(result).sort(([a], [b]) => rank(a) - rank(b)))
    if (value !== null && (value !== false || key === 'written')) console.log(`    ${key}:${isFound(value) ? `\n${found(value, 6)}` : printed(value, 4)}`);
}

/** The arguments in one line, of a list its beginning; texts of whole lines below it. */
function showCall(tool, args) {
  const texts = Object.entries(args).filter(([, value]) => String(value).includes('\n'));
  const rest = Object.entries(args).filter(([, value]) => !String(value).includes('\n')).map(([key, value]) => [key, Array.isArray(value) && value.length > 2 ? [...value.slice(0, 2), '…'] : value]);
  console.log(`\n→ ${tool} ${JSON.stringify(Object.fromEntries(rest)).replace(',"…"]', ', …]')}`);
  for (const [key, value] of texts) console.log(`    ${key}:\n${indented(value.trimEnd(), 6)}`);
}

const shellWord = text => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** `isForTests`: do not show hosts a Lean that is made for tests. */
function showConfiguration(command, { lake, isForTests }) {
  const args = isForTests ? [] : ['--lake', lake];
  if (isForTests) console.log('\nThis session used a Lean made for tests. Install your own with elan (https://lean-lang.org/install); leanbridge finds it on PATH.');
  console.log('\nTo use this build, in a client\'s configuration:\n');
  console.log(JSON.stringify({ mcpServers: { lean: { command, args } } }, null, 2));
  console.log('\nor with Claude Code, in the folder of a Lean project:\n');
  console.log(`claude mcp add lean -- ${[command, ...args].map(shellWord).join(' ')}\n`);
}

// --- the session

class Surprise extends Error {}

const FILE = 'Basics/Goals.lean';
const UNFINISHED = '  sorry\n';
const PROOF = `  induction a with
  | zero => rw [Nat.zero_add, Nat.add_zero]
  | succ n ih =>
    rw [Nat.add_right_comm]
    rw [ih]
    rw [Nat.add_assoc]
`;

async function session(client, file) {
  async function call(tool, args, expected) {
    showCall(tool, args);
    const started = performance.now();
    const { isError, structuredContent, content } = await client.request('tools/call', { name: tool, arguments: args });
    console.log(`← ${((performance.now() - started) / 1000).toFixed(2)} s`);
    const answer = isError ? JSON.parse(content[0].text) : structuredContent;
    if (isError) console.log(`    error: ${answer.error.message}\n    hint: ${answer.error.hint}`);
    else show(answer);
    if (!expected(answer)) throw new Surprise(`${tool}: unexpected answer: ${content[0]?.text}`);
    return structuredContent;
  }
  const text = () => fs.readFileSync(file, 'utf8');
  const lineOf = needle => text().slice(0, text().indexOf(needle)).split('\n').length;

  await call('lean_goal', { file_path: FILE, line: 70 }, answer => answer.error?.hint.includes('Pass a line from 1 to'));
  await call('lean_goal', { file_path: FILE, line: lineOf(UNFINISHED) }, answer => answer.goals_before?.[0]?.includes('⊢ a + b = b + a'));
  await call('lean_fill', { file_path: FILE }, answer => answer.closed === 1 && !answer.written);

  const line = lineOf(UNFINISHED), write = new_text => ({ file_path: FILE, start_line: line, end_line: line, new_text });
  await call('lean_multi_attempt', { file_path: FILE, line, snippets: ['rfl', 'simp', 'exact Nat.add_comm b a', 'exact Nat.add_comm a b'] }, answer => answer.items?.at(-1).proof_status === 'proof_complete');
  await call('lean_write_proof', write('  exact Nat.add_comm b a\n'), answer => answer.written === false && text().includes(UNFINISHED));
  await call('lean_write_proof', write('  exact Nat.add_comm a b\n'), answer => answer.written);

  console.log(`\nThe agent edits ${FILE} with its own tools and proves it by induction instead:\n\n${indented(PROOF.trimEnd(), 4)}`);
  fs.writeFileSync(file, text().replace('  exact Nat.add_comm a b\n', PROOF));

  await call('lean_sync', { file_path: FILE }, answer => answer.changed);
  await call('lean_goal', { file_path: FILE, line: lineOf('    rw [ih]') }, answer => answer.goals_before?.[0]?.includes('ih :') && answer.goals_after?.length === 1);
  // From a given position the first time, then from where that step ended.
  await call('lean_step_forward', { file_path: FILE, line: lineOf('    rw [Nat.add_right_comm]'), column: 5 }, answer => answer.goals?.length);
  await call('lean_step_forward', { file_path: FILE }, answer => 'step_text' in answer);
  await call('lean_check_all', { file_path: FILE }, answer => answer.success && answer.state === 'proved');
}

// --- the program

const [binary, lake] = process.argv.slice(2).map(file => path.resolve(file));
const lean = leanAt(lake);
const root = path.resolve(import.meta.dirname, '../..');
const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'leanbridge-demo-')));
const project = path.join(folder, 'basics');
fs.cpSync(path.join(root, 'fixtures/projects/basics'), project, { recursive: true, filter: source => path.basename(source) !== '.lake' });

const client = new Client(binary, ['--project-root', project, '--lake', lake, '--log-level', 'warning']);
try {
  const started = performance.now();
  const { serverInfo, protocolVersion } = await client.connect();
  const { tools } = await client.request('tools/list', {});
  console.log(`\n${serverInfo.name} ${serverInfo.version}, MCP ${protocolVersion}, ${tools.length} tools; Lean ${lean.version} (${lean.title})`);
  await session(client, path.join(project, FILE));
  console.log(`\nThe whole session took ${((performance.now() - started) / 1000).toFixed(1)} s.`);
  showConfiguration(binary, lean);
} catch (error) {
  console.error(`\ndemo: ${error.message}`);
  process.exitCode = 1;
} finally {
  await client.close();
  fs.rmSync(folder, { recursive: true, force: true });
}
