// Runs the end-to-end suites, several at a time if they may share the machine, and ends with "N passed, N failed, N skipped".
//
//   node tests/e2e/run-e2e.mjs [--leans KIND,…] [--part NAME] [SUITE…]     all suites, or those named, or those of a part (suites.mjs)
//
// --leans: the real Leans to run on (tests/support/leans.mjs), "all" for all installed ones. Default: the native one if there is
// one, else the WebAssembly one; and the small native one for what only that can show.
// The suites need Node 24; on an older one, this hands over to the Node beside the embedded Lean (installed by npm ci there).
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
if (Number(process.versions.node.split('.')[0]) < 24) {
  const home = path.join(here, '../../fixtures/lean-wasm');
  const node = path.join(home, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
  if (!fs.existsSync(node)) {
    console.error(`run-e2e: Node 24 is not installed in ${home}: run "npm ci" there first`);
    process.exit(2);
  }
  process.exit(spawnSync(node, [new URL(import.meta.url).pathname, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1);
}

const { run } = await import('node:test');
const { spec } = await import('node:test/reporters');
const { parseArgs } = await import('node:util');
const { LEANS, lean, leanOf } = await import('../support/leans.mjs');
const { isAlone, isShown, isUrgent, PARTS, runsOn, SUITES, suitesOf } = await import('./suites.mjs');
const { binary, isSanitized } = await import('../support/bridge.mjs');

// How many suites at a time: they spend half their time waiting, for Lean or for a deadline, but a sanitized program computes meanwhile. A
// worker of the WebAssembly Lean takes 2 GB.
const BESIDE = isSanitized() ? { wasm: 1, small: 1, other: 3 } : { wasm: 2, small: 2, other: 5 };
const LONGEST_MS = 45 * 60_000;   // the soak of `scripts/test --full`, with time to spare
// Every suite but those that cannot wait for a processor is nicer than usual, and so is what it starts.
const NICE = ['--import', 'data:text/javascript,import os from "node:os"; os.setPriority(10)'];

function stop(text) {
  console.error(`run-e2e: ${text}`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({ options: { leans: { type: 'string' }, part: { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    return stop(error.message);
  }
}
const { values, positionals } = readArguments();
if (values.part && !PARTS.includes(values.part)) stop(`no part "${values.part}" has suites; there are ${PARTS.join(', ')}`);
const wanted = values.part ? [...positionals, ...suitesOf(values.part)] : positionals;
for (const name of wanted) if (!(name in SUITES)) stop(`no suite "${name}"; there are ${Object.keys(SUITES).join(', ')}`);

/** The Leans of this run; LEANBRIDGE_TEST_LAKE replaces them all. */
function chooseLeans() {
  if (process.env.LEANBRIDGE_TEST_LAKE) return [lean];
  const named = values.leans?.split(',').filter(Boolean) ?? [];
  for (const kind of named) if (kind !== 'all' && !(kind in LEANS)) stop(`no Lean "${kind}"; there are ${Object.keys(LEANS).join(', ')}, or all`);
  const installed = Object.keys(LEANS).map(leanOf).filter(({ missing }) => !missing);
  if (named.includes('all')) return installed;
  // A requested Lean that is missing stays in the list: its suites count as skipped, with the reason.
  if (named.length) return named.map(leanOf);
  return [lean, ...installed.filter(({ kind }) => kind === 'small' && lean.kind === 'native')];
}
const leans = chooseLeans();
for (const { title, version, lake, missing } of leans) console.log(`Lean: ${title}${missing ? `: ${missing}` : `, ${version} (${lake})`}`);

const namesOn = (...kinds) => Object.keys(SUITES).filter(name => (!wanted.length || wanted.includes(name)) && kinds.some(kind => runsOn(name, kind)));

// What the suites of this run share: which tools every suite's clients called, and an index of Lean's library.
const shared = fs.mkdtempSync(path.join(os.tmpdir(), 'leanbridge-e2e-'));
process.on('exit', () => fs.rmSync(shared, { recursive: true, force: true }));
process.env.LEANBRIDGE_TEST_CALLS ??= path.join(shared, 'calls.jsonl');
process.env.LEANBRIDGE_TEST_INDEX = path.join(shared, 'index');

const count = { passed: 0, failed: 0, skipped: 0 };
const isSuite = event => event.details?.type === 'suite';
// A suite whose own hook failed is a failure of its own (a server that did not end, a process left behind); one with failed tests is not.
const hasFailedTests = event => isSuite(event) && event.details.error?.failureType === 'subtestsFailed';

async function runSuites(names, kind, concurrency) {
  if (names.length === 0) return;
  const files = names.map(name => path.join(here, `${name}.test.mjs`));
  // Without this, a suite that holds on to something would never end.
  const stream = run({ files, concurrency, timeout: LONGEST_MS, execArgv: names.every(isUrgent) ? [] : NICE, env: { ...process.env, LEANBRIDGE_TEST_LEAN: kind } });
  stream.on('test:pass', event => {
    const isLeftOut = event.skip !== undefined || event.todo !== undefined;   // or a whole suite, whose tests are then not reported
    if (isLeftOut || !isSuite(event)) count[isLeftOut ? 'skipped' : 'passed']++;
  });
  stream.on('test:fail', event => {
    if (hasFailedTests(event)) return;
    count[event.todo !== undefined ? 'skipped' : 'failed']++;
    // The reporter reports at the end, which can be an hour away.
    console.log(`✖ ${event.name}, in ${path.basename(event.file ?? '')}: ${String(event.details.error?.cause?.message ?? event.details.error?.message).slice(0, 4000)}`);
  });
  stream.compose(new spec()).pipe(process.stdout, { end: false });
  await new Promise(resolve => stream.on('end', resolve));
}

/** Runs the suites of several Leans side by side, with the first group also those that need no Lean; then, one by one, those that must be alone. */
async function runOn(group, isFirst) {
  const isFit = { together: ({ name, kind }) => !isAlone(name, kind) && !isUrgent(name), alone: ({ name, kind }) => isAlone(name, kind) };
  for (const [how, fits] of Object.entries(isFit)) {
    const runs = group.map(({ kind, title }, i) => {
      const names = (isFirst && i === 0 ? namesOn(undefined, kind) : namesOn(kind)).filter(name => fits({ name, kind }) && (isFirst || wanted.length || !isShown(name, kind)));
      if (names.length) console.log(`\n${isFirst && i === 0 ? 'without a real Lean, and ' : ''}on the ${title}, ${how}: ${names.join(' ')}`);
      const concurrency = how === 'alone' ? 1 : i === 0 ? BESIDE[kind] ?? BESIDE.other : BESIDE.small;
      return () => runSuites(names, kind, concurrency);
    });
    if (how === 'together') await Promise.all([...isFirst ? [runSuites(namesOn(undefined).filter(isUrgent), lean.kind, 1)] : [], ...runs.map(run => run())]);
    else for (const run of runs) await run();
  }
}
// The small native Lean is light: its few suites run beside those of the full one.
const groups = [];
for (const each of leans) {
  if (each.kind === 'small' && groups.at(-1)?.[0].kind === 'native') groups.at(-1).push(each);
  else groups.push([each]);
}
for (const [i, group] of groups.entries()) await runOn(group, i === 0);
// A suite that was requested by name but that none of these Leans can run is a failure.
const idle = wanted.filter(name => ![undefined, ...leans.map(({ kind }) => kind)].some(kind => runsOn(name, kind)));
for (const name of idle) console.log(`﹣ ${name} runs on ${SUITES[name].leans.join(', ')}`);
count.skipped += idle.length;

/** With all suites, one more test: every tool has answered, on a real Lean, and refused something. */
async function judgeCalls() {
  const { groupsOf, missingCalls, readCalls } = await import('../support/tool-coverage.mjs');
  const listing = spawnSync(binary, ['tools'], { encoding: 'utf8' }).stdout ?? '';
  const groups = groupsOf(listing);
  const missing = missingCalls(readCalls(process.env.LEANBRIDGE_TEST_CALLS), groups, { real: leans.some(({ missing }) => !missing) });
  if (Object.keys(groups).length === 0) missing.push(`${binary} lists no tools`);
  for (const text of missing) console.log(`✖ ${text}`);
  if (missing.length === 0) console.log(`✔ each of ${Object.keys(groups).length} tools has answered and refused`);
  count[missing.length ? 'failed' : 'passed']++;
}
if (!wanted.length) await judgeCalls();
process.on('exit', () => console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`));
if (count.failed || count.passed + count.skipped === 0) process.exitCode = 1;
