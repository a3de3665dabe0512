// Runs the benchmarks and shows the results; started by scripts/bench.
//
//   node bench/run.mjs [ROW…] [--leans KIND,…] [--quick] [--no-peer] [--write]
//
// A row that needs a real Lean is measured on each of --leans (tests/support/leans.mjs; default: those that the row names, else the first
// that is installed; "all": all of them), one after another, each in a process of its own.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { LEANS, lean, leanOf } from '../tests/support/leans.mjs';
import { circumstances } from './lib/circumstances.mjs';
import { leanOf as leanOfRow, table, writeBetween, writeDocument } from './lib/report.mjs';
import { Peer } from './lib/sides.mjs';

/** In the order of docs/benchmarks.md; the cheap ones can run during other work. */
const ROWS = ['startup', 'memory', 'first-goal', 'tree-memory', 'slow-file', 'warm-goals', 'two-files', 'attempts', 'bytes', 'replay', 'trial', 'broken-import', 'sorries', 'growth', 'stale', 'clients', 'foreign', 'serving',
  'check-rate', 'check-runaways', 'check-growth', 'check-cost', 'install'];
const root = path.resolve(import.meta.dirname, '..');
const results = path.join(root, 'build', 'bench');

function usage(text) {
  process.stderr.write(`${text}\nscripts/bench [ROW…] [--leans KIND,…] [--quick] [--no-peer] [--write]; rows: ${ROWS.join(' ')}\n`);
  process.exit(2);
}

const options = { quick: false, peer: true, write: false, leans: undefined };
const chosen = [];
const words = process.argv.slice(2);
while (words.length) {
  const word = words.shift();
  if (word === '--quick') options.quick = true;
  else if (word === '--no-peer') options.peer = false;
  else if (word === '--write') options.write = true;
  else if (word === '--leans') options.leans = (words.shift() ?? usage('--leans needs names')).split(',');
  else if (ROWS.includes(word)) chosen.push(word);
  else usage(`"${word}" is no row and no option`);
}
if (options.leans?.includes('all')) options.leans = Object.keys(LEANS).filter(kind => kind !== 'small' && !leanOf(kind).missing);
for (const kind of options.leans ?? []) if (!(kind in LEANS)) usage(`no Lean "${kind}"; there are ${Object.keys(LEANS).join(', ')}, or all`);
if (options.write && options.quick) usage('--write is for whole runs, not for --quick');

const program = process.env.LEANBRIDGE_BENCH_PEER;
Peer.program = program || undefined;
if (options.peer && !Peer.program) {
  process.stdout.write('lean-lsp-mcp is skipped: it is not installed (PyPI was not reachable, or --no-peer was meant)\n');
  options.peer = false;
}

fs.mkdirSync(results, { recursive: true });
const measures = {};
for (const name of ROWS) measures[name] = await import(`./measures/${name}.mjs`);
/** The file of a row's result; a row on a real Lean has one for each kind. */
const fileOf = (name, kind, quick) => path.join(results, `${name}${measures[name].onRealLean ? `.${kind}` : ''}${quick ? '.quick' : ''}.json`);
let failed = 0;

async function measureHere(name) {
  const { title, goal, onRealLean = false, run } = measures[name];
  const before = circumstances(Peer.program);
  const started = performance.now();
  process.stdout.write(`\n## ${title}${onRealLean ? ` (${leanOfRow({ ...before, onRealLean })})` : ''}\nGoal: ${goal}\n\n`);
  let measured;
  try {
    measured = await run({ quick: options.quick, peer: options.peer });
  } catch (error) {
    failed++;
    process.stdout.write(`failed: ${error.stack}\n`);
    measured = { failed: error.message.split('\n')[0] || 'no message', lines: [], notes: [] };
  }
  const result = { name, title, goal, onRealLean, ...measured, ...before, load_after: circumstances(undefined).load, seconds: Math.round((performance.now() - started) / 1000),
    quick: options.quick, command: `scripts/bench ${process.argv.slice(2).join(' ')}`.trim() };
  fs.writeFileSync(fileOf(name, lean.kind, options.quick), `${JSON.stringify(result, undefined, 1)}\n`);
  if (!result.failed) process.stdout.write(`${table(result.lines)}\n${result.notes.map(note => `\n${note}\n`).join('')}\n(${result.seconds} s; load ${result.load} before, ${result.load_after} after)\n`);
}

/** Runs a row on another Lean, in a new process, since a process's Lean is fixed when it starts. */
function measureOn(kind, name) {
  const flags = [...(options.quick ? ['--quick'] : []), ...(options.peer ? [] : ['--no-peer'])];
  const { status } = spawnSync(process.execPath, [import.meta.filename, name, '--leans', kind, ...flags], { stdio: 'inherit', env: { ...process.env, LEANBRIDGE_TEST_LEAN: kind } });
  if (status !== 0) failed++;
}

for (const name of ROWS.filter(row => (chosen.length ? chosen.includes(row) : !measures[row].onlyNamed))) {
  if (!measures[name].onRealLean) { await measureHere(name); continue; }
  const own = measures[name].leans?.filter(kind => !leanOf(kind).missing);
  for (const kind of options.leans ?? (own?.length ? own : [lean.kind])) if (kind === lean.kind) await measureHere(name); else measureOn(kind, name);
}

if (options.write) {
  const files = ROWS.flatMap(name => (measures[name].onRealLean ? Object.keys(LEANS).map(kind => fileOf(name, kind, false)) : [fileOf(name)]));
  const rows = files.filter(file => fs.existsSync(file)).map(file => JSON.parse(fs.readFileSync(file, 'utf8')));
  writeDocument(path.join(root, 'docs', 'benchmarks.md'), rows);
  const costs = rows.filter(({ name, failed }) => name === 'check-cost' && !failed);
  if (costs.length) writeBetween(path.join(root, 'docs', 'scale.md'), measures['check-cost'].costTable(costs));
  process.stdout.write(`\ndocs/benchmarks.md${costs.length ? ' and docs/scale.md' : ''}: rewritten\n`);
}
process.exit(failed ? 1 : 0);
