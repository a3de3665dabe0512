// The mutants: what each takes out, whether its patch fits, and whether every promise has one (tests/mutants/README.md).
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { definesTest } from './promises.mjs';

export const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'tests/mutants');
const KEYS = ['name', 'of', 'takes', 'patch', 'test', 'says', 'short', 'apart', 'runs', 'lean', 'binary'];

/** All mutants, in order of file and position; each with `source`, the file that defines it. */
export async function readMutants() {
  const mutants = [];
  for (const file of fs.readdirSync(folder).filter(name => name.endsWith('.mjs')).sort())
    for (const mutant of (await import(pathToFileURL(path.join(folder, file)))).default)
      mutants.push({ ...mutant, source: path.join('tests/mutants', file) });
  return mutants;
}

/** The tests that must fail, each as `FILE "title"`, like in docs/security.md. */
export const testsOf = ({ test }) => [test].flat();

/** The parts and the kind of such a test. */
export function partsOf(test) {
  const [, file, title] = /^(\S+) "(.*)"$/s.exec(test) ?? [];
  const kind = [['unit', /^tests\/unit\/.*\.cpp$/], ['e2e', /^tests\/e2e\/.*\.test\.mjs$/], ['transcript', /^fixtures\/transcripts\/.*\.txt$/], ['faults', /^tests\/faults\//],
    ['lint', /^scripts\/lib\/lint\.sh$/]].find(([, pattern]) => pattern.test(file ?? ''))?.[0];
  return { kind, file, title };
}

/** The text with the patch applied; throws unless each part occurs exactly once. */
export function patched(text, { file, find, put }) {
  const times = text.split(find).length - 1;
  if (times !== 1) throw new Error(`${file} has the text ${times} times: ${JSON.stringify(find.slice(0, 120))}`);
  if (find === put) throw new Error(`${file}: the patch changes nothing`);
  return text.replace(find, () => put);
}

export const filesOf = ({ patch }) => [...new Set(patch.map(({ file }) => file))];

/** Each file of the patch, with the patch applied. */
export function applied({ patch }) {
  const texts = new Map();
  for (const part of patch) texts.set(part.file, patched(texts.get(part.file) ?? fs.readFileSync(path.join(root, part.file), 'utf8'), part));
  return texts;
}

// The runs with faults contain their messages as strings.
function isThere(kind, file, title) {
  const text = fs.existsSync(path.join(root, file)) ? fs.readFileSync(path.join(root, file), 'utf8') : '';
  return kind === 'faults' ? text.replace(/"\s*\n\s*"/g, '').includes(title) : definesTest(file, text, title) || isAttack(title);
}

// The end-to-end tests of certify have one for each folder of tests/attacks.
function isAttack(title) {
  const [, name, how] = /^([a-z-]+): (.*)$/s.exec(title) ?? [];
  const file = path.join(root, 'tests/attacks', name ?? '', 'attack.json');
  return name !== undefined && fs.existsSync(file) && JSON.parse(fs.readFileSync(file, 'utf8')).how === how;
}

function problemsOf(mutant) {
  const problems = [];
  for (const key of Object.keys(mutant)) if (key !== 'source' && !KEYS.includes(key)) problems.push(`"${key}" is no property of a mutant`);
  for (const key of KEYS.slice(0, 5)) if (!mutant[key]?.length) problems.push(`"${key}" is missing`);
  if (problems.length) return problems;
  for (const test of testsOf(mutant)) {
    const { kind, file, title } = partsOf(test);
    if (!kind) problems.push(`${test} is not a test that can run alone`);
    else if (!isThere(kind, file, title)) problems.push(`${file} has no "${title}"`);
    if (kind !== 'faults' && !(mutant.says instanceof RegExp)) problems.push('"says" is missing: what the failed assertion says');
  }
  try {
    applied(mutant);
  } catch (error) {
    problems.push(error.message);
  }
  return problems;
}

/** The promises of docs/security.md and the rules of the runs with faults (docs/testing.md). */
export function promises() {
  const read = file => fs.readFileSync(path.join(root, file), 'utf8');
  const numbers = text => [...text.matchAll(/^(\d+)\. /gm)].map(([, number]) => number);
  const faults = read('docs/testing.md').split('\n## ').find(section => section.startsWith('Runs with faults')) ?? '';
  return [...numbers(read('docs/security.md')).map(number => `security ${number}`), ...numbers(faults).map(number => `faults ${number}`)];
}

/** The problems of the list, one sentence each. */
export function check(mutants) {
  const problems = [];
  const names = new Set();
  for (const mutant of mutants) {
    if (names.has(mutant.name)) problems.push(`${mutant.source}: two mutants are called ${mutant.name}`);
    names.add(mutant.name);
    for (const problem of problemsOf(mutant)) problems.push(`${mutant.source}: ${mutant.name}: ${problem}`);
  }
  const all = promises();
  for (const promise of all) if (!mutants.some(({ of }) => of === promise)) problems.push(`tests/mutants: no mutant takes out "${promise}"`);
  for (const { name, of, source } of mutants) if (/^(security|faults) /.test(of) && !all.includes(of)) problems.push(`${source}: ${name}: there is no promise "${of}"`);
  return problems;
}
