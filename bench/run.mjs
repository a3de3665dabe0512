// Runs the measures and shows them: see scripts/bench, which starts it.
//
//   node bench/run.mjs [ROW…] [--quick] [--no-peer] [--write]
import fs from 'node:fs';
import path from 'node:path';
import { circumstances } from './lib/circumstances.mjs';
import { table, writeDocument } from './lib/report.mjs';
import { Peer } from './lib/sides.mjs';

/** In the order of docs/benchmarks.md; the cheap ones can be run while other work is going on. */
const ROWS = ['startup', 'memory', 'slow-file', 'warm-goals', 'two-files', 'attempts', 'bytes', 'growth', 'stale'];
const root = path.resolve(import.meta.dirname, '..');
const results = path.join(root, 'build', 'bench');

function usage(text) {
  process.stderr.write(`${text}\nscripts/bench [ROW…] [--quick] [--no-peer] [--write]; rows: ${ROWS.join(' ')}\n`);
  process.exit(2);
}

const options = { quick: false, peer: true, write: false };
const chosen = [];
for (const word of process.argv.slice(2)) {
  if (word === '--quick') options.quick = true;
  else if (word === '--no-peer') options.peer = false;
  else if (word === '--write') options.write = true;
  else if (ROWS.includes(word)) chosen.push(word);
  else usage(`"${word}" is no row and no option`);
}
if (options.write && options.quick) usage('--write is for whole runs, not for --quick');

const program = process.env.LEANBRIDGE_BENCH_PEER;
Peer.program = program || undefined;
if (options.peer && !Peer.program) {
  process.stdout.write('lean-lsp-mcp is skipped: it is not installed (PyPI was not reachable, or --no-peer was meant)\n');
  options.peer = false;
}

fs.mkdirSync(results, { recursive: true });
const suffix = options.quick ? '.quick.json' : '.json';
let failed = 0;
for (const name of ROWS.filter(row => !chosen.length || chosen.includes(row))) {
  const measure = await import(`./measures/${name}.mjs`);
  const before = circumstances(Peer.program);
  const started = performance.now();
  process.stdout.write(`\n## ${measure.title}\nGoal: ${measure.goal}\n\n`);
  try {
    const { lines, notes, data } = await measure.run({ quick: options.quick, peer: options.peer });
    const result = { name, title: measure.title, goal: measure.goal, lines, notes, ...before, load_after: circumstances(undefined).load,
      seconds: Math.round((performance.now() - started) / 1000), quick: options.quick, command: `scripts/bench ${process.argv.slice(2).join(' ')}`.trim(), data };
    fs.writeFileSync(path.join(results, `${name}${suffix}`), `${JSON.stringify(result, undefined, 1)}\n`);
    process.stdout.write(`${table(lines)}\n${notes.map(note => `\n${note}\n`).join('')}\n(${result.seconds} s; load ${result.load} before, ${result.load_after} after)\n`);
  } catch (error) {
    failed++;
    process.stdout.write(`failed: ${error.stack}\n`);
  }
}

if (options.write) {
  const rows = ROWS.map(name => path.join(results, `${name}.json`)).filter(file => fs.existsSync(file)).map(file => JSON.parse(fs.readFileSync(file, 'utf8')));
  writeDocument(path.join(root, 'docs', 'benchmarks.md'), rows);
  process.stdout.write('\ndocs/benchmarks.md: rewritten\n');
}
process.exit(failed ? 1 : 0);
