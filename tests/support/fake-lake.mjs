// A scripted `lake serve` that does what a real Lean cannot be told to do. Called by a wrapper (see fakeLake in bridge.mjs) as
//
//   node fake-lake.mjs SCENARIO.json STATE_FOLDER serve -- ARGS
//
// A scenario is {"about", "options"?, "rules": [...]}; the language is described in fixtures/scenarios/README.md. Without a
// matching rule it behaves as a small well-behaved Lean (small-lean.mjs). What it sees and does goes to STATE_FOLDER/log.jsonl.
import fs from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { Decoder, encode } from './lsp-framing.mjs';
import { SmallLean } from './small-lean.mjs';

const [scenarioFile, folder, ...args] = process.argv.slice(2);
const scenario = JSON.parse(fs.readFileSync(scenarioFile, 'utf8'));
const logFile = path.join(folder, 'log.jsonl');
const log = entry => fs.appendFileSync(logFile, `${JSON.stringify(entry)}\n`);

// The compiler: `lake env lean --json FILE` prints the scenario's messages and exits with its code.
if (args[0] === 'env' && args[1] === 'lean') {
  const { messages = [], stderr = 'fake-lake: there is no compiler', exit = 1, delay_ms = 0, signal } = scenario.compile ?? {};
  log({ event: 'compile', pid: process.pid, args, cwd: process.cwd(), env: Object.keys(process.env) });
  for (const message of messages) fs.writeSync(1, typeof message === 'string' ? `${message}\n` : `${JSON.stringify({ caption: '', endPos: null, fileName: args.at(-1), isSilent: false, keepFullRange: false, kind: '[anonymous]', ...message })}\n`);
  await sleep(delay_ms);
  if (stderr && (exit || scenario.compile?.stderr)) fs.writeSync(2, `${stderr}\n`);
  if (signal) process.kill(process.pid, signal);
  process.exit(exit);
}

// What the compiler is told of a file: nothing of its own.
if (args[0] === 'setup-file' && scenario.compile) {
  fs.writeSync(1, `${JSON.stringify({ name: '_unknown', isModule: false, importArts: {}, dynlibs: [], plugins: [], options: {} })}\n`);
  process.exit(0);
}

// Counts the starts over all processes of this fake: a scenario can fail on the first and work on the second.
const starts = path.join(folder, 'starts');
const start = (fs.existsSync(starts) ? Number(fs.readFileSync(starts, 'utf8')) : 0) + 1;
fs.writeFileSync(starts, String(start));
log({ event: 'start', start, pid: process.pid, args, cwd: process.cwd(), env: Object.keys(process.env) });

// --- output: every message passes through here, so that a scenario can split or join the bytes
const output = { chunk: scenario.options?.chunk_bytes, held: undefined };
let writing = Promise.resolve();
function write(bytes) {
  if (output.held) return void output.held.push(bytes);
  writing = writing.then(async () => {
    if (!output.chunk) return void process.stdout.write(bytes);
    for (let at = 0; at < bytes.length; at += output.chunk) {
      process.stdout.write(bytes.subarray(at, at + output.chunk));
      await sleep(0);   // let each piece reach the pipe on its own
    }
  });
}
process.stdout.on('error', () => {});
const send = message => { log({ event: 'sent', message: message.params?.diagnostics?.length > 20 ? { ...message, params: '(long)' } : message }); write(encode(message)); };
const lean = new SmallLean({ send, options: scenario.options ?? {} });

// --- rules
const rules = (scenario.rules ?? []).map(rule => ({ ...rule, used: 0, skipped: 0 }));
const held = new Map();     // name -> requests held back by {"hold": name}
const at = (object, dotted) => dotted.split('.').reduce((value, key) => value?.[key], object);

function matches(rule, event, message) {
  if (rule.on !== event || rule.used >= (rule.times ?? Infinity)) return false;
  for (const [key, expected] of Object.entries(rule.when ?? {})) {
    const actual = key === 'start' ? start : key === 'text_contains' ? undefined : at(message, key);
    if (key === 'text_contains' ? !lean.textOf(message)?.includes(expected) : !isDeepStrictEqual(actual, expected)) return false;
  }
  if (rule.skipped < (rule.skip ?? 0)) { rule.skipped++; return false; }
  rule.used++;
  return true;
}

/** Replaces "$uri", "$version", "$version-1", "$id" and "$params.a.b" in a scenario's value. */
function fill(value, message) {
  if (Array.isArray(value)) return value.map(item => fill(item, message));
  if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, message)]));
  if (typeof value !== 'string' || !value.startsWith('$') || value.startsWith('$/')) return value;
  const uri = lean.uriOf(message) ?? lean.anyUri();
  const version = lean.documents.get(uri)?.version ?? message?.params?.textDocument?.version ?? 0;
  if (value === '$uri') return uri;
  if (value === '$id') return message?.id;
  const shifted = /^\$version(?:-(\d+))?$/.exec(value);
  if (shifted) return version - Number(shifted[1] ?? 0);
  return value.startsWith('$params.') ? at(message, value.slice(1)) : value;
}

/** An item with "copies": n stands for n items, "#" in its message for the number of each. */
const copies = ({ copies: n = 1, message, ...item }) => Array.from({ length: n }, (_, i) => ({ ...item, message: message.replaceAll('#', String(i)) }));

const actions = {
  default: (_, message) => lean.handle(message),
  reply: (result, message) => send({ id: message.id, result }),
  reply_error: (error, message) => send({ id: message.id, error }),
  notify: ({ method, params }) => send({ method, params }),
  request: ({ id, method, params }) => send({ id, method, ...(params && { params }) }),
  diagnostics: ({ version = '$version', items = [], incremental, uri = '$uri' }, message) => {
    const filled = fill({ uri, version }, message);
    send({ method: 'textDocument/publishDiagnostics', params: { ...filled, ...(incremental !== undefined && { isIncremental: incremental }), diagnostics: items.flatMap(copies).map(item => lean.diagnostic(item)) } });
  },
  progress: ({ version = '$version', lines = [], kind = 1, uri = '$uri' }, message) => {
    const filled = fill({ uri, version }, message);
    send({ method: '$/lean/fileProgress', params: { textDocument: filled, processing: lines.map(([from, to]) => ({ range: { start: { line: from, character: 0 }, end: { line: to, character: 0 } }, kind })) } });
  },
  crash_worker: (_, message) => lean.crash(lean.uriOf(message) ?? lean.anyUri()),
  hold: (name, message) => held.set(name, [...(held.get(name) ?? []), message]),
  release: async ({ name, reverse, do: steps = [{ default: true }] }) => {
    const requests = held.get(name) ?? [];
    held.delete(name);
    for (const request of reverse ? requests.reverse() : requests) await run(steps, request);
  },
  delay_ms: ms => sleep(ms),
  after: ({ ms, do: steps }, message) => { setTimeout(() => run(steps, message), ms); },
  repeat: async ({ times, do: steps }, message) => { for (let i = 0; i < times; i++) await run(steps, message); },
  raw: text => write(Buffer.from(text)),
  join: flag => {   // {"join": true} … {"join": false}: what is sent between the two goes out in one write
    if (flag) { output.held = []; return; }
    const bytes = Buffer.concat(output.held ?? []);
    output.held = undefined;
    write(bytes);
  },
  stderr: text => process.stderr.write(text),
  stderr_flood: async bytes => {
    const line = Buffer.from(`${'noise '.repeat(20)}\n`);
    for (let written = 0; written < bytes; written += line.length * 500) {
      if (!process.stderr.write(Buffer.concat(Array(500).fill(line)))) await new Promise(resolve => process.stderr.once('drain', resolve));
    }
    log({ event: 'flooded', bytes });
  },
  close_stdout: async () => { await writing; fs.closeSync(1); },   // the stream's own end() would leave the descriptor open
  hang: () => new Promise(() => { setInterval(() => {}, 60_000); }),   // later events are not handled either
  deaf: () => { process.stdin.pause(); setInterval(() => {}, 60_000); },   // what is written to it stays in the pipe
  stay: () => { setInterval(() => {}, 60_000); },                       // do not end with stdin
  exit: async code => { await writing; log({ event: 'exit', code }); process.exit(code); },
  signal: async name => { await writing; process.kill(process.pid, name); await sleep(10_000); },
};

async function run(steps, message) {
  for (const step of steps) {
    const [[name, value]] = Object.entries(step);
    if (!actions[name]) throw new Error(`unknown action "${name}" in ${scenarioFile}`);
    // Actions with their own steps fill those when they run; a sent message is filled now.
    await actions[name](['after', 'repeat', 'release', 'diagnostics', 'progress'].includes(name) ? value : fill(value, message), message);
  }
}

/** Runs the rule for an event. Events are handled in order, unless a rule says "concurrent" or delays inside "after". */
async function happen(event, message, fallback) {
  const rule = rules.find(candidate => matches(candidate, event, message));
  if (rule) log({ event: 'rule', on: event, rule: rules.indexOf(rule) });
  return rule ? run(rule.do, message) : fallback?.();
}

let queue = Promise.resolve();
const enqueue = (event, message, fallback) => { queue = queue.then(() => happen(event, message, fallback)).catch(error => { process.stderr.write(`fake-lake: ${error.stack}\n`); process.exit(99); }); };

for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => { log({ event: signal }); happen(signal, undefined, () => process.exit(143)); });

enqueue('start', {});
const decoder = new Decoder(message => {
  log({ event: 'received', message: message.params?.textDocument?.text?.length > 5000 ? { method: message.method, params: '(long)' } : message });
  if (!message.method) return enqueue('response', message);
  // The document's state follows the client's messages at once, even if a rule replaces the behaviour.
  lean.track(message);
  if (scenario.options?.stubborn_workers && message.method === 'textDocument/didOpen') {
    // Like Lean's workers, in a session of its own, out of reach of a kill of the process group. It also ignores the end of its stdin.
    log({ event: 'worker', pid: spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).pid });
  }
  enqueue(message.method, message, () => lean.handle(message));
}, bytes => { log({ event: 'garbage', text: bytes.toString().slice(0, 500) }); process.stderr.write('fake-lake: garbage on stdin\n'); process.exit(98); });
process.stdin.on('data', chunk => decoder.push(chunk));
process.stdin.on('end', () => { log({ event: 'stdin_end' }); enqueue('stdin_end', {}, () => process.exit(1)); });
