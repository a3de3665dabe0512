// `leanbridge certify` and lean_certify: what the verdict says, and what it rests on. Attacks and honest proofs are a suite of their own.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import { certify } from '../attacks/run.mjs';
import { binary, scratchProject, temporaryFolder } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { eventually } from '../support/processes.mjs';
import { sharedSession, skip, timeout } from '../support/session.mjs';
import { ASKED, hasBubblewrap, hasLeanchecker, judge, kernel, needsProofs, passed, PROVED, REJECTS, WRONG } from '../support/verdicts.mjs';

const FALSE = 'theorem goal (p : Nat → Prop) : p 0 := sorry\n';
const DISPROOF = 'theorem goal.disproof : ¬ ∀ (p : Nat → Prop), p 0 := fun h => h fun _ => False\n';
const OPEN = 'noncomputable def answer : Nat := sorry\ntheorem goal (p : Nat → Prop) (h : p 38) : p answer := sorry\n';
const FILLED = 'def half : Nat := 19\ndef answer : Nat := Nat.add half half\ntheorem goal (p : Nat → Prop) (h : p 38) : p answer := h\n';
const sha256 = text => createHash('sha256').update(text).digest('hex');

describe('the verdict', needsProofs, () => {
  const files = { 'Challenge.lean': ASKED, 'Solution.lean': PROVED };
  test('certified without a replay, if that is waived: exit code 0, and everything that it rests on', { timeout }, async () => {
    const { code, certificate } = await judge(['Challenge.lean', 'Solution.lean', '--without-replay'], { cwd: scratchProject(files) });
    assert.equal(code, 0, JSON.stringify(certificate));
    assert.equal(certificate.verdict, 'certified');
    assert.equal(certificate.kernel_replayed, false);
    assert.deepEqual(certificate.names.map(({ name, verdict, axioms }) => ({ name, verdict, axioms })), [{ name: 'goal', verdict: 'certified', axioms: [] }]);
    assert.match(certificate.names[0].statement, /p ∧ q/);
    assert.equal(certificate.challenge_sha256, sha256(ASKED));
    assert.equal(certificate.solution_sha256, sha256(PROVED));
    assert.match(certificate.toolchain.sha256, /^[0-9a-f]{64}$/);
    assert.equal(certificate.toolchain.version, lean.version);
    assert.ok(['none', 'bubblewrap'].includes(certificate.sandbox));
    assert.equal(certificate.sandbox === 'none', 'sandbox_note' in certificate);
  });
  test('on a narrow terminal no line is longer but a command to copy, and a hash is shortened visibly', { timeout }, () => {
    const shown = width => spawnSync('script', ['-qec', `stty cols ${width}; '${binary}' --lake '${lean.lake}' certify Challenge.lean Solution.lean --without-replay 2>/dev/null`, '/dev/null'],
      { cwd: scratchProject(files), encoding: 'utf8', timeout, env: { ...process.env, LEAN_PROJECT_PATH: '', TERM: 'dumb' } }).stdout.split(/\r?\n/);
    const narrow = shown(60), digest = sha256(ASKED);
    for (const line of narrow.filter(each => !/^ +(leanbridge|elan) /.test(each))) assert.ok([...line].length <= 60, line);
    assert.ok(narrow.includes(`  challenge   sha256 ${digest.slice(0, 16)}…`), narrow.join('\n'));
    assert.ok(shown(120).includes(`  challenge   sha256 ${digest}`));
  });
  test('the leanchecker of the toolchain replays', { timeout, skip: !hasLeanchecker && 'this toolchain has none' }, async () => {
    const { code, certificate } = await judge(['Challenge.lean', 'Solution.lean'], { cwd: scratchProject(files) });
    assert.deepEqual([code, certificate.verdict, certificate.kernel_replayed], [0, 'certified', true], JSON.stringify(certificate));
    assert.match(certificate.kernel.program, /\/bin\/leanchecker$/);
  });
  test('incomplete without a kernel: exit code 3, and how to complete it', { timeout, skip: hasLeanchecker && 'this toolchain has a kernel' }, async () => {
    const { code, certificate } = await judge(['Challenge.lean', 'Solution.lean'], { cwd: scratchProject(files) });
    assert.deepEqual([code, certificate.verdict, certificate.names[0].verdict], [3, 'incomplete', 'incomplete']);
    assert.match(certificate.complete_with, /^Run: leanbridge certify .*Challenge\.lean Solution\.lean --kernel \S+$/m);
    assert.match(certificate.complete_with, /: leanbridge certify .*Challenge\.lean Solution\.lean --without-replay$/m);
    assert.equal('kernel' in certificate, false);
  });
  test('a solution that uses an allowed axiom, and one that uses another', { timeout }, async () => {
    const cwd = scratchProject({ 'Challenge.lean': `axiom given : 1 = 2\naxiom other : 1 = 2\ntheorem goal : 1 = 2 := sorry\n`, 'Solution.lean': 'axiom given : 1 = 2\naxiom other : 1 = 2\ntheorem goal : 1 = 2 := given\n' });
    const allowing = name => judge(['Challenge.lean', 'Solution.lean', '--without-replay', '--allow-axiom', name], { cwd });
    assert.equal((await allowing('given')).certificate.verdict, 'certified');
    assert.match((await allowing('other')).certificate.reason, /the axiom `given`/);
  });
  test('axioms beyond the standard ones are named in the reason', { timeout }, async () => {
    const cwd = scratchProject({ 'Challenge.lean': 'axiom given : 1 = 2\ntheorem goal : 1 = 2 := sorry\n', 'Solution.lean': 'axiom given : 1 = 2\ntheorem goal : 1 = 2 := given\n' });
    const { certificate } = await judge(['Challenge.lean', 'Solution.lean', '--without-replay', '--allow-axiom', 'given'], { cwd });
    assert.match(certificate.reason, /from allowed axioms only, among them `given`/);
    fs.writeFileSync(path.join(cwd, 'Challenge.lean'), 'theorem goal : 1 = 1 := sorry\n');
    fs.writeFileSync(path.join(cwd, 'Solution.lean'), 'theorem goal : 1 = 1 := rfl\n');
    assert.doesNotMatch((await judge(['Challenge.lean', 'Solution.lean', '--without-replay'], { cwd })).certificate.reason, /among them/);
  });
  test('sorryAx cannot be allowed', { timeout }, async () => {
    const cwd = scratchProject({ 'Challenge.lean': ASKED, 'Solution.lean': ASKED });
    for (const name of ['sorryAx', '«sorryAx»']) {
      const { code, error, stdout, stderr } = await judge(['Challenge.lean', 'Solution.lean', '--without-replay', '--allow-axiom', name], { cwd });
      assert.equal(code, 2, `sorryAx: ${stdout}${stderr}`);
      assert.match(error?.message ?? stderr, /sorryAx»? cannot be allowed/);
    }
    fs.writeFileSync(path.join(cwd, 'pairs.jsonl'), `${JSON.stringify({ id: 'a', challenge: ASKED, solution: ASKED, allowed_axioms: ['sorryAx'] })}\n`);
    const { stdout } = await batch(['--input', 'pairs.jsonl'], { cwd });
    const [{ verdict, reason }] = stdout.trim().split('\n').map(JSON.parse);
    assert.equal(verdict, 'invalid', stdout);
    assert.match(reason, /sorryAx cannot be allowed/);
  });
  test('only some of the theorems', { timeout }, async () => {
    const cwd = scratchProject({ 'Challenge.lean': `${ASKED}theorem hard : 1 = 2 := sorry\n`, 'Solution.lean': PROVED });
    assert.equal((await judge(['Challenge.lean', 'Solution.lean', '--without-replay', '--name', 'goal'], { cwd })).code, 0);
    const { certificate } = await judge(['Challenge.lean', 'Solution.lean', '--without-replay'], { cwd });
    assert.deepEqual(certificate.names.map(({ name, verdict }) => [name, verdict]), [['goal', 'incomplete'], ['hard', 'refused']]);
  });
  test('the text for people', { timeout, skip: hasLeanchecker && 'this toolchain has a kernel' }, () => {
    const cwd = scratchProject(files);
    const { stdout } = spawnSync(binary, ['certify', '--lake', lean.lake, 'Challenge.lean', 'Solution.lean'], { cwd, encoding: 'utf8', env: { ...process.env, LEAN_PROJECT_PATH: '' } });
    assert.match(stdout, /^incomplete: .*\n\ngoal: incomplete\n/);
    assert.match(stdout, /^ {14}Run: leanbridge certify .*Challenge\.lean Solution\.lean --kernel \S+$/m);   // a line to be copied
  });
  test('a configuration for comparator asks the same', { timeout }, async () => {
    const configuration = { challenge_module: 'Challenge', solution_module: 'Solution', theorem_names: ['goal'], permitted_axioms: ['propext'] };
    const cwd = scratchProject({ ...files, 'comparator.json': JSON.stringify(configuration) });
    const { code, certificate } = await judge(['comparator.json', '--without-replay'], { cwd });
    assert.deepEqual([code, certificate.allowed_axioms, certificate.names.map(({ name }) => name)], [0, ['propext'], ['goal']]);
    fs.writeFileSync(path.join(cwd, 'comparator.json'), JSON.stringify({ ...configuration, definition_names: ['hole'] }));
    assert.equal((await judge(['comparator.json', '--without-replay'], { cwd })).code, 2);
    fs.writeFileSync(path.join(cwd, 'Challenge.lean'), OPEN);
    fs.writeFileSync(path.join(cwd, 'Solution.lean'), FILLED);
    fs.writeFileSync(path.join(cwd, 'comparator.json'), JSON.stringify(configuration));
    assert.equal((await judge(['comparator.json', '--without-replay'], { cwd })).code, 1, 'nothing is listed as open');
    fs.writeFileSync(path.join(cwd, 'comparator.json'), JSON.stringify({ ...configuration, definition_names: ['answer'] }));
    assert.equal((await judge(['comparator.json', '--without-replay'], { cwd })).code, 5);
  });
  test("with --also-comparator Lake's own must accept, too, and is given the question without programs", { timeout: 2 * timeout }, async () => {
    const configuration = { challenge_module: 'Challenge', solution_module: 'Solution', theorem_names: ['goal'], permitted_axioms: [], external_kernels: { mine: ['touch', 'mine'] } };
    const cwd = scratchProject({ ...files, 'Wrong.lean': WRONG, 'comparator.json': JSON.stringify(configuration), 'wrong.json': JSON.stringify({ ...configuration, solution_module: 'Wrong' }) });
    // A real Lake with the command is Lean 4.35's, which no registry has.
    const lakeThat = script => kernel(`case "$1 $2" in\n"help comparator") echo "lake comparator [--config <file>]"; exit 0;;\n"comparator --config") cp "$3" asked.json; ${script};;\nesac\nexec ${lean.lake} "$@"`, 'lake');
    const ask = async (script, file = 'comparator.json') => {
      const { code, certificate } = await judge([file, '--without-replay', '--kernels', kernel('exit 0', 'accepts'), '--also-comparator'], { cwd, lake: lakeThat(script) });
      return [code, certificate.verdict, certificate.names[0].verdict, certificate.comparator?.answer, certificate.reason, certificate.comparator?.says];
    };
    const accepts = await ask('exit 0');
    assert.deepEqual(accepts.slice(0, 4), [0, 'certified', 'certified', 'accepted'], JSON.stringify(accepts));
    const { external_kernels: _, ...question } = configuration;
    assert.deepEqual(JSON.parse(fs.readFileSync(path.join(cwd, 'asked.json'), 'utf8')), question);
    const illegal = "error: Illegal axiom detected: 'cheat'";
    const rejects = await ask(`echo "Child said this" >&2; echo "${illegal}" >&2; exit 1`);
    assert.deepEqual(rejects, [3, 'incomplete', 'incomplete', 'rejected', '`lake comparator` does not agree: it rejects the solution.', `Child said this ${illegal}`]);
    // It ends so, too, where it could not judge.
    for (const said of ['error: Child exited with 137', 'error: Lean default exited with 134', `${illegal}\nerror: No space left on device`, `${illegal}\nof a programerror: Child exited with 1`, 'not so'])
      assert.deepEqual((await ask(`printf '%s\\n' "${said}" >&2; exit 1`)).slice(0, 4), [3, 'incomplete', 'incomplete', 'failed'], said);
    assert.deepEqual((await ask('exit 2')).slice(0, 4), [3, 'incomplete', 'incomplete', 'failed']);
    assert.deepEqual((await ask('exit 0', 'wrong.json')).slice(0, 4), [1, 'refused', 'refused', 'accepted']);
    const without = await judge(['wrong.json', '--kernels', 'all', '--also-comparator'], { cwd });
    assert.deepEqual([without.code, /no `comparator`/.test(without.stdout + without.stderr)], [3, true], without.stdout + without.stderr);
    assert.equal((await judge(['Challenge.lean', 'Solution.lean', '--also-comparator'], { cwd })).code, 2);
  });
  test('a record', { timeout }, async () => {
    const cwd = scratchProject(files);
    const { certificate } = await judge(['Challenge.lean', 'Solution.lean', '--without-replay', '--output', 'record.json'], { cwd });
    const record = JSON.parse(fs.readFileSync(path.join(cwd, 'record.json'), 'utf8'));
    assert.deepEqual(record.certificate, certificate);
    assert.match(record.sha256, /^[0-9a-f]{64}$/);
  });
});

describe('what is false, and what is left open', { skip: passed || needsProofs.skip }, () => {
  const verdictOf = async (challenge, solution, ...args) => {
    const cwd = scratchProject({ 'Challenge.lean': challenge, 'Solution.lean': solution });
    return { cwd, ...await judge(['Challenge.lean', 'Solution.lean', '--without-replay', ...args], { cwd }) };
  };
  test('a disproof: exit code 4, and the theorem that proves the negation', { timeout }, async () => {
    const { code, certificate, cwd } = await verdictOf(FALSE, DISPROOF, '--export', 'export.ndjson', '--receipt', 'receipt.json');
    assert.deepEqual([code, certificate.verdict, certificate.names[0].verdict, certificate.names[0].disproof], [4, 'refuted', 'refuted', 'goal.disproof'], JSON.stringify(certificate));
    assert.match(certificate.reason, /^The challenge is false: the solution proves the negation of `goal`, from allowed axioms only/);
    assert.match(fs.readFileSync(path.join(cwd, 'export.ndjson'), 'utf8'), /"disproof"/);
    const { code: again, certificate: verified } = await judge(['--verify', 'receipt.json', '--without-replay'], { cwd });
    assert.deepEqual([again, verified.verdict, verified.differences], [4, 'refuted', []]);
    assert.equal((await verdictOf(FALSE, FALSE + DISPROOF)).code, 4, 'the sorry may stay');
    assert.equal((await verdictOf(FALSE, DISPROOF + 'axiom unused : False\n')).code, 4, 'nothing rests on it');
  });
  test('without a kernel it is incomplete, and refused by one', { timeout, skip: hasLeanchecker && 'this toolchain has a kernel' }, async () => {
    const cwd = scratchProject({ 'Challenge.lean': FALSE, 'Solution.lean': DISPROOF });
    assert.equal((await judge(['Challenge.lean', 'Solution.lean'], { cwd })).code, 3);
    const { code, certificate } = await judge(['Challenge.lean', 'Solution.lean', '--kernel', kernel(REJECTS)], { cwd });
    assert.deepEqual([code, certificate.verdict], [1, 'refused']);
    const { stdout } = spawnSync(binary, ['certify', '--lake', lean.lake, 'Challenge.lean', 'Solution.lean'], { cwd: scratchProject({ 'Challenge.lean': FALSE, 'Solution.lean': DISPROOF }), encoding: 'utf8', env: { ...process.env, LEAN_PROJECT_PATH: '' } });
    assert.match(stdout, /^goal: incomplete\n(?: {2}.*\n)*? {2}negation {4}stated by goal\.disproof\n/m, 'it is not taken for a proof');
  });
  test('a hole: exit code 5, and the values that are to be read', { timeout }, async () => {
    const { code, certificate, cwd } = await verdictOf(OPEN, FILLED);
    assert.deepEqual([code, certificate.verdict, certificate.names[0].verdict], [5, 'filled', 'filled'], JSON.stringify(certificate));
    assert.deepEqual(certificate.holes.map(({ kind, name, text, place }) => [kind, name, /:= (38|half\.add|.*half)/.test(text), place]),
      [['def', 'answer', true, 'Solution:2'], ['def', 'half', false, 'Solution:1']]);
    const { stdout } = spawnSync(binary, ['certify', '--lake', lean.lake, 'Challenge.lean', 'Solution.lean', '--without-replay'], { cwd, encoding: 'utf8', env: { ...process.env, LEAN_PROJECT_PATH: '' } });
    assert.match(stdout, /^filled: .*`goal`/);
    assert.match(stdout, /^Filled in by the solution, and to be read:\n {2}def answer : Nat := .*half.*\n {2}def half : Nat := 19/m);
  });
  test('in a batch they are counted, and keep it from exit code 0', { timeout }, async () => {
    const lines = [{ id: 'good', challenge: ASKED, solution: PROVED }, { id: 'open', challenge: OPEN, solution: FILLED }, { id: 'false', challenge: FALSE, solution: DISPROOF }];
    for (const [count, expected] of [[1, 0], [2, 5], [3, 4]]) {
      const cwd = scratchProject({ 'pairs.jsonl': lines.slice(0, count).map(line => `${JSON.stringify(line)}\n`).join('') });
      const { code, stderr } = await batch(['--input', 'pairs.jsonl', '--without-replay'], { cwd });
      assert.equal(code, expected, stderr);
      if (count === 3) assert.match(stderr, /3 judged: 1 certified, 1 refuted, 1 filled/);
    }
  });
});

describe('a receipt', { skip: passed || needsProofs.skip }, () => {
  const challenge = 'import Scratch.Defs\ntheorem goal : limit = 2 := sorry\n';
  const files = { 'Scratch/Defs.lean': 'def limit : Nat := 2\n', 'Challenge.lean': challenge, 'Solution.lean': challenge.replace('sorry', 'rfl') };
  const receipt = async (cwd, ...args) => {
    const { code, stdout, stderr } = await judge(['Challenge.lean', 'Solution.lean', '--without-replay', '--receipt', 'receipt.json', ...args], { cwd });
    assert.equal(code, 0, stdout + stderr);
    return JSON.parse(fs.readFileSync(path.join(cwd, 'receipt.json'), 'utf8'));
  };
  const verify = async (cwd, granted = ['--without-replay']) => {
    const { code, certificate, error, stderr } = await judge(['--verify', 'receipt.json', ...granted], { cwd });
    return { code, differences: certificate?.differences, verdict: certificate?.verdict, error, stderr };
  };
  test('says what was judged, and is verified', { timeout }, async () => {
    const cwd = scratchProject(files);
    const { question, verdict, theorems, challenge_sha256, solution_sha256, toolchain, modules, kernels, sha256: hash } = await receipt(cwd);
    assert.deepEqual([question.challenge, question.solution], ['Challenge.lean', 'Solution.lean'].map(name => path.join(cwd, name)));
    assert.equal(verdict, 'certified');
    assert.deepEqual(theorems.map(({ name, statement }) => [name, /limit/.test(statement)]), [['goal', true]]);
    for (const digits of [theorems[0].statement_sha256, toolchain.sha256, hash]) assert.match(digits, /^[0-9a-f]{64}$/);
    assert.deepEqual([challenge_sha256, solution_sha256], [challenge, files['Solution.lean']].map(sha256));
    assert.deepEqual(modules.map(({ module }) => module), ['Scratch.Defs']);
    assert.ok(kernels.every(({ answer }) => answer !== 'accepted'), 'no kernel was asked');
    assert.deepEqual(await verify(cwd), { code: 0, differences: [], verdict: 'certified', error: undefined, stderr: '' });
  });
  test('names a changed solution, and what does not compile any more', { timeout }, async () => {
    const cwd = scratchProject(files);
    await receipt(cwd);
    fs.writeFileSync(path.join(cwd, 'Solution.lean'), `${files['Solution.lean']}-- more\n`);
    const { code, differences } = await verify(cwd);
    assert.deepEqual([code, differences], [1, [`The solution ${path.join(cwd, 'Solution.lean')} has another text.`]]);
    fs.writeFileSync(path.join(cwd, 'Challenge.lean'), 'nonsense');
    const broken = await verify(cwd);
    assert.equal(broken.code, 1);
    assert.match(broken.differences.join('\n'), /^The challenge .* has another text\.\nThe solution .*\nIt cannot be judged again: The challenge: It does not compile/);
  });
  test('names a definition below the statement that means something else', { timeout }, async () => {
    const cwd = scratchProject(files);
    await receipt(cwd);
    fs.writeFileSync(path.join(cwd, 'Scratch/Defs.lean'), 'def limit : Nat := 1 + 1\n');
    const { code, differences, verdict } = await verify(cwd);
    assert.deepEqual([code, verdict], [1, 'certified']);
    assert.deepEqual(differences, ['The module Scratch.Defs is compiled to another file.', 'Something of the project below the statement of goal has another meaning.']);
  });
  test('chooses no program that runs here, and grants itself nothing', { timeout }, async () => {
    const cwd = scratchProject(files);
    const { sha256: _, ...written } = await receipt(cwd);
    const script = path.join(cwd, 'chosen');
    fs.writeFileSync(script, `#!/bin/sh\ntouch ${cwd}/it-ran\nexec ${lean.lake} "$@"\n`, { mode: 0o755 });
    Object.assign(written.question, { lake: script, kernel: script, allowed_axioms: ['cheat'], trust_packages: true });
    const sorted = value => (value && typeof value === 'object' && !Array.isArray(value) ? Object.fromEntries(Object.keys(value).sort().map(key => [key, sorted(value[key])])) : Array.isArray(value) ? value.map(sorted) : value);
    const text = JSON.stringify(sorted(written)).replace(/[^\0-\x7f]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
    fs.writeFileSync(path.join(cwd, 'receipt.json'), JSON.stringify({ ...written, sha256: sha256(text) }));
    const { code, differences, error } = await verify(cwd, []);
    assert.equal(error, undefined);
    assert.equal(code, 1);
    for (const flag of ['--without-replay', '--trust-packages', '--allow-axiom cheat']) assert.ok(differences.some(one => one.includes(flag)), `${flag}: ${differences}`);
    assert.ok(!fs.existsSync(path.join(cwd, 'it-ran')));
  });
  test('that was changed is none', { timeout }, async () => {
    const cwd = scratchProject(files);
    const written = await receipt(cwd);
    fs.writeFileSync(path.join(cwd, 'receipt.json'), JSON.stringify({ ...written, verdict: 'refused' }));
    const { code, error } = await verify(cwd);
    assert.equal(code, 2);
    assert.match(error.message, /not as it was written/);
    assert.equal((await judge(['--verify', 'receipt.json', 'Challenge.lean'], { cwd })).code, 2);
  });
});

describe('an export alone', { skip }, () => {
  const sorted = value => (value && typeof value === 'object' && !Array.isArray(value) ? Object.fromEntries(Object.keys(value).sort().map(key => [key, sorted(value[key])])) : Array.isArray(value) ? value.map(sorted) : value);
  test('ends with 3 at best, whatever its receipt says, and with 1 if something differs', { timeout }, async () => {
    const cwd = scratchProject({ 'Challenge.lean': ASKED, 'Solution.lean': PROVED }), folder = temporaryFolder('alone');
    const at = name => path.join(folder, name);
    await judge(['Challenge.lean', 'Solution.lean', '--without-replay', '--receipt', at('receipt.json')], { cwd });
    const { sha256: _, ...receipt } = JSON.parse(fs.readFileSync(at('receipt.json'), 'utf8'));
    fs.writeFileSync(at('export.ndjson'), 'anything\n');
    const forged = sorted({ ...receipt, verdict: 'certified', kernels: [], export: { format: '3.1.0', sha256: sha256('anything\n'), bytes: 9, declarations: 1 } });
    const ascii = JSON.stringify(forged).replace(/[^ -~]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
    fs.writeFileSync(at('receipt.json'), JSON.stringify({ ...forged, sha256: sha256(ascii) }));
    const verify = async script => { const { code, certificate, error } = await judge(['--verify', at('receipt.json'), '--export', at('export.ndjson'), '--kernels', kernel(script)], { cwd: folder }); return [code, certificate?.differences ?? error]; };
    assert.deepEqual(await verify('grep -q anything "$1"'), [3, []]);
    assert.deepEqual((await verify('exit 1'))[0], 1);
    fs.appendFileSync(at('export.ndjson'), 'more\n');
    assert.deepEqual(await verify('exit 0'), [1, ['The export is not the one of the receipt.']]);
  });
});

describe('a Lean that leaves three parts of a text that is no module', { skip: skip || passed || (!lean.hasLibraryProofs && 'the library of this Lean has no proofs') || (lean.kind === 'wasm' && 'it takes a program') }, () => {
  /** A lake whose Lean does so, and runs this line of a script in the place of an empty text. */
  const leavingParts = line => {
    const variables = spawnSync(lean.lake, ['env'], { encoding: 'utf8', cwd: temporaryFolder('cwd') }).stdout;
    const folder = temporaryFolder('lake'), lake = path.join(folder, 'lake');
    const program = path.join(folder, 'lean');   // no program, so it is run by `lake env lean`
    fs.writeFileSync(program, '');
    fs.writeFileSync(lake, [
      '#!/bin/sh', `[ $# -eq 3 ] && { echo '${/^LEAN_SYSROOT=.*$/m.exec(variables)[0]}'; echo 'LEAN=${program}'; exit 0; }`,
      `case "$*" in */plain-source/*) ${line};; esac`, `'${lean.lake}' "$@" || exit 1`,
      'while [ "$1" != -o ]; do shift; done', 'for part in server private; do echo planted > "$2.$part"; done', ''].join('\n'), { mode: 0o755 });
    return lake;
  };
  const judgeOn = lake => certify(['Challenge.lean', 'Solution.lean', '--without-replay'], { lake, cwd: scratchProject({ 'Challenge.lean': ASKED, 'Solution.lean': PROVED }) });
  test('they are ignored if an empty text has none', { timeout }, async () => {
    const { code, certificate, stdout, stderr } = await judgeOn(leavingParts(`exec '${lean.lake}' "$@"`));
    assert.deepEqual([code, certificate?.verdict], [0, 'certified'], stdout + stderr);
  });
  test('without an answer about an empty text there is no verdict', { timeout }, async () => {
    const { code, certificate, stdout, stderr } = await judgeOn(leavingParts('exit 137'));
    assert.deepEqual([code, certificate?.verdict], [3, 'incomplete'], stdout + stderr);
    assert.match(certificate.reason, /An empty text: Compiling it was ended by signal 9/);
    const { error } = await judgeOn(leavingParts('exit 1'));
    assert.match(error?.message ?? '', /An empty text: It does not compile/);
  });
});

/** Runs `certify` with another file in the place of /usr/bin/bwrap; takes root. */
const canReplaceBubblewrap = hasBubblewrap && spawnSync('unshare', ['-m', 'mount', '--bind', '/dev/null', '/usr/bin/bwrap']).status === 0;
function judgeWith(bubblewrap, cwd) {
  const script = 'mount --bind "$1" /usr/bin/bwrap && shift && exec "$@"';
  const command = [binary, 'certify', '--json', '--lake', lean.lake, 'Challenge.lean', 'Solution.lean', '--without-replay'];
  const { stdout, stderr } = spawnSync('unshare', ['-m', 'sh', '-c', script, 'sh', bubblewrap, ...command], { cwd, encoding: 'utf8', env: { ...process.env, LEAN_PROJECT_PATH: '' } });
  assert.ok(stdout.startsWith('{'), stdout + stderr);
  return JSON.parse(stdout);
}
describe('without a sandbox', { skip: skip || passed || lean.kind === 'wasm' || (!canReplaceBubblewrap && 'it takes root, and bubblewrap') }, () => {
  const files = { 'Challenge.lean': ASKED, 'Solution.lean': PROVED };
  test('the verdict says that bubblewrap is not installed', { timeout }, () => {
    const { verdict, sandbox, sandbox_note: note } = judgeWith('/dev/null', scratchProject(files));
    assert.deepEqual([verdict === 'refused', sandbox, note], [false, 'none', 'bubblewrap is not installed.']);
  });
  test('or why it does not work, as where user namespaces are forbidden', { timeout }, () => {
    const broken = kernel('echo "bwrap: setting up uid map: Permission denied" >&2; exit 1', 'bwrap');
    const { verdict, sandbox, sandbox_note: note } = judgeWith(broken, scratchProject(files));
    assert.deepEqual([verdict === 'refused', sandbox, note], [false, 'none', 'bubblewrap does not work on this machine: bwrap: setting up uid map: Permission denied']);
  });
});

describe('the sandbox', { skip: skip || passed || (lean.kind !== 'native' && 'it takes a Lean that runs programs') || (!hasBubblewrap && 'bubblewrap does not work here') }, () => {
  test('a solution sees neither the project nor the network, and writes its own folder only', { timeout }, async () => {
    const outside = path.join(temporaryFolder('outside'), 'written');
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const cwd = scratchProject({ 'Challenge.lean': ASKED, 'secret.txt': 'secret' });
    const tried = Object.entries({
      project: `IO.FS.writeFile "${cwd}/Written.lean" ""`, secret: `discard <| IO.FS.readFile "${cwd}/secret.txt"`, source: 'IO.FS.writeFile "../solution-source/Written.lean" ""',
      modules: 'IO.FS.writeFile "../modules/Written.olean" ""', outside: `IO.FS.writeFile "${outside}" ""`, own: 'IO.FS.writeFile "own" ""', tmp: 'IO.FS.writeFile "/tmp/leanbridge-private" ""',
    }).map(([name, action]) => `  said := said ++ (← try ${action}; pure "${name}=yes " catch _ => pure "${name}=no ")\n`).join('');
    const port = `:${server.address().port.toString(16).toUpperCase().padStart(4, '0')}`;
    fs.writeFileSync(path.join(cwd, 'Solution.lean'), `#eval show IO Unit from do\n  let mut said := ""\n${tried}  let open_ := (← IO.FS.readFile "/proc/net/tcp").splitOn "${port}"\n  throw <| IO.userError s!"{said}network={open_.length - 1}"\n${PROVED}`);
    try {
      const { certificate } = await judge(['Challenge.lean', 'Solution.lean'], { cwd });
      assert.equal(certificate.sandbox, 'bubblewrap', certificate.sandbox_note);
      assert.match(certificate.reason, /project=no secret=no source=no modules=no outside=no own=yes tmp=yes network=0/);
      for (const file of [path.join(cwd, 'Written.lean'), outside, '/tmp/leanbridge-private']) assert.equal(fs.existsSync(file), false, file);
    } finally {
      server.close();
    }
  });
});

describe('what a challenge asks', { skip: passed || needsProofs.skip }, () => {
  test('the parts of a class that says a proposition are no theorems to be proved', { timeout }, async () => {
    const challenge = 'class A (p : Prop) : Prop where\n  one : p → p\nclass B (p : Prop) : Prop extends A p where\n  two : p → p\ntheorem goal (p : Prop) [B p] : p → p := sorry\n';
    const { code, certificate } = await judge(['Challenge.lean', 'Solution.lean', '--without-replay'], { cwd: scratchProject({ 'Challenge.lean': challenge, 'Solution.lean': challenge.replace('sorry', 'B.two') }) });
    assert.equal(code, 0, JSON.stringify(certificate));
    assert.deepEqual(certificate.names.map(({ name }) => name), ['goal']);
  });
});

describe('a git revision', { skip: passed || needsProofs.skip }, () => {
  const git = (cwd, ...args) => { const { status, stderr } = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, encoding: 'utf8' }); assert.equal(status, 0, stderr); };
  const repository = files => {
    const cwd = scratchProject(files);
    for (const args of [['init', '-q'], ['add', '.'], ['commit', '-qm', 'a']]) git(cwd, ...args);
    return cwd;
  };
  test('the working tree against HEAD', { timeout }, async () => {
    const cwd = repository({ 'Foo.lean': ASKED });
    fs.writeFileSync(path.join(cwd, 'Foo.lean'), PROVED);
    const { code, certificate } = await judge(['--git', 'HEAD', 'Foo.lean', '--without-replay'], { cwd });
    assert.equal(code, 0, JSON.stringify(certificate));
    assert.match(certificate.revision, /^[0-9a-f]{40}$/);
    fs.writeFileSync(path.join(cwd, 'Foo.lean'), WRONG);
    assert.equal((await judge(['--git', 'HEAD', 'Foo.lean', '--without-replay'], { cwd })).code, 1);
  });
  test('imports are those of the revision', { timeout }, async () => {
    const challenge = 'import Scratch.Defs\ntheorem goal : limit = 3 := sorry\n';
    const cwd = repository({ 'Foo.lean': challenge, 'Scratch/Defs.lean': 'def limit : Nat := 2\n' });
    fs.writeFileSync(path.join(cwd, 'Scratch/Defs.lean'), 'def limit : Nat := 3\n');
    fs.writeFileSync(path.join(cwd, 'Foo.lean'), challenge.replace('sorry', 'rfl'));
    const { code, certificate } = await judge(['--git', 'HEAD', 'Foo.lean', '--without-replay'], { cwd });
    assert.equal(code, 1, JSON.stringify(certificate));
    const files = await judge(['Foo.lean', 'Foo.lean', '--without-replay'], { cwd });
    assert.equal(files.code, 0, JSON.stringify(files.certificate));   // the certificate shows the module's hash
    assert.deepEqual(files.certificate.modules.map(({ module, from }) => [module, from]), [['Scratch.Defs', 'rebuilt']]);
  });
  test('a link or a replacement object does not choose another challenge', { timeout }, async () => {
    const cwd = repository({ 'Foo.lean': ASKED, 'Easy.lean': PROVED.replace('q ∧ p :=', 'True :=').replace('⟨h.2, h.1⟩', 'trivial') });
    fs.rmSync(path.join(cwd, 'Foo.lean'));
    fs.symlinkSync('Easy.lean', path.join(cwd, 'Foo.lean'));
    assert.equal((await judge(['--git', 'HEAD', 'Foo.lean', '--without-replay'], { cwd })).code, 1);
    const blob = name => spawnSync('git', ['rev-parse', `HEAD:${name}`], { cwd, encoding: 'utf8' }).stdout.trim();
    git(cwd, 'replace', blob('Foo.lean'), blob('Easy.lean'));
    assert.equal((await judge(['--git', 'HEAD', 'Foo.lean', '--without-replay'], { cwd })).code, 1);
  });
  test('a submodule and a repository that another one ignores are repositories of their own, a folder of another one is not', { timeout }, async () => {
    const outer = repository({ 'README.md': 'a', '.gitignore': 'ignored/\n', 'sub/Foo.lean': ASKED });
    const inner = repository({ 'Foo.lean': ASKED, 'lakefile.toml': 'name = "inner"\n' });
    git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'module');
    git(outer, 'commit', '-qm', 'b');
    fs.cpSync(inner, path.join(outer, 'ignored'), { recursive: true });
    for (const folder of ['module', 'ignored']) {
      fs.writeFileSync(path.join(outer, folder, 'Foo.lean'), PROVED);
      const { code, certificate, stderr } = await judge(['--git', 'HEAD', `${folder}/Foo.lean`, '--without-replay'], { cwd: outer });
      assert.equal(code, 0, `${folder}: ${JSON.stringify(certificate)}${stderr}`);
      assert.equal(certificate.revision_path, 'Foo.lean');
    }
    fs.cpSync(path.join(inner, '.git'), path.join(outer, 'sub/.git'), { recursive: true });
    fs.writeFileSync(path.join(outer, 'sub/Foo.lean'), PROVED);
    for (const revision of ['HEAD', spawnSync('git', ['rev-parse', 'HEAD'], { cwd: inner, encoding: 'utf8' }).stdout.trim()]) {
      const { code, error, stdout, stderr } = await judge(['--git', revision, 'sub/Foo.lean', '--without-replay'], { cwd: outer });
      assert.equal(code, 2, `${stdout}${stderr}`);
      assert.match(error?.message ?? stderr, /in two git repositories, its own and .*, which has sub in HEAD/);
    }
  });
  test("git reads no configuration of the user's", { timeout }, async () => {
    const cwd = repository({ 'Foo.lean': ASKED });
    const home = temporaryFolder('home');
    fs.writeFileSync(path.join(home, '.gitconfig'), '[core\n');
    fs.writeFileSync(path.join(cwd, 'Foo.lean'), PROVED);
    const { code, stderr } = await judge(['--git', 'HEAD', 'Foo.lean', '--without-replay'], { cwd, env: { HOME: home } });
    assert.equal(code, 0, stderr);
  });
  test('a branch does not pass for the commit whose hash is its name', { timeout }, async () => {
    const cwd = repository({ 'Foo.lean': ASKED });
    const commit = () => spawnSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8' }).stdout.trim();
    const asked = commit(), short = asked.slice(0, 16);
    fs.writeFileSync(path.join(cwd, 'Foo.lean'), WRONG);
    git(cwd, 'commit', '-qam', 'b');
    // Not even all digits, which git itself takes as the commit.
    for (const name of [short, `v1-3-g${short}`, `${asked.slice(0, 39)}`]) {
      git(cwd, 'branch', name);
      for (const revision of [name, `${name}^0`]) {
        const { code, error, stdout, stderr } = await judge(['--git', revision, 'Foo.lean', '--without-replay'], { cwd });
        assert.equal(code, 2, `${revision}: ${stdout}${stderr}`);
        assert.match(error?.message ?? stderr, /is the name of refs\/heads\//);
      }
    }
    for (const [revision, expected] of [[asked, asked], [`refs/heads/${short}`, commit()], [commit().slice(0, 17), commit()], [`v1-4-g${commit().slice(0, 16)}`, commit()]])
      assert.equal((await judge(['--git', revision, 'Foo.lean', '--without-replay'], { cwd })).certificate?.revision, expected, revision);
  });
  test('fewer than 16 digits of a commit are refused, since another one can be made that begins with them', { timeout }, async () => {
    const cwd = repository({ 'Foo.lean': ASKED });
    const commit = spawnSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8' }).stdout.trim();
    for (const revision of [commit.slice(0, 15), commit.slice(0, 6), `${commit.slice(0, 8)}~0`, `v1-3-g${commit.slice(0, 12)}`, commit.slice(0, 10).toUpperCase()]) {
      const { code, error, stdout, stderr } = await judge(['--git', revision, 'Foo.lean', '--without-replay'], { cwd });
      assert.equal(code, 2, `${revision}: ${stdout}${stderr}`);
      assert.match(error?.message ?? stderr, /digits of a commit's hash; another commit/);
    }
    for (const revision of [`${commit}~0`, `${commit}^0`, `${commit}^{commit}`, `v1-3-g${commit}~0`]) {
      const { code, error, stdout, stderr } = await judge(['--git', revision, 'Foo.lean', '--without-replay'], { cwd });
      assert.equal(code, 2, `${revision}: ${stdout}${stderr}`);
      assert.match(error?.message ?? stderr, /is found by way of .*, which is not compared with its hash/);
    }
  });
  test('an object of git with another content under its name is no challenge', { timeout }, async () => {
    for (const forged of ['HEAD:Lib/Foo.lean', 'HEAD:Lib', 'HEAD^{tree}', 'HEAD']) {
      const cwd = repository({ 'Lib/Foo.lean': ASKED });
      const objectOf = expression => spawnSync('git', ['rev-parse', expression], { cwd, encoding: 'utf8' }).stdout.trim();
      const fileOf = object => path.join(cwd, '.git/objects', object.slice(0, 2), object.slice(2));
      const asked = objectOf('HEAD'), name = objectOf(forged);
      fs.writeFileSync(path.join(cwd, 'Lib/Foo.lean'), WRONG);
      git(cwd, 'commit', '-qam', 'b');
      const put = objectOf(forged);
      fs.rmSync(fileOf(name));
      const { error: missing, code: without } = await judge(['--git', asked, 'Lib/Foo.lean', '--without-replay'], { cwd });
      assert.equal(without, 2);
      assert.match(missing.message, forged === 'HEAD' ? /no commit named/ : /cannot be read/);
      fs.copyFileSync(fileOf(put), fileOf(name));
      const { code, error, stdout, stderr } = await judge(['--git', asked, 'Lib/Foo.lean', '--without-replay'], { cwd });
      assert.equal(code, 2, `${forged}: ${stdout}${stderr}`);
      assert.match(error.message, forged === 'HEAD' ? /hash mismatch/ : /has been changed: its content is not the one/, forged);   // git itself compares commits
    }
  });
  test('no such revision, no such file in it, no repository: exit code 2', { timeout }, async () => {
    const cwd = repository({ 'Foo.lean': ASKED });
    fs.writeFileSync(path.join(cwd, 'New.lean'), PROVED);
    for (const [args, mention] of [[['--git', 'nothing', 'Foo.lean'], /nothing/], [['--git=--output=x', 'Foo.lean'], /output/], [['--git', 'HEAD', 'New.lean'], /New\.lean/]]) {
      const { code, error, stdout, stderr } = await judge(args, { cwd });
      assert.equal(code, 2, stdout + stderr);
      assert.match(error?.message ?? stderr, mention);
    }
    assert.equal((await judge(['--git', 'HEAD', 'Foo.lean'], { cwd: scratchProject({ 'Foo.lean': PROVED }) })).code, 2);
  });
  test('a file that was a link in the revision: exit code 2', { timeout }, async () => {
    const cwd = repository({ 'Foo.lean': ASKED });
    fs.symlinkSync('Foo.lean', path.join(cwd, 'Link.lean'));
    git(cwd, 'add', '.');
    git(cwd, 'commit', '-qm', 'b');
    fs.rmSync(path.join(cwd, 'Link.lean'));
    fs.writeFileSync(path.join(cwd, 'Link.lean'), PROVED);
    const { code, error } = await judge(['--git', 'HEAD', 'Link.lean'], { cwd });
    assert.equal(code, 2);
    assert.match(error.message, /^Link\.lean is a link or a submodule in [0-9a-f]{40}, not a file/);
  });
});

describe('a baseline', { skip: passed || needsProofs.skip }, () => {
  test('an import as it was built is certified, a changed one is refused', { timeout }, async () => {
    const challenge = 'import Scratch.Defs\ntheorem goal : limit = 2 := sorry\n';
    const cwd = scratchProject({ 'Scratch/Defs.lean': 'def limit : Nat := 2\n', 'Challenge.lean': challenge, 'Solution.lean': challenge.replace('sorry', 'rfl') });
    const build = () => { const { status, stdout, stderr } = spawnSync(lean.lake, ['build', '+Scratch.Defs'], { cwd, encoding: 'utf8' }); assert.equal(status, 0, stdout + stderr); };
    build();
    assert.equal((await judge(['--record-baseline', 'baseline.json'], { cwd })).code, 0);
    const against = () => judge(['Challenge.lean', 'Solution.lean', '--without-replay', '--baseline', 'baseline.json'], { cwd });
    const good = await against();
    assert.equal(good.code, 0, JSON.stringify(good));
    assert.deepEqual(good.certificate.modules.map(({ from }) => from), ['baseline']);
    fs.writeFileSync(path.join(cwd, 'Scratch/Defs.lean'), 'def limit : Nat := 1 + 1\n');
    build();
    const bad = await against();
    assert.equal(bad.code, 1, JSON.stringify(bad));
    assert.match(bad.certificate.reason, /Scratch\/Defs\.olean is not the file of the baseline/);
    assert.equal((await judge(['Challenge.lean', 'Solution.lean', '--baseline', 'Challenge.lean'], { cwd })).code, 2);
  });
});

describe('wrong usage', { skip }, () => {
  const files = { 'Challenge.lean': ASKED, 'Solution.lean': PROVED, 'Nothing.lean': 'def x : Nat := 1\n', 'Broken.lean': 'theorem goal : 1 = 2 := nothing\n' };
  for (const [what, args, mention] of [
    ['no files', [], /given: 0/], ['one file', ['Challenge.lean'], /given: 1/], ['a missing file', ['Challenge.lean', 'No.lean'], /No\.lean/],
    ['a challenge without theorems', ['Nothing.lean', 'Solution.lean'], /no theorem/], ['a challenge that does not compile', ['Broken.lean', 'Solution.lean'], /does not compile/],
    ['a name that the challenge does not have', ['Challenge.lean', 'Solution.lean', '--name', 'nothing'], /nothing/],
    ['a kernel that is no program', ['Challenge.lean', 'Solution.lean', '--kernel', '/nowhere/kernel'], /nowhere/],
    ['kernels that do not go together', ['Challenge.lean', 'Solution.lean', '--kernels', 'all,nanoda'], /takes all, a number/],
    ['a kernel that no toolchain has', ['Challenge.lean', 'Solution.lean', '--kernels', 'con-ron'], /con-ron was not found/],
    ['an unknown option', ['Challenge.lean', 'Solution.lean', '--nonsense'], /nonsense/],
  ]) test(`${what}: exit code 2`, { timeout }, async () => {
    const { code, error, stdout, stderr } = await judge(args, { cwd: scratchProject(files) });
    assert.equal(code, 2, stdout + stderr);
    assert.match(error?.message ?? stderr, mention);
  });
});

describe('lean_certify', { skip }, () => {
  const { ask, refused, session } = sharedSession({ 'Scratch/Good.lean': PROVED, 'Scratch/Bad.lean': WRONG, 'Scratch/Asked.lean': ASKED });
  const verdict = async args => { const { verdict, reason, names, kernel_replayed: replayed } = await ask('lean_certify', args); return { verdict, reason, names: names.map(({ name, verdict }) => [name, verdict]), replayed }; };
  session('a file against a text, and a text against a file', async () => {
    const expected = lean.hasLibraryProofs ? 'certified' : 'incomplete';
    const good = await verdict({ file_path: 'Scratch/Good.lean', challenge: ASKED, without_replay: true });
    // The part of the library that `And` needs contains no proofs that could be missing.
    assert.ok([expected, 'certified'].includes(good.verdict), JSON.stringify(good));
    assert.equal(good.replayed, false);
    const bad = await verdict({ solution: WRONG, challenge_file: 'Scratch/Asked.lean', without_replay: true });
    assert.deepEqual([bad.verdict, bad.names], ['refused', [['goal', 'refused']]]);
    assert.match(bad.reason, /statement differs/);
    const open = await verdict({ file_path: 'Scratch/Good.lean', challenge_file: 'Scratch/Asked.lean' });
    assert.equal(open.verdict, hasLeanchecker ? 'certified' : 'incomplete');
  });
  session('in brief: what differs, each verdict once', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `goal${i}`);
    const challenge = names.map(name => `theorem ${name} (p q : Prop) (h : p ∧ q) : q ∧ p := sorry\n`).join('');
    const solution = names.map((name, i) => `theorem ${name} (p q : Prop) (h : p ∧ q) : q ∧ p := ${i === 7 ? 'sorry' : '⟨h.2, h.1⟩'}\n`).join('');
    const args = { solution, challenge, without_replay: true };
    const verbose = await ask('lean_certify', { ...args, verbose: true }), brief = await ask('lean_certify', { ...args, verbose: false });
    assert.equal(verbose.names.length, 20);
    assert.ok(verbose.toolchain.sha256 && verbose.allowed_axioms && verbose.challenge_sha256);
    assert.equal(brief.verdict, verbose.verdict);
    assert.ok(brief.names.length <= 3, JSON.stringify(brief.names));
    const told = Object.fromEntries(brief.names.flatMap(({ name, verdict, also = [] }) => [name, ...also].map(each => [each, verdict])));
    assert.deepEqual(told, Object.fromEntries(verbose.names.map(({ name, verdict }) => [name, verdict])));
    const bad = brief.names.find(({ name }) => name === 'goal7');
    assert.deepEqual([bad.verdict, bad.also], ['refused', undefined]);
    assert.match(bad.reason, /sorryAx/);
    assert.ok(Buffer.byteLength(JSON.stringify(brief)) <= 2048, JSON.stringify(brief));
  });
  session('lean_verify names it', async () => assert.equal((await ask('lean_verify', { file_path: 'Scratch/Good.lean', theorem_name: 'goal' })).verdict_by, 'lean_certify'));
  session('inputs that do not fit together', async () => {
    for (const args of [{}, { challenge: ASKED }, { file_path: 'Scratch/Good.lean' }, { file_path: 'Scratch/Good.lean', solution: PROVED, challenge: ASKED },
      { file_path: 'Scratch/Good.lean', challenge: ASKED, challenge_file: 'Scratch/Asked.lean' }, { solution: PROVED, challenge_revision: 'HEAD' }])
      await refused('lean_certify', args, 'invalid_argument');
    await refused('lean_certify', { file_path: 'Scratch/Good.lean', challenge: ASKED, names: ['nothing'] }, 'invalid_argument');
    await refused('lean_certify', { file_path: 'Scratch/Good.lean', challenge: ASKED, allowed_axioms: ['sorryAx'] }, 'invalid_argument');
  });
});

/** Starts `leanbridge certify --input`: {child, text, ended}. `into`: a file that stdout is appended to. */
function startBatch(args, { cwd, into, env = {} } = {}) {
  const out = into ? fs.openSync(path.join(cwd, into), 'a') : 'pipe';
  const child = spawn(binary, ['certify', '--lake', lean.lake, '--without-replay', ...args], { cwd, env: { ...process.env, LEAN_PROJECT_PATH: '', ...env }, stdio: ['pipe', out, 'pipe'] });
  if (into) fs.closeSync(out);
  const text = { stdout: '', stderr: '' };
  child.stdout?.on('data', chunk => { text.stdout += chunk; });
  child.stderr.on('data', chunk => { text.stderr += chunk; });
  const ended = once(child, 'close').then(([code]) => ({ code, ...text }));
  return { child, text, ended };
}
const batch = (args, options) => { const { child, ended } = startBatch(args, options); child.stdin.end(); return ended; };
/** The verdicts in whole lines. */
const answersIn = text => { assert.ok(text === '' || text.endsWith('\n'), text); return text.split('\n').filter(Boolean).map(line => JSON.parse(line)); };
/** The verdicts in what has come so far. */
const verdictsIn = text => verdictsOf(text.slice(0, text.lastIndexOf('\n') + 1));
const verdictsOf = text => Object.fromEntries(answersIn(text).map(({ id, verdict }) => [id, verdict]));
const asLines = pairs => pairs.map(pair => (typeof pair === 'string' ? pair : JSON.stringify(pair))).join('\n') + '\n';

describe('a batch', { skip: passed || needsProofs.skip }, () => {
  const good = { id: 'good', challenge: ASKED, solution: PROVED };
  test('a line for each pair, in every form, and for each line that is none', { timeout }, async () => {
    const program = `set_option debug.skipKernelTC true in\n${PROVED}`;
    const cwd = scratchProject({
      'Asked.lean': ASKED, 'Proofs/Wrong.lean': WRONG,
      'pairs.jsonl': asLines([
        good, { id: 7, challenge_file: 'Asked.lean', file_path: 'Proofs/Wrong.lean' }, { id: 'open', challenge: ASKED, solution: program }, 'not JSON', '',
        { id: 'none', solution: PROVED }, good, { id: 'broken', challenge: 'theorem goal : 1 = 2 := nothing', solution: PROVED },
        { id: 'missing', challenge_file: 'No.lean', solution: PROVED }, { id: 'names', challenge: `${ASKED}theorem hard : 1 = 2 := sorry\n`, solution: PROVED, names: ['goal'] },
      ]),
    });
    const { code, stdout, stderr } = await batch(['--input', 'pairs.jsonl'], { cwd });
    assert.equal(code, 1, stderr);
    assert.deepEqual(verdictsOf(stdout), {
      good: 'certified', 7: 'refused', open: 'incomplete', 'pairs.jsonl:4': 'invalid', none: 'invalid', 'pairs.jsonl:7': 'invalid', broken: 'invalid', missing: 'invalid', names: 'certified',
    });
    const answers = Object.fromEntries(answersIn(stdout).map(answer => [answer.id, answer]));
    assert.deepEqual([answers.good.challenge_sha256, answers.good.solution_sha256], [sha256(ASKED), sha256(PROVED)]);
    assert.ok(['none', 'bubblewrap'].includes(answers.good.sandbox));
    assert.match(answers[7].reason, /statement differs/);
    assert.match(answers.open.complete_with, /leanbridge certify .*--input pairs\.jsonl --kernel/);
    assert.deepEqual(answers['pairs.jsonl:4'], { id: 'pairs.jsonl:4', verdict: 'invalid', reason: 'pairs.jsonl:4: the line is not a JSON object', line: 4 });
    assert.match(answers['pairs.jsonl:7'].reason, /"good" was used before/);
    assert.match(answers.broken.reason, /does not compile/);
    assert.match(answers.missing.reason, /No\.lean/);
    assert.match(stderr, /9 judged: 2 certified, 1 refused, 1 incomplete, 5 invalid/);
  });
  test('exit codes: all certified, or something undecided', { timeout }, async () => {
    const cwd = scratchProject({ 'good.jsonl': asLines([good]), 'open.jsonl': asLines([good, '{']) });
    assert.equal((await batch(['--input', 'good.jsonl'], { cwd })).code, 0);
    assert.equal((await batch(['--input', 'open.jsonl'], { cwd })).code, 3);
    for (const args of [['--input', 'none.jsonl'], ['--input', 'good.jsonl', 'A.lean', 'B.lean'], ['--input', 'good.jsonl', '--git', 'HEAD'], ['--input', 'good.jsonl', '--output', 'x'], ['--resume', 'x', 'A.lean', 'B.lean']]) {
      const { code, stdout, stderr } = await batch(args, { cwd });
      assert.deepEqual([code, stdout], [2, ''], stderr);
    }
  });
  test('each verdict comes as soon as it is known, and an interrupted run leaves whole lines', { timeout }, async () => {
    const { child, text, ended } = startBatch(['--input', '-'], { cwd: scratchProject() });
    child.stdin.write(asLines([good]));
    await eventually(() => text.stdout.endsWith('\n'), timeout, 'the first verdict');
    child.stdin.write(asLines([{ ...good, id: 'second' }]));
    child.kill('SIGTERM');
    const { code, stdout } = await ended;
    assert.equal(code, 130);
    assert.equal(verdictsOf(stdout).good, 'certified');
  });
  test('a run that was cut off goes on: decided pairs are skipped, changed ones are not', { timeout }, async () => {
    const pairs = [{ id: 'a', challenge_file: 'Asked.lean', file_path: 'A.lean' }, { id: 'b', challenge_file: 'Asked.lean', file_path: 'B.lean' }, { id: 'c', challenge: ASKED, solution: WRONG }];
    const cwd = scratchProject({ 'Asked.lean': ASKED, 'A.lean': PROVED, 'B.lean': PROVED, 'pairs.jsonl': asLines(pairs) });
    const read = () => fs.readFileSync(path.join(cwd, 'out.jsonl'), 'utf8');
    const go = async () => { const before = fs.existsSync(path.join(cwd, 'out.jsonl')) ? read() : ''; const { code, stderr } = await batch(['--input', 'pairs.jsonl', '--resume', 'out.jsonl'], { cwd, into: 'out.jsonl' }); return { code, stderr, more: read().slice(before.length) }; };
    assert.equal((await go()).code, 1);
    assert.deepEqual(verdictsOf(read()), { a: 'certified', b: 'certified', c: 'refused' });
    const [, , last] = read().split('\n');
    fs.writeFileSync(path.join(cwd, 'out.jsonl'), read().slice(0, -10));   // as if it had been killed
    const again = await go();
    assert.deepEqual([again.code, again.more.startsWith('\n'), Object.keys(verdictsOf(again.more.slice(1)))], [1, true, ['c']], again.stderr);
    assert.match(again.stderr, /1 judged, 2 known from before: 2 certified, 1 refused/);
    assert.ok(last.includes('"c"'));
    fs.writeFileSync(path.join(cwd, 'A.lean'), WRONG);
    const changed = await go();
    assert.deepEqual([changed.code, verdictsOf(changed.more)], [1, { a: 'refused' }], changed.stderr);
    assert.equal((await go()).more, '');
  });
  test('what pairs begin with is imported once, and a state that somebody has written to is not loaded', { timeout, skip: !hasBubblewrap && 'without a sandbox each text imports for itself' }, async () => {
    const temporary = temporaryFolder('states');
    const states = () => fs.readdirSync(temporary).map(name => path.join(temporary, name, 'state')).filter(file => fs.existsSync(file));
    const { child, text, ended } = startBatch(['--input', '-'], { cwd: scratchProject(), env: { TMPDIR: temporary } });
    const judged = async id => {
      child.stdin.write(asLines([{ ...good, id }]));
      return eventually(() => verdictsIn(text.stdout)[id], timeout, `the verdict on ${id}`);
    };
    assert.equal(await judged('first'), 'certified');
    assert.deepEqual(states(), [], 'a pair alone would wait for it longer than it saves');
    assert.equal(await judged('second'), 'certified');
    const [state, ...others] = states();
    assert.ok(state && others.length === 0, 'its state is kept for those to come');
    assert.equal(await judged('third'), 'certified');
    fs.truncateSync(state, 100);
    assert.equal(await judged('fourth'), 'certified');
    child.stdin.end();
    const { code, stderr } = await ended;
    assert.equal(code, 0, stderr);
    assert.deepEqual(fs.readdirSync(temporary), [], 'they go with the batch');
  });
  test('what declarations cost: exit code 1 where one is dearer than in an earlier run', { timeout: 2 * timeout }, async () => {
    const pair = solution => asLines([{ id: 'a', challenge: ASKED, solution }]);
    const dear = PROVED.replace(':= ', `:=\n${'  have : p ∧ q ∧ p ∧ q := ⟨h.1, h.2, h⟩\n'.repeat(60)}  `);
    const cwd = scratchProject({ 'cheap.jsonl': pair(PROVED), 'dear.jsonl': pair(dear) });
    const cost = async (input, ...args) => { const { code, stdout, stderr } = await batch(['--input', input, '--cost', '50', ...args], { cwd }); return { code, stdout, stderr, cost: answersIn(stdout)[0]?.cost }; };
    const first = await cost('cheap.jsonl');
    assert.deepEqual([first.code, first.cost?.declarations?.map(({ name, line }) => [name, line])], [0, [['goal', 1]]], first.stdout + first.stderr);
    assert.ok(first.cost.seconds > 0 && first.cost.declarations[0].heartbeats > 0);
    fs.writeFileSync(path.join(cwd, 'before.jsonl'), first.stdout);
    const same = await cost('cheap.jsonl', '--cost-baseline', 'before.jsonl');
    assert.deepEqual([same.code, 'before' in same.cost.declarations[0]], [0, false], same.stderr);
    const dearer = await cost('dear.jsonl', '--cost-baseline', 'before.jsonl');
    assert.deepEqual([dearer.code, verdictsOf(dearer.stdout).a, dearer.cost.declarations[0].before], [1, 'certified', first.cost.declarations[0].heartbeats], dearer.stdout);
    assert.match(dearer.stderr, /1 declaration is dearer than before\.jsonl allows/);
    // A solution that prints so much that nothing is read does not pass for cheap.
    fs.writeFileSync(path.join(cwd, 'loud.jsonl'), pair(PROVED + '#check @goal\n'.repeat(9000)));
    const loud = await cost('loud.jsonl', '--cost-baseline', 'before.jsonl');
    assert.deepEqual([loud.code, verdictsOf(loud.stdout).a, loud.cost.why_not], [3, 'certified', 'Lean printed more than is read.'], loud.stdout.slice(0, 2000));
    assert.equal((await cost('cheap.jsonl', '--cost-baseline', 'before.jsonl', '--resume', 'before.jsonl')).code, 2);
    assert.equal((await cost('cheap.jsonl', '--cost-baseline', 'cheap.jsonl')).code, 2);
    assert.equal((await batch(['--input', 'cheap.jsonl', '--cost-baseline', 'before.jsonl'], { cwd })).code, 2);
  });
  test('pairs are judged at the same time in a sandbox only', { timeout }, async () => {
    const cwd = scratchProject({ 'pairs.jsonl': asLines([good, { ...good, id: 'second' }]) });
    const { stdout } = await batch(['--input', 'pairs.jsonl', '--jobs', '2'], { cwd });
    const [one, other] = answersIn(stdout);
    assert.deepEqual([one.id, other.id].sort(), ['good', 'second']);
    for (const { sandbox, verdict, reason, complete_with: how } of [one, other]) {
      assert.equal(verdict, sandbox === 'bubblewrap' ? 'certified' : 'incomplete', reason);
      if (sandbox === 'none') assert.match(`${reason} ${how}`, /Without a sandbox.*--jobs 1/);
    }
  });
});
