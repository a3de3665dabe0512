// A `lake serve` that costs nothing: it ignores the text, has every file elaborated at once, with the same goal everywhere and
// as many messages as its settings say. Measurements with it show the cost of what is in front of it.
//
//   node constant-lake.mjs FOLDER serve -- ARGS
import fs from 'node:fs';
import path from 'node:path';
import { MessageReader } from '../../fixtures/lean-wasm/lib/frames.mjs';

const [folder] = process.argv.slice(2);
const settings = () => JSON.parse(fs.readFileSync(path.join(folder, 'settings.json'), 'utf8'));
const counts = { bytes: 0, opened: 0, changed: 0 };
/** In one step: a scratch document may be opened while the counts are read. */
function note() {
  fs.writeFileSync(path.join(folder, 'counts.new'), JSON.stringify(counts));
  fs.renameSync(path.join(folder, 'counts.new'), path.join(folder, 'counts.json'));
}
note();

function send(body) {
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
const answer = (id, result) => send(JSON.stringify({ jsonrpc: '2.0', id, result }));

let made = { of: -1 };
/** The messages as JSON text, made once for each count: one per line. */
function messages(count) {
  if (made.of !== count) {
    const items = Array.from({ length: count }, (_, line) => {
      const range = { start: { line, character: 2 }, end: { line, character: 20 } };
      return JSON.stringify({ source: 'Lean 4', severity: 2, range, fullRange: range, message: `\`h${line}\` has been deprecated: Use \`k${line}\` instead` });
    });
    if (settings().proved) items.push(JSON.stringify({ source: 'Lean 4', severity: 3, range: { start: { line: 0, character: 8 }, end: { line: 0, character: 12 } }, message: 'Goals accomplished!', leanTags: [2] }));
    made = { of: count, text: `[${items.join(',')}]` };
  }
  return made.text;
}

function elaborated({ uri, version }) {
  send(`{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":${JSON.stringify(uri)},"version":${version},"diagnostics":${messages(settings().messages ?? 0)}}}`);
  send(JSON.stringify({ jsonrpc: '2.0', method: '$/lean/fileProgress', params: { textDocument: { uri, version }, processing: [] } }));
}

const goal = { goals: ['a b : Nat\nh : a = b\n⊢ a + 1 = b + 1'], rendered: '```lean\na b : Nat\nh : a = b\n⊢ a + 1 = b + 1\n```' };
const nothingLeft = { goals: [], rendered: 'no goals' };
const capabilities = { textDocumentSync: { openClose: true, change: 2, save: { includeText: true } }, hoverProvider: true, documentSymbolProvider: true };

const reader = new MessageReader(({ id, method, params }) => {
  switch (method) {
    case 'initialize': return answer(id, { capabilities, serverInfo: { name: 'Lean 4 Server', version: '0.3.0' } });
    case 'textDocument/didOpen': counts.opened++; note(); return elaborated(params.textDocument);
    case 'textDocument/didChange': counts.changed++; note(); return elaborated(params.textDocument);
    case 'textDocument/waitForDiagnostics': return answer(id, {});
    case '$/lean/plainGoal': return answer(id, settings().proved && params.position.character > 2 ? nothingLeft : goal);
    case 'textDocument/documentSymbol': return answer(id, []);
    case 'shutdown': return answer(id, null);
    case 'exit': return process.exit(0);
    default: if (id !== undefined && method) return send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'not here' } }));
  }
  return undefined;
});
process.stdin.on('data', chunk => { counts.bytes += chunk.length; reader.feed(chunk); });
process.stdin.on('end', () => process.exit(0));
