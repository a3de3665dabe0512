// `leanbridge certify` and lean_certify: attacks, honest proofs, and what is said about either.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { attacks, certify, judgeAttack, judgeHonest } from '../attacks/run.mjs';
import { pairs } from '../attacks/honest.mjs';
import { scratchProject, temporaryFolder } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { sharedSession, skip, timeout } from '../support/session.mjs';

const ASKED = 'theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := sorry\n';
const PROVED = 'theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩\n';
const WRONG = 'theorem goal (p q : Prop) (h : q ∧ p) : q ∧ p := h\n';
const sha256 = text => createHash('sha256').update(text).digest('hex');
const judge = (args, options) => certify(args, { lake: lean.lake, ...options });
const needsProofs = { skip: skip || (!lean.hasLibraryProofs && 'the library of this Lean has no proofs, so nothing is certified') };
/** A program that is given as a kernel: it notes what it is asked to replay. */
const kernel = (exit, folder = temporaryFolder('kernel')) => {
  const file = path.join(folder, 'checker');
  fs.writeFileSync(file, `#!/bin/sh\nfor module in "$@"; do ls "\${LEAN_PATH%%:*}" >&2; echo "$module" >&2; done\nexit ${exit}\n`, { mode: 0o755 });
  return file;
};

describe('attacks', { skip }, () => {
  const on = lean.kind === 'small' ? 'small' : 'native';
  for (const attack of attacks().filter(({ leans }) => leans.includes(on)))
    test(`${attack.name}: ${attack.how}`, { timeout }, async () => assert.equal(await judgeAttack(attack, lean), undefined));
});

describe('honest proofs', { skip }, () => {
  const all = pairs();
  test('there are at least 200', () => assert.ok(all.reduce((sum, { theorems }) => sum + theorems.length, 0) >= 200));
  for (const pair of lean.hasLibraryProofs ? all : [all[2], all[6]])   // the converted library cannot derive for enumerations
    test(`${pair.name}: ${pair.theorems.length} theorems`, { timeout }, async () => assert.deepEqual((await judgeHonest(pair, lean)).refused, []));
});

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
  test('incomplete without a kernel: exit code 3, and how to complete it', { timeout }, async () => {
    const { code, certificate } = await judge(['Challenge.lean', 'Solution.lean'], { cwd: scratchProject(files) });
    assert.deepEqual([code, certificate.verdict, certificate.names[0].verdict], [3, 'incomplete', 'incomplete']);
    assert.match(certificate.complete_with, /--kernel.*--without-replay/);
  });
  test('a kernel that accepts, one that does not, one that fails', { timeout }, async () => {
    for (const [exit, code, verdict] of [[0, 0, 'certified'], [1, 1, 'refused'], [7, 3, 'incomplete']]) {
      const answer = await judge(['Challenge.lean', 'Solution.lean', '--kernel', kernel(exit)], { cwd: scratchProject(files) });
      assert.deepEqual([answer.code, answer.certificate.verdict, answer.certificate.kernel_replayed], [code, verdict, exit === 0], JSON.stringify(answer));
      if (exit === 1) assert.match(answer.certificate.reason, /LeanbridgeCandidate\.olean.*LeanbridgeCandidate/);
    }
  });
  test('a solution that uses an allowed axiom, and one that uses another', { timeout }, async () => {
    const cwd = scratchProject({ 'Challenge.lean': `axiom given : 1 = 2\naxiom other : 1 = 2\ntheorem goal : 1 = 2 := sorry\n`, 'Solution.lean': 'axiom given : 1 = 2\naxiom other : 1 = 2\ntheorem goal : 1 = 2 := given\n' });
    const allowing = name => judge(['Challenge.lean', 'Solution.lean', '--without-replay', '--allow-axiom', name], { cwd });
    assert.equal((await allowing('given')).certificate.verdict, 'certified');
    assert.match((await allowing('other')).certificate.reason, /the axiom `given`/);
  });
  test('only some of the theorems', { timeout }, async () => {
    const cwd = scratchProject({ 'Challenge.lean': `${ASKED}theorem hard : 1 = 2 := sorry\n`, 'Solution.lean': PROVED });
    assert.equal((await judge(['Challenge.lean', 'Solution.lean', '--without-replay', '--name', 'goal'], { cwd })).code, 0);
    const { certificate } = await judge(['Challenge.lean', 'Solution.lean', '--without-replay'], { cwd });
    assert.deepEqual(certificate.names.map(({ name, verdict }) => [name, verdict]), [['goal', 'incomplete'], ['hard', 'refused']]);
  });
  test('a record, and the text for people', { timeout }, async () => {
    const cwd = scratchProject(files);
    const { certificate } = await judge(['Challenge.lean', 'Solution.lean', '--without-replay', '--output', 'record.json'], { cwd });
    const record = JSON.parse(fs.readFileSync(path.join(cwd, 'record.json'), 'utf8'));
    assert.deepEqual(record.certificate, certificate);
    assert.match(record.sha256, /^[0-9a-f]{64}$/);
  });
});

describe('a git revision', needsProofs, () => {
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
    assert.equal(files.code, 0, JSON.stringify(files.certificate));   // the reader of the verdict sees the module's hash
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
});

describe('a baseline', needsProofs, () => {
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
    ['no files', [], /0 files/], ['one file', ['Challenge.lean'], /1 files/], ['a missing file', ['Challenge.lean', 'No.lean'], /No\.lean/],
    ['a challenge without theorems', ['Nothing.lean', 'Solution.lean'], /no theorem/], ['a challenge that does not compile', ['Broken.lean', 'Solution.lean'], /does not compile/],
    ['a name that the challenge does not have', ['Challenge.lean', 'Solution.lean', '--name', 'nothing'], /nothing/],
    ['a kernel that is no program', ['Challenge.lean', 'Solution.lean', '--kernel', '/nowhere/kernel'], /nowhere/],
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
    // What `And` needs of the library has no proofs to be missing.
    assert.ok([expected, 'certified'].includes(good.verdict), JSON.stringify(good));
    assert.equal(good.replayed, false);
    const bad = await verdict({ solution: WRONG, challenge_file: 'Scratch/Asked.lean', without_replay: true });
    assert.deepEqual([bad.verdict, bad.names], ['refused', [['goal', 'refused']]]);
    assert.match(bad.reason, /statement differs/);
    const open = await verdict({ file_path: 'Scratch/Good.lean', challenge_file: 'Scratch/Asked.lean' });
    assert.equal(open.verdict, 'incomplete');
  });
  session('lean_verify names it', async () => assert.equal((await ask('lean_verify', { file_path: 'Scratch/Good.lean', theorem_name: 'goal' })).verdict_by, 'lean_certify'));
  session('inputs that do not fit together', async () => {
    for (const args of [{}, { challenge: ASKED }, { file_path: 'Scratch/Good.lean' }, { file_path: 'Scratch/Good.lean', solution: PROVED, challenge: ASKED },
      { file_path: 'Scratch/Good.lean', challenge: ASKED, challenge_file: 'Scratch/Asked.lean' }, { solution: PROVED, challenge_revision: 'HEAD' }])
      await refused('lean_certify', args, 'invalid_argument');
    await refused('lean_certify', { file_path: 'Scratch/Good.lean', challenge: ASKED, names: ['nothing'] }, 'invalid_argument');
  });
});
