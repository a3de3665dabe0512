// scripts/mutate, once everything is installed. The working tree is only read: patches are put into a copy of it, in build/mutants/tree.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Builder } from './mutant-build.mjs';
import { inParallel, stopAll } from './mutant-run.mjs';
import { judge, targetsOf } from './mutant-tests.mjs';
import { applied, check, filesOf, readMutants, root, testsOf } from './mutants.mjs';

const work = path.join(root, 'build/mutants');
const tree = path.join(work, 'tree');
const JOBS = Math.max(1, Math.min(os.availableParallelism(), 8));
const started = performance.now();
const say = text => console.log(`[${String(Math.round((performance.now() - started) / 1000)).padStart(4)} s] ${text}`);

function stop(text) {
  console.error(`mutate: ${text}`);
  process.exit(2);
}

function readArguments() {
  try {
    const flag = { type: 'boolean', default: false };
    return parseArgs({ options: { short: flag, apart: flag, list: flag, check: flag }, allowPositionals: true });
  } catch (error) {
    return stop(error.message);
  }
}

const { values, positionals: wanted } = readArguments();
const all = await readMutants();
const problems = check(all);
if (values.list) {
  for (const { name, of, takes, test, short } of all) console.log(`${name.padEnd(36)} ${of.padEnd(12)} ${short ? 'short  ' : '       '}${takes}; ${[test].flat().join(', ')}`);
  process.exit(0);
}
for (const problem of problems) console.log(problem);
if (problems.length || values.check) process.exit(problems.length ? 1 : 0);
for (const name of wanted) if (!all.some(mutant => mutant.name === name)) stop(`no mutant "${name}": --list names them`);
const chosen = all.filter(({ name, short }) => (wanted.length ? wanted.includes(name) : !values.short || short));

// What git does not keep is large and stays the same: the copy has links to it.
const LINKED = ['node_modules', 'toolchain', '.lake'];

function copyTree() {
  fs.rmSync(work, { recursive: true, force: true });
  fs.mkdirSync(tree, { recursive: true });
  const filter = (source, target) => {
    if (!LINKED.includes(path.basename(source))) return true;
    fs.symlinkSync(source, target);
    return false;
  };
  for (const name of fs.readdirSync(root))
    if (!['.git', 'build'].includes(name)) fs.cpSync(path.join(root, name), path.join(tree, name), { recursive: true, verbatimSymlinks: true, filter });
}

const overlap = (some, others) => some.some(one => others.includes(one));

/**
 * Mutants that can be in one build: they patch different files, and different tests look at them. That a test fails for the other's sake is
 * ruled out by what it has to say. One that is `apart` breaks what other tests stand on; so does each that the runs with faults look at.
 */
function groups(mutants) {
  const together = [];
  const isApart = mutant => values.apart || mutant.apart || targetsOf(mutant).includes('leanbridge_faults');
  for (const mutant of mutants) {
    const fits = group => !isApart(mutant) && group.every(other => !isApart(other) && !overlap(testsOf(other), testsOf(mutant)) && !overlap(filesOf(other), filesOf(mutant)));
    const group = together.find(fits);
    if (group) group.push(mutant);
    else together.push([mutant]);
  }
  return together;
}

const builder = new Builder(tree, JOBS);
const count = { killed: 0, survived: 0 };

function told(mutant, { killed, said, why }) {
  count[killed ? 'killed' : 'survived']++;
  const first = (said ?? why).trim().split('\n').slice(0, killed ? 1 : 12).join('\n').slice(0, killed ? 160 : 2000);
  say(`${killed ? 'killed  ' : 'SURVIVED'} ${mutant.name} (${mutant.of}): ${first}`);
}

async function runGroup(group, number) {
  const folder = path.join(work, `group-${number}`);
  const files = group.flatMap(filesOf);
  const texts = new Map(group.flatMap(mutant => [...applied(mutant)]));
  for (const [file, text] of texts) fs.writeFileSync(path.join(tree, file), text);
  const targets = [...new Set(group.flatMap(targetsOf))];
  let made = { programs: {} };
  if (targets.length) made = await builder.make(targets, files.filter(file => /\.(cpp|hpp)$/.test(file)), folder);
  if (made.problem && group.length > 1) {
    // One of them does not compile; the others are not to blame.
    for (const file of texts.keys()) fs.copyFileSync(path.join(root, file), path.join(tree, file));
    for (const [i, mutant] of group.entries()) await runGroup([mutant], `${number}-${i}`);
    return;
  }
  if (made.problem) told(group[0], { why: made.problem });
  else await inParallel(JOBS, group, async mutant => told(mutant, await judge(mutant, made.programs, tree, folder)));
  for (const file of texts.keys()) fs.copyFileSync(path.join(root, file), path.join(tree, file));
  fs.rmSync(folder, { recursive: true, force: true });
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    stopAll();
    fs.rmSync(work, { recursive: true, force: true });
    say(`stopped: ${count.killed} killed, ${count.survived} survived so far`);
    process.exit(130);
  });

say(`${chosen.length} of ${all.length} mutants, ${JOBS} jobs`);
copyTree();
const noBuild = group => group.every(mutant => targetsOf(mutant).length === 0);
const byKind = [chosen.filter(mutant => !targetsOf(mutant).length), chosen.filter(mutant => targetsOf(mutant).length)];
const ordered = byKind.flatMap(groups);
const targets = [...new Set(chosen.flatMap(targetsOf))];
for (const [i, group] of ordered.entries()) {
  if (!noBuild(group) && !builder.dependencies) {
    say(`building ${targets.join(' ')} (asan)`);
    await builder.prepare(targets);
  }
  say(`group ${i + 1} of ${ordered.length}: ${group.map(({ name }) => name).join(' ')}`);
  await runGroup(group, i + 1);
}
fs.rmSync(work, { recursive: true, force: true });
console.log(`${count.killed} killed, ${count.survived} survived`);
process.exit(count.survived || !count.killed ? 1 : 0);
