// Records what a real Lean answers, so that the fake one (fake-lake.mjs) never has to guess a message's shape.
//
//   node tests/support/record-lsp.mjs [--lake COMMAND] [--out FOLDER]
//
// Each line of a recording is {"ms": since start, "from": "client"|"server", "message": {...}}. Machine-specific
// parts are replaced: the project's folder by file:///project, process ids by 1.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { Decoder, encode } from './lsp-framing.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const option = (name, fallback) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? fallback : process.argv[at + 1];
};
const lake = path.resolve(option('--lake', path.join(root, 'fixtures/lean-wasm/lake')));
const out = path.resolve(option('--out', path.join(root, 'fixtures/lsp')));

const project = fs.mkdtempSync(path.join(os.tmpdir(), 'record-lsp-'));
fs.writeFileSync(path.join(project, 'lakefile.toml'), 'name = "recorded"\ndefaultTargets = ["Recorded"]\n\n[[lean_lib]]\nname = "Recorded"\n');
const file = path.join(project, 'Recorded.lean');
const uri = pathToFileURL(file).href;

const lines = [
  'theorem first (a b : Nat) : a + b = b + a := by',
  '  rw [Nat.add_comm]',
  '',
  'example : True := by',
  '  sleep 3000',
  '  trivial',
  '',
  'theorem open_goal (p q : Prop) (hp : p) (hq : q) : p ∧ q := by',
  '  constructor',
  '  · exact hp',
  '',
  'theorem cheat : 1 = 2 := by sorry',
  '',
  'example : 2 + 2 = 4 := by exact?',
  '',
];
const text = lines.join('\n');
fs.writeFileSync(file, text);

const server = spawn(lake, ['serve', '--', '-Dserver.reportDelayMs=0'], { cwd: project, stdio: ['pipe', 'pipe', 'inherit'] });
const started = Date.now();
let transcript = [];
const waiters = new Map();

const normalise = message => JSON.parse(JSON.stringify(message)
  .replaceAll(pathToFileURL(project).href, 'file:///project')
  .replaceAll(project, '/project')
  .replace(/"processId":\d+/g, '"processId":1'));
const note = (from, message) => transcript.push({ ms: Date.now() - started, from, message: normalise(message) });

const decoder = new Decoder(message => {
  note('server', message);
  if (message.method && message.id !== undefined) return send({ id: message.id, result: null });
  if (message.id !== undefined) {
    waiters.get(message.id)?.(message);
    waiters.delete(message.id);
  }
});
server.stdout.on('data', chunk => decoder.push(chunk));

function send(message) {
  note('client', { jsonrpc: '2.0', ...message });
  server.stdin.write(encode(message));
}
let nextId = 1;
function request(method, params) {
  const id = nextId++;
  send({ id, method, params });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${method} was not answered within 120 s`)), 120_000);
    waiters.set(id, message => { clearTimeout(timer); resolve(message); });
  });
}
const notify = (method, params) => send(params === undefined ? { method } : { method, params });
const isProgress = entry => entry?.message.method === '$/lean/fileProgress';
function save(name) {
  // Progress comes in runs of dozens, one per elaborated snapshot: the first and the last of each run show the shape.
  transcript = transcript.filter((entry, i) => !(isProgress(entry) && isProgress(transcript[i - 1]) && isProgress(transcript[i + 1])));
  fs.mkdirSync(out, { recursive: true });
  fs.writeFileSync(path.join(out, `${name}.jsonl`), transcript.map(entry => JSON.stringify(entry)).join('\n') + '\n');
  console.log(`${name}.jsonl: ${transcript.length} messages`);
  transcript = [];
}
const at = (line, character) => ({ textDocument: { uri }, position: { line, character } });
const change = (version, range, newText) => notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ range, text: newText }] });

await request('initialize', {
  processId: process.pid, clientInfo: { name: 'recorder' }, rootUri: pathToFileURL(project).href, initializationOptions: { hasWidgets: false },
  capabilities: {
    textDocument: { completion: { completionItem: { insertReplaceSupport: true } } },
    window: { showDocument: { support: false } },
    workspace: { applyEdit: false, workspaceEdit: { documentChanges: true } },
    lean: { silentDiagnosticSupport: true, incrementalDiagnosticSupport: true, rpcWireFormat: 'v1' },
  },
});
notify('initialized', {});
save('handshake');

notify('textDocument/didOpen', { textDocument: { uri, languageId: 'lean4', version: 1, text }, dependencyBuildMode: 'once' });
const barrier = request('textDocument/waitForDiagnostics', { uri, version: 1 });
await request('$/lean/plainGoal', at(1, 2));       // answered while the sleep below still runs
await barrier;
save('open-and-check');

for (const position of [at(0, 3), at(1, 2), at(1, 6), at(1, lines[1].length), at(8, 2), at(8, lines[8].length), at(9, 2), at(9, lines[9].length)]) {
  await request('$/lean/plainGoal', position);
}
await request('$/lean/plainTermGoal', at(1, 8));
await request('textDocument/hover', at(1, 8));
await request('textDocument/codeAction', { textDocument: { uri }, range: { start: { line: 13, character: 26 }, end: { line: 13, character: 26 } }, context: { diagnostics: [] } });
const connected = await request('$/lean/rpc/connect', { uri });
await request('$/lean/rpc/call', { ...at(1, 2), sessionId: connected.result?.sessionId, method: 'Lean.Widget.getInteractiveGoals', params: at(1, 2) });
await request('$/lean/rpc/call', { ...at(8, lines[8].length), sessionId: connected.result?.sessionId, method: 'Lean.Widget.getInteractiveGoals', params: at(8, lines[8].length) });
await request('textDocument/documentSymbol', { textDocument: { uri } });
save('questions');

change(2, { start: { line: 1, character: 2 }, end: { line: 1, character: lines[1].length } }, 'rw [Nat.add_com]');
const edited = request('textDocument/waitForDiagnostics', { uri, version: 2 });
await request('$/lean/plainGoal', at(1, 2));
await edited;
save('edit-to-error');

change(3, { start: { line: 4, character: 8 }, end: { line: 4, character: 12 } }, '30000');
const cancelled = request('textDocument/waitForDiagnostics', { uri, version: 3 });
await request('$/lean/plainGoal', at(1, 2));
notify('$/cancelRequest', { id: nextId - 2 });
change(4, { start: { line: 4, character: 8 }, end: { line: 4, character: 13 } }, '300');
await cancelled;
await request('textDocument/waitForDiagnostics', { uri, version: 4 });
save('cancel-and-edit');

notify('textDocument/didClose', { textDocument: { uri } });
await request('$/lean/plainGoal', at(1, 2));       // a closed document: -32801
await request('$/lean/noSuchMethod', {});
await request('shutdown', {});
notify('exit');
server.stdin.end();
await new Promise(resolve => server.once('exit', resolve));
save('close-and-shutdown');
fs.rmSync(project, { recursive: true, force: true });
