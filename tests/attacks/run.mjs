// node tests/attacks/run.mjs [attacks|honest] [--lean small|native|wasm]... [--replay] [NAME...]
//
// `attacks` (the default) has every attack judged: each folder here has a challenge, a solution, and in attack.json how it cheats (`how`), on
// which Leans it works (`leans`), the verdict (`verdict`; "any": not certified) and what the reason says (`says`), or `sandboxed` has both for
// machines where bubblewrap keeps the attack from happening, and `replayed` for runs with a kernel; `args`, `env`, further `files` of the project, and `build`: what these files
// were when the project was built. `packages` has the files of packages that Lake has fetched and built, by name; `committed` those of a
// git commit, which `args` call COMMIT and which are all that `args` is about; {linkTo} is a symbolic link. With `afterBaseline`
// a baseline is recorded first, which `args` call BASELINE; then these files are written, or removed where there is null. The verdict "invalid" is a question that is not judged. It
// ends with "N attacks, 0 certified". `page` has what the page to be read must have, and must not have, if the attack is on its reader.
// `honest` does the same for honest proofs, and ends with "N honest, 0 refused".
// With --replay, Lean's own kernel checks the declarations again (Replay.lean). --kernels NAMES is passed on: kernels that must accept, too.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { binary, scratchProject } from '../support/bridge.mjs';
import { leanOf } from '../support/leans.mjs';
import { pairs } from './honest.mjs';

const here = import.meta.dirname;

/** The attacks: [{name, how, leans, verdict, says, challenge, solution, ...}]. */
export const attacks = () => fs.readdirSync(here, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(entry => {
  const read = file => fs.readFileSync(path.join(here, entry.name, file), 'utf8');
  return { name: entry.name, ...JSON.parse(read('attack.json')), challenge: read('challenge.lean'), solution: read('solution.lean') };
});

/**
 * LEANBRIDGE_ATTACKS: "each" on one Lean (the default), or a "sample", for a second build in the same run. Beside a native Lean, the WebAssembly
 * one, which takes ten times as long for a text, gets only the sample.
 */
const { LEANBRIDGE_ATTACKS: extent, LEANBRIDGE_TEST_LEAN: kind } = process.env;
export const isSample = extent === 'sample' || (kind === 'wasm' && !leanOf('native').missing);
/** One attack in four of a run that is a sample. */
export const sampleOf = list => list.filter((_, i) => !isSample || i % 4 === 0);

/** Runs `leanbridge certify --json`: {code, certificate or error, stderr}. */
export function certify(args, { cwd, lake, env = {} }) {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, ['certify', '--json', '--lake', lake, ...args], { cwd, env: { ...process.env, LEAN_PROJECT_PATH: '', ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '', stderr = '';
    child.stdout.on('data', chunk => { stdout += chunk; });
    child.stderr.on('data', chunk => { stderr += chunk; });
    child.once('error', reject);
    child.once('close', code => {
      let certificate;
      try { certificate = JSON.parse(stdout); } catch { /* shown by whoever expects one */ }
      resolve({ code, certificate, error: certificate?.error, stdout, stderr });
    });
  });
}

/** A command that replays with Lean's own kernel: a native Lean, whose library has what that takes, runs Replay.lean. undefined: there is none. */
export function replayKernel(lean) {
  const program = lean.kind === 'elan' ? undefined : leanOf('native');
  return program && !program.missing && lean.kind !== 'wasm' ? `${program.installed} --run ${path.join(here, 'Replay.lean')}` : undefined;
}

/** A project with the two texts and further files, built with the files of `build` if there are any. */
function projectOf({ challenge, solution, files = {}, build }, lake) {
  const project = scratchProject({ ...files, 'Challenge.lean': challenge, 'Solution.lean': solution });
  if (build) {
    const write = texts => { for (const [name, text] of Object.entries(texts)) fs.writeFileSync(path.join(project, name), text); };
    write(build);
    const built = spawnSync(lake, ['build', ...Object.keys(build).map(name => `+${name.replace(/\.lean$/, '').replaceAll('/', '.')}`)], { cwd: project, encoding: 'utf8' });
    if (built.status !== 0) throw new Error(`lake build: ${built.stdout}${built.stderr}`);
    write(files);
  }
  return project;
}

/** Writes packages as if Lake had fetched them, and builds them. */
function addPackages(project, packages, lake) {
  for (const [name, files] of Object.entries(packages)) {
    const folder = path.join(project, '.lake/packages', name);
    const modules = Object.keys(files).filter(file => file !== 'lakefile.lean').map(file => file.replace(/\.lean$/, ''));
    const lakefile = `name = "${name}"\n${modules.map(module => `\n[[lean_lib]]\nname = "${module}"\n`).join('')}`;
    for (const [file, text] of Object.entries({ 'lakefile.toml': lakefile, ...files })) {
      fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      fs.writeFileSync(path.join(folder, file), text);
    }
    const { status, stdout, stderr } = spawnSync(lake, ['build', ...modules], { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`lake build: ${stdout}${stderr}`);
  }
  const manifest = { version: '1.1.0', packagesDir: '.lake/packages', packages: Object.keys(packages).map(name => ({ type: 'git', name, url: 'https://example.org/', rev: '0'.repeat(40), inherited: false })) };
  fs.writeFileSync(path.join(project, 'lake-manifest.json'), JSON.stringify(manifest));
}

/** Commits these files, then lets the working tree be as it was; the commit. */
function commitIn(project, committed) {
  const kept = fs.mkdtempSync(path.join(os.tmpdir(), 'leanbridge-kept-'));
  fs.cpSync(project, kept, { recursive: true });
  fs.rmSync(project, { recursive: true });
  fs.mkdirSync(project);
  for (const [file, text] of Object.entries(committed)) {
    fs.mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    if (text.linkTo) fs.symlinkSync(text.linkTo, path.join(project, file));
    else fs.writeFileSync(path.join(project, file), text);
  }
  const git = (...args) => spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], { cwd: project, encoding: 'utf8' });
  for (const args of [['init', '-q'], ['add', '.'], ['commit', '-qm', 'a']]) git(...args);
  const commit = git('rev-parse', 'HEAD').stdout.trim();
  fs.cpSync(kept, project, { recursive: true });
  fs.rmSync(kept, { recursive: true });
  return commit;
}

/** Records a baseline outside of the project, then changes the project; the baseline's file. */
async function recordBaseline(project, changes, lake) {
  const baseline = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'leanbridge-baseline-')), 'baseline.json');
  const { code, stdout, stderr } = await certify(['--record-baseline', baseline], { cwd: project, lake });
  if (code !== 0) throw new Error(`certify --record-baseline: ${stdout}${stderr}`);
  for (const [file, text] of Object.entries(changes)) {
    fs.rmSync(path.join(project, file), { recursive: true, force: true });
    if (text === null) continue;
    fs.mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
    fs.writeFileSync(path.join(project, file), text);
  }
  return baseline;
}

/** What a reason says, in one text. */
const reasons = ({ reason, names = [] }) => [reason, ...names.map(name => `${name.name}: ${name.reason}`)].join('\n');

/** What is wrong with a verdict on an attack; undefined: nothing. */
function problemOf(attack, certificate, kernel) {
  const { verdict } = certificate;
  const expected = (kernel && attack.replayed) || (certificate.sandbox === 'bubblewrap' && attack.sandboxed) || attack;
  if (verdict === 'certified') return `CERTIFIED: ${reasons(certificate)}`;
  if (verdict === 'refused' && expected.verdict === 'incomplete' && certificate.kernel && /does not accept/.test(certificate.reason)) return undefined;   // better
  if (expected.verdict !== 'any' && expected.verdict !== verdict) return `${verdict}, not ${expected.verdict}: ${reasons(certificate)}`;
  return new RegExp(expected.says).test(reasons(certificate)) ? undefined : `the reason does not say ${expected.says}: ${reasons(certificate)}`;
}

/** What a person is given to read, in one text. */
const readable = ({ page, holes = [] }) => [...(page?.items ?? []), ...holes].map(({ kind, name, text, in_full: inFull, constructors }) =>
  [`${kind} ${name} ${text}`, ...(inFull ? [`in full: ${inFull}`] : []), ...constructors].join('\n')).join('\n');

/** What is wrong with the page; undefined: nothing. */
function problemOfPage({ page: { shows, hides } }, certificate) {
  const text = readable(certificate);
  const missing = shows.find(part => !text.includes(part)), there = hides.find(part => text.includes(part));
  return missing ? `the page lacks ${missing}: ${text}` : there && `the page has ${there}: ${text}`;
}

/** Judges one attack: undefined, or what is wrong. */
export async function judgeAttack(attack, lean, kernel, more = []) {
  const project = projectOf(attack, lean.lake);
  let baseline;
  try {
    if (attack.packages) addPackages(project, attack.packages, lean.lake);
    if (attack.afterBaseline) baseline = await recordBaseline(project, attack.afterBaseline, lean.lake);
    const commit = attack.committed && commitIn(project, attack.committed);
    if (baseline) attack = { ...attack, args: attack.args.map(arg => arg.replace('BASELINE', baseline)) };
    const args = commit ? attack.args.map(arg => arg.replace('COMMIT', commit)) : ['Challenge.lean', 'Solution.lean', ...(attack.args ?? [])];
    const { code, certificate, stdout, stderr } = await certify([...args, ...(attack.page ? ['--page', '-'] : []), ...(kernel ? ['--kernel', kernel] : []), ...more], { cwd: project, lake: lean.lake, env: attack.env });
    // Where every file is a module, some do not compile, and names that are not exported are others: the reasons differ.
    if (lean.everyFileIsModule) return code === 0 || certificate?.verdict === 'certified' ? `CERTIFIED: ${stdout}` : undefined;
    if (attack.verdict === 'invalid' && code === 2 && new RegExp(attack.says).test(certificate?.error?.message ?? stderr)) return undefined;
    if (!certificate || certificate.error) return `no verdict (${code}): ${stdout}${stderr}`;
    if (code === 0) return `CERTIFIED: ${reasons(certificate)}`;
    const problem = problemOf(attack, certificate, kernel) ?? (attack.page && problemOfPage(attack, certificate));
    if (problem) return problem;
    if (code !== { refused: 1, incomplete: 3, filled: 5 }[certificate.verdict]) return `exit code ${code} for ${certificate.verdict}`;
    return undefined;
  } finally {
    for (const folder of [project, ...(baseline ? [path.dirname(baseline)] : [])]) fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether an attack is nothing but its two texts. */
export const isPlain = ({ args, env, files, build, packages, committed, page }) => !(args ?? env ?? files ?? build ?? packages ?? committed ?? page);

/**
 * Judges plain attacks as one batch, two at a time: those that begin alike share what was imported. [what is wrong, by name], and the line that
 * sums them up.
 */
export async function judgeBatch(plain, lean) {
  const project = scratchProject({ 'pairs.jsonl': plain.map(({ name, challenge, solution }) => JSON.stringify({ id: name, challenge, solution })).join('\n') });
  try {
    const { stdout, stderr } = await certify(['--input', 'pairs.jsonl', '--jobs', '2'], { cwd: project, lake: lean.lake });
    const answers = new Map(stdout.split('\n').filter(Boolean).map(line => JSON.parse(line)).map(answer => [answer.id, answer]));
    const problems = plain.map(attack => {
      const answer = answers.get(attack.name);
      if (!answer || answer.verdict === 'invalid') return attack.verdict === 'invalid' ? undefined : `${attack.name}: no verdict: ${answer?.reason ?? stderr}`;
      const problem = problemOf(attack, answer);
      return problem && `${attack.name}: ${problem}`;
    });
    return { problems: problems.filter(Boolean), summary: stderr.trim() };
  } finally {
    fs.rmSync(project, { recursive: true, force: true });
  }
}

/** Judges one honest pair: {count, refused: [text]}. On a Lean whose library has no proofs a verdict may be incomplete. */
export async function judgeHonest(pair, lean, kernel, more = []) {
  const project = projectOf(pair, lean.lake);
  try {
    const { certificate, stdout, stderr } = await certify(['Challenge.lean', 'Solution.lean', ...(kernel ? ['--kernel', kernel] : ['--without-replay']), ...more], { cwd: project, lake: lean.lake });
    if (!certificate || certificate.error) return { count: pair.theorems.length, refused: [`no verdict: ${stdout}${stderr}`] };
    const wanted = lean.hasLibraryProofs ? ['certified'] : ['certified', 'incomplete'];
    const refused = pair.theorems.filter(name => !wanted.includes(certificate.names.find(one => one.name === name)?.verdict));
    if (!wanted.includes(certificate.verdict)) refused.push('the whole');
    else if (kernel && !certificate.kernel_replayed) refused.push('the replay');
    return { count: pair.theorems.length, refused: refused.map(name => `${name}: ${reasons(certificate)}`) };
  } finally {
    fs.rmSync(project, { recursive: true, force: true });
  }
}

/** Runs `work` on all items, a few at a time. */
export async function all(items, work, jobs = Math.max(1, Math.min(4, os.availableParallelism()))) {
  const rest = [...items];
  const results = [];
  await Promise.all(Array.from({ length: jobs }, async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) results.push([item, await work(item)]);
  }));
  return results;
}

async function main() {
  const { values, positionals } = parseArgs({ options: { lean: { type: 'string', multiple: true }, replay: { type: 'boolean' }, kernels: { type: 'string' } }, allowPositionals: true });
  const what = ['attacks', 'honest'].includes(positionals[0]) ? positionals.shift() : 'attacks';
  const leans = (values.lean ?? ['small', 'native']).map(leanOf).filter(lean => {
    if (lean.missing) console.log(`left out: ${lean.kind}: ${lean.missing}`);
    return !lean.missing;
  });
  let count = 0, bad = 0, wrong = 0;
  for (const lean of leans) {
    const kernel = values.replay ? replayKernel(lean) : undefined;
    const more = values.kernels ? ['--kernels', values.kernels] : [];
    if (values.replay && !kernel) {
      console.log(`left out: ${lean.kind}: there is no kernel for it`);
      continue;
    }
    if (what === 'honest') {
      for (const [pair, { count: judged, refused }] of await all(pairs(), pair => judgeHonest(pair, lean, kernel, more))) {
        count += judged;
        bad += refused.length;
        for (const text of refused) console.log(`${lean.kind} ${pair.name} ${text}`);
      }
      continue;
    }
    const chosen = attacks().filter(({ name, leans: on }) => (positionals.length ? positionals.includes(name) : true) && on.includes(lean.kind === 'wasm' ? 'native' : lean.kind));
    for (const [attack, problem] of await all(chosen, attack => judgeAttack(attack, lean, kernel, more))) {
      count += 1;
      if (problem?.startsWith('CERTIFIED')) bad += 1;
      else if (problem) wrong += 1;
      if (problem) console.log(`${lean.kind} ${attack.name}: ${problem}`);
    }
  }
  if (wrong > 0) console.log(`${wrong} with another verdict or reason than expected`);
  console.log(what === 'honest' ? `${count} honest, ${bad} refused` : `${count} attacks, ${bad} certified`);
  process.exitCode = bad + wrong > 0 || count === 0 ? 1 : 0;
}

if (process.argv[1] && path.resolve(process.argv[1]) === import.meta.filename) await main();
