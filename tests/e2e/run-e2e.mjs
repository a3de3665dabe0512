// Runs the end-to-end suites, two at a time where they may share the machine, and ends with "N passed, N failed, N skipped".
//
//   node tests/e2e/run-e2e.mjs [SUITE…]         all suites, or those named (SUITES below)
//
// The suites need Node 24; started with an older one, this hands over to the Node in node_modules (npm ci puts it there).
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
if (Number(process.versions.node.split('.')[0]) < 24) {
  const node = path.join(here, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
  if (!fs.existsSync(node)) {
    console.error(`run-e2e: Node 24 is not installed in ${here}: run "npm ci --ignore-scripts" there first`);
    process.exit(2);
  }
  process.exit(spawnSync(node, [new URL(import.meta.url).pathname, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1);
}

const { run } = await import('node:test');
const { spec } = await import('node:test/reporters');
// Two at a time: a suite waits for Lean's answers half of its time.
const SHARED = [
  'protocol',
  'tools',
  'lifetime',
  'killed-writes',
  'faults',
  'compiling',
  'prompts',
  'inspector',
  'conformance',
  'cli',
  'upstream',
  'upstream-http',
  'mcp-cli',
  'oauth',
  'resources',
  'session',
  'multi',
  'query',
  'search-local',
  'search',
  'corpus',
  'build',
  'steps',
];
// One after another: what they ask of the machine (all of its threads, most of its memory), or what they look at
// while it happens, leaves no room for a neighbour.
const ALONE = [
  'attempts',
  'memory',
  'slow',
  'crashes',
  'limits',
  'soak',
];
const SUITES = [...SHARED, ...ALONE];
const LONGEST_MS = 45 * 60_000;   // the soak of `scripts/test --full`, with time to spare
const wanted = process.argv.slice(2);
for (const name of wanted) if (!SUITES.includes(name)) { console.error(`run-e2e: no suite "${name}"; there are ${SUITES.join(', ')}`); process.exit(2); }
const filesOf = names => names.filter(name => !wanted.length || wanted.includes(name)).map(name => path.join(here, `${name}.test.mjs`));

// Every suite's clients tell here which tools they called.
const callsFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'leanbridge-calls-'));
process.on('exit', () => fs.rmSync(callsFolder, { recursive: true, force: true }));
process.env.LEANBRIDGE_TEST_CALLS ??= path.join(callsFolder, 'calls.jsonl');

const count = { passed: 0, failed: 0, skipped: 0 };
const isSuite = event => event.details?.type === 'suite';
// A suite whose own hook failed is a failure of its own (a server that did not end, a process left behind); one with failed tests is not.
const hasFailedTests = event => isSuite(event) && event.details.error?.failureType === 'subtestsFailed';

async function runSuites(names, concurrency) {
  const files = filesOf(names);
  if (files.length === 0) return;
  // A suite that holds on to something would otherwise be waited for without end.
  const stream = run({ files, concurrency, timeout: LONGEST_MS });
  stream.on('test:pass', event => { if (!isSuite(event)) count[event.skip !== undefined || event.todo !== undefined ? 'skipped' : 'passed']++; });
  stream.on('test:fail', event => { if (!hasFailedTests(event)) count[event.todo !== undefined ? 'skipped' : 'failed']++; });
  stream.compose(new spec()).pipe(process.stdout, { end: false });
  await new Promise(resolve => stream.on('end', resolve));
}
await runSuites(SHARED, 2);
await runSuites(ALONE, 1);

/** With all suites, as one more test: every tool has answered, on a real Lean, and refused something. */
async function judgeCalls() {
  const { binary } = await import('../support/bridge.mjs');
  const { skip } = await import('../support/session.mjs');
  const { groupsOf, missingCalls, readCalls } = await import('../support/tool-coverage.mjs');
  const listing = spawnSync(binary, ['tools'], { encoding: 'utf8' }).stdout ?? '';
  const groups = groupsOf(listing);
  const missing = missingCalls(readCalls(process.env.LEANBRIDGE_TEST_CALLS), groups, { real: !skip });
  if (Object.keys(groups).length === 0) missing.push(`${binary} lists no tools`);
  for (const text of missing) console.log(`✖ ${text}`);
  if (missing.length === 0) console.log(`✔ each of ${Object.keys(groups).length} tools has answered and refused`);
  count[missing.length ? 'failed' : 'passed']++;
}
if (!wanted.length) await judgeCalls();
process.on('exit', () => console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`));
if (count.failed || count.passed + count.skipped === 0) process.exitCode = 1;
