// Runs the test that must fail, and checks how it failed: by its own assertion, with the message that the mutant's `says` expects. A crash,
// a time-out or another failure kills nothing, since these can happen for other reasons.
import path from 'node:path';
import { partsOf, testsOf } from './mutants.mjs';
import { run } from './mutant-run.mjs';

const LIMIT_MS = 600_000;   // an index of the whole library

/** The program that a test needs; none if it needs none, or if the mutant says so. */
function targetOf(mutant, test) {
  const { kind, file } = partsOf(test);
  return { unit: 'leanbridge_unit', e2e: mutant.binary === false ? undefined : 'leanbridge', transcript: 'leanbridge', faults: 'leanbridge_faults' }[kind];
}

/** All programs that a mutant's tests need. */
export const targetsOf = mutant => [...new Set(testsOf(mutant).map(test => targetOf(mutant, test)).filter(Boolean))];

const entities = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
const plain = xml => xml.replace(/&(lt|gt|quot|apos|amp);/g, (_, name) => entities[name]);

// Escapes a title for Catch2's command line.
const escaped = title => title.replace(/[\\,["]/g, match => `\\${match}`);

async function unit({ program, mutant, file, title }) {
  const { output, late, signal } = await run(program, ['-#', `[#${path.basename(file, '.cpp')}]${escaped(title)}`, '-r', 'xml'], { limitMs: LIMIT_MS });
  if (late) return { why: 'the test did not end' };
  const cases = output.split('<TestCase ').slice(1);
  const found = cases.find(text => plain(/^name="([^"]*)"/.exec(text)?.[1] ?? '') === title);
  if (!found) return { why: `no test ran: ${output.slice(-300)}` };
  if (found.includes('<FatalErrorCondition') || !found.includes('</TestCase>')) return { why: `it crashed (${signal ?? 'no signal'}): ${output.slice(-600)}` };
  const failures = [...found.matchAll(/<(Expression success="false"|Failure)[\s\S]*?<\/(Expression|Failure)>/g)].map(([text]) => plain(text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')));
  return verdict(failures, mutant, found.includes('success="true"'));
}

/** `failures`: the message of each failed assertion. */
function verdict(failures, { says }, passed) {
  if (failures.some(text => says.test(text))) return { killed: true, said: failures.find(text => says.test(text)) };
  if (failures.length) return { why: `it failed, but not as it should (${says}): ${failures.join(' | ').slice(0, 600)}` };
  return { why: passed ? 'the test passes' : 'the test neither passed nor failed by an assertion' };
}

async function e2e({ program, mutant, tree, file, title }) {
  const reporter = path.join(import.meta.dirname, 'mutant-reporter.mjs');
  const pattern = `${title.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}$`;   // node prefixes the names of its suites
  const env = { ...(program && { LEANBRIDGE_BINARY: program }), ...(mutant.lean && { LEANBRIDGE_TEST_LEAN: mutant.lean }) };
  const { output, late } = await run(process.execPath, [`--test-name-pattern=${pattern}`, '--test-reporter', reporter, path.join(tree, file)], { cwd: tree, env, limitMs: LIMIT_MS });
  const events = output.split('\n').filter(line => line.startsWith('@mutant ')).map(line => JSON.parse(line.slice(8))).filter(({ name }) => name === title || name.endsWith(`: ${title}`));
  if (late || events.some(({ kind }) => /[tT]imeout/.test(kind ?? ''))) return { why: 'the test did not end' };
  if (!events.length) return { why: `no test ran: ${output.slice(-600)}` };
  const failed = events.filter(({ kind }) => kind);
  const byAssertion = failed.filter(({ assertion }) => assertion);
  if (failed.length && !byAssertion.length) return { why: `it failed by no assertion: ${failed[0].message.slice(0, 600)}` };
  return verdict(byAssertion.map(({ message }) => message), mutant, failed.length === 0 && !events.some(({ skipped }) => skipped));
}

async function faults({ program, mutant, title }) {
  const { first = 1, count = 100 } = mutant.runs ?? {};
  const { output, late } = await run(program, ['--first', String(first), '--runs', String(count), '--until', title], { limitMs: LIMIT_MS });
  const others = output.split('\n').filter(line => line.startsWith('seed '));
  const said = others.find(line => line.includes(title));
  if (said) return { killed: true, said };
  if (late) return { why: 'the runs did not end' };
  return { why: others.length ? `runs fail, but not as they should: ${others.slice(0, 3).join(' | ').slice(0, 600)}` : `all runs pass: ${output.slice(-300)}` };
}

async function lint({ mutant, tree, title }) {
  const script = `set -euo pipefail; ROOT=$1; NODE=$2; cd "$1"; source scripts/lib/lint.sh; ${title}`;
  const { status, output, late } = await run('bash', ['-c', script, 'lint', tree, process.execPath], { cwd: tree, limitMs: LIMIT_MS });
  if (late) return { why: 'the lint did not end' };
  return verdict(status === 0 ? [] : [output], mutant, status === 0);
}

const transcript = test => e2e({ ...test, file: 'tests/e2e/transcripts.test.mjs' });

const RUNNERS = { unit, e2e, transcript, faults, lint };

/** {killed, said} or {why}: killed if each of the tests failed as it should. */
export async function judge(mutant, programs, tree) {
  let last;
  for (const test of testsOf(mutant)) {
    const { kind, file, title } = partsOf(test);
    last = await RUNNERS[kind]({ mutant, tree, file, title, program: programs[targetOf(mutant, test)] });
    if (!last.killed) return { why: `${test}: ${last.why}` };
  }
  return last;
}
