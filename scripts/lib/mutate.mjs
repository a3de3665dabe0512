// scripts/mutate, once everything is installed. The working tree is only read: patches are applied to a copy of it, in build/mutants/tree.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Builder } from './mutant-build.mjs';
import { endLeftovers, stopAll } from './mutant-run.mjs';
import { judge, targetsOf } from './mutant-tests.mjs';
import { applied, check, filesOf, readMutants, root, testsOf } from './mutants.mjs';

const work = path.join(root, 'build/mutants');
// Two copies: while one waits for a single compiler or a test, the other continues.
const TREES = ['tree-1', 'tree-2'].map(name => path.join(work, name));
const started = performance.now();
const say = text => console.log(`[${String(Math.round((performance.now() - started) / 1000)).padStart(4)} s] ${text}`);

function stop(text) {
  console.error(`mutate: ${text}`);
  process.exit(2);
}

function readArguments() {
  try {
    const flag = { type: 'boolean', default: false };
    return parseArgs({ options: { short: flag, apart: flag, list: flag, check: flag, preset: { type: 'string', default: 'release' } }, allowPositionals: true });
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

// What git does not track is large and does not change: the copy links to it.
const LINKED = ['node_modules', 'toolchain', '.lake'];

function copyTree(tree) {
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
 * Mutants that can share a build: they patch different files, and different tests cover them. The required message rules out that a test
 * fails because of another mutant. One that is `apart` breaks what other tests need; so does each that the runs with faults cover.
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

const builder = new Builder(values.preset);
const count = { killed: 0, survived: 0 };

function told(mutant, { killed, said, why }) {
  count[killed ? 'killed' : 'survived']++;
  const first = (said ?? why).trim().split('\n').slice(0, killed ? 1 : 12).join('\n').slice(0, killed ? 160 : 2000);
  say(`${killed ? 'killed  ' : 'SURVIVED'} ${mutant.name} (${mutant.of}): ${first}`);
}

const restore = (tree, files) => { for (const file of files) fs.copyFileSync(path.join(root, file), path.join(tree, file)); };

async function runGroup(tree, group, name) {
  const folder = path.join(work, name);
  const texts = new Map(group.flatMap(mutant => [...applied(mutant)]));
  for (const [file, text] of texts) fs.writeFileSync(path.join(tree, file), text);
  const targets = [...new Set(group.flatMap(targetsOf))];
  let made = { programs: {} };
  if (targets.length) made = await builder.make(tree, targets, [...texts.keys()].filter(file => /\.(cpp|hpp)$/.test(file)), folder);
  const unclear = [];
  await Promise.all(group.map(async mutant => {
    const verdict = made.problem ? { why: made.problem } : await judge(mutant, made.programs, tree);
    if (verdict.killed || group.length === 1) told(mutant, verdict);
    else unclear.push(mutant);
  }));
  restore(tree, texts.keys());
  fs.rmSync(folder, { recursive: true, force: true });
  // Another one of the group may be to blame: for what does not compile, or for what a test met first.
  for (const [i, mutant] of unclear.entries()) await runGroup(tree, [mutant], `${name}-${i + 1}`);
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    stopAll();
    try {
      fs.rmSync(work, { recursive: true, force: true, maxRetries: 5 });   // a killed process may still be writing
    } catch { /* the next run begins with it */ }
    say(`stopped: ${count.killed} killed, ${count.survived} survived so far`);
    process.exit(130);
  });

say(`${chosen.length} of ${all.length} mutants`);
fs.rmSync(work, { recursive: true, force: true });
for (const tree of TREES) copyTree(tree);
// First what needs no build, then the large builds, so that the end does not have to wait for one of them.
const built = mutant => targetsOf(mutant).length > 0;
const queue = [...groups(chosen.filter(mutant => !built(mutant))), ...groups(chosen.filter(built)).sort((a, b) => b.length - a.length)];
const ready = new Promise((resolve, reject) => {
  const targets = [...new Set(chosen.flatMap(targetsOf))];
  if (!targets.length) return resolve();
  say(`${builder.name}: ${targets.join(' ')}`);
  builder.prepare(targets).then(resolve, reject);
});
let number = 0;
async function workOff(tree) {
  for (let group; (group = queue.shift()) !== undefined;) {
    const name = `group-${++number}`;
    if (group.some(built)) await ready;
    say(`${name}, ${queue.length} more: ${group.map(mutant => mutant.name).join(' ')}`);
    await runGroup(tree, group, name);
  }
}
try {
  await Promise.all([ready, ...TREES.map(workOff)]);
  endLeftovers();
} catch (error) {
  stopAll();
  stop(error.message);
}
fs.rmSync(work, { recursive: true, force: true });
console.log(`${count.killed} killed, ${count.survived} survived`);
process.exit(count.survived || !count.killed ? 1 : 0);
