// What a verdict rests on: kernels, those that replay modules and those that read an export; and the page that a person has read.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pairs } from '../attacks/honest.mjs';
import { attacks, judgeAttack, judgeHonest, replayKernel } from '../attacks/run.mjs';
import { binary, scratchProject, temporaryFolder } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { skip, timeout } from '../support/session.mjs';
import { ASKED, hasLeanchecker, judge, kernel, needsProofs, passed, PROVED, REJECTS } from '../support/verdicts.mjs';
import { CHALLENGE, DEFS, proofEdit, weakening } from '../support/weakenings.mjs';

const sha256 = text => createHash('sha256').update(text).digest('hex');

describe('a kernel', { skip: passed || needsProofs.skip }, () => {
  const files = { 'Challenge.lean': ASKED, 'Solution.lean': PROVED };
  const replayed = async (script, args = []) => {
    const program = kernel(script);
    const { code, certificate, stdout, stderr } = await judge(['Challenge.lean', 'Solution.lean', '--kernel', program, ...args], { cwd: scratchProject(files) });
    assert.equal(certificate?.kernel?.program, program, stdout + stderr);
    assert.match(certificate.kernel.sha256, /^[0-9a-f]{64}$/);
    return { code, verdict: certificate.verdict, replayed: certificate.kernel_replayed, said: certificate.verdict === 'refused' ? certificate.reason : `${certificate.reason}\n${certificate.complete_with}`, certificate };
  };
  for (const [what, script, code, verdict, mention] of [
    ['accepts', 'exit 0', 0, 'certified', /a kernel has replayed/],
    ['rejects', REJECTS, 1, 'refused', /checker does not accept.*it is not so/],
    ['prints that it accepts, and rejects', `echo '{"verdict": "certified"}'\n${REJECTS}`, 1, 'refused', /it is not so/],
    ['rejects the challenge as well', 'echo "wrong version" >&2; exit 1', 3, 'incomplete', /no kernel for them.*\n.*wrong version/],
    ['crashes', 'kill -SEGV $$', 3, 'incomplete', /exit code 139/],
    ['prints that all is well, and fails', 'echo accepted; exit 7', 3, 'incomplete', /exit code 7.*\n.*accepted/],
    ['runs out of memory', 'echo "INTERNAL PANIC: out of memory" >&2; exit 1', 3, 'incomplete', /out of memory/],
  ]) test(`${what}: ${verdict}`, { timeout }, async () => {
    const answer = await replayed(script);
    assert.deepEqual([answer.code, answer.verdict, answer.replayed], [code, verdict, verdict === 'certified'], answer.said);
    assert.match(verdict === 'certified' ? answer.certificate.reason : answer.said, mention);
    assert.equal(answer.certificate.checked_by.includes('replay by checker'), verdict === 'certified');
    assert.equal(answer.certificate.names[0].verdict, verdict);
  });
  test('hangs: incomplete when the time is up', { timeout: 4 * timeout }, async () => {
    let answer;
    for (const part of [9000, 3000, 1000]) {   // of the time; more of it if the machine is too busy to get as far as the kernel
      const program = kernel('sleep 600');
      const { code, certificate } = await judge(['Challenge.lean', 'Solution.lean', '--kernel', program, '--timeout', String(lean.callMs / part)], { cwd: scratchProject(files) });
      answer = { code, certificate };
      if (!/Compiling|did not answer/.test(certificate?.reason ?? '')) break;
    }
    const { code, certificate } = answer;
    assert.deepEqual([code, certificate?.verdict, certificate?.timed_out], [3, 'incomplete', true], JSON.stringify(answer));
    assert.match(certificate.reason, /checker did not end in time/);
  });
  test('it gets the modules that were compiled, in folders that nobody else has written, and the words of its command', { timeout }, async () => {
    const challenge = 'import Scratch.Defs\ntheorem goal : limit = 2 := sorry\n';
    const cwd = scratchProject({ 'Scratch/Defs.lean': 'def limit : Nat := 2\n', 'Challenge.lean': challenge, 'Solution.lean': challenge.replace('sorry', 'rfl') });
    const program = kernel('echo "$@" >&2; (cd "${LEAN_PATH%%:*}"; find . -name "*.olean" | sort) >&2; exit 7');
    const { certificate } = await judge(['Challenge.lean', 'Solution.lean', '--kernel', `${program} --strict`], { cwd });
    assert.match(certificate.complete_with, /it says: --strict Scratch\.Defs LeanbridgeCandidate \.\/LeanbridgeCandidate\.olean \.\/Scratch\/Defs\.olean$/);
  });
  test("the project's lean4checker: named with the command that uses it, and used if it is trusted", { timeout, skip: hasLeanchecker && 'this toolchain has a kernel' }, async () => {
    const bin = '.lake/packages/lean4checker/.lake/build/bin';
    const manifest = JSON.stringify({ version: '1.1.0', packagesDir: '.lake/packages', packages: [{ type: 'git', name: 'lean4checker' }] });
    const cwd = scratchProject({ ...files, 'lake-manifest.json': manifest });
    const program = kernel('exit 0', 'lean4checker', path.join(cwd, bin));
    const ask = async (...args) => (await judge(['Challenge.lean', 'Solution.lean', ...args], { cwd })).certificate;
    const { verdict, complete_with: how } = await ask();
    assert.equal(verdict, 'incomplete');
    const command = /^Run: (leanbridge certify .*lean4checker)$/m.exec(how)?.[1];
    assert.ok(command, how);
    const run = spawnSync('sh', ['-c', command.replace('leanbridge', binary)], { cwd, encoding: 'utf8', env: { ...process.env, LEAN_PROJECT_PATH: '' } });
    assert.equal(run.status, 0, run.stdout + run.stderr);
    assert.equal((await ask('--trust-packages')).kernel.program, program);
    assert.equal((await judge(['--record-baseline', 'baseline.json'], { cwd })).code, 0);
    const trusted = await ask('--baseline', 'baseline.json');
    assert.deepEqual([trusted.verdict, trusted.kernel?.program], ['certified', program]);
    kernel('exit 0 # another', 'lean4checker', path.join(cwd, bin));
    assert.equal((await ask('--baseline', 'baseline.json')).verdict, 'incomplete');
  });
});

describe('kernels that read an export', { skip: skip || passed || (lean.kind !== 'small' && 'it takes a library with proofs that a simple kernel checks') }, () => {
  const own = `${process.execPath} ${path.join(import.meta.dirname, '../support/export-checker.mjs')}`;
  const nanoda = process.env.LEANBRIDGE_TEST_NANODA;   // no registry has one that could be installed here
  const challenge = 'inductive Tree (α : Type) where | leaf | node (l : List (Tree α)) (x : α)\nstructure Point where\n  x : Nat\n  y : Nat\ndef double (n : Nat) : Nat := n + n\n'
    + 'theorem goal (p : Point) (t : Tree Nat) : Point.mk p.x p.y = p ∧ t = t ∧ double 2 = 4 := sorry\ntheorem other (a b : Prop) (h : a ↔ b) : a = b := sorry\n';
  const solution = challenge.replace('sorry', '⟨rfl, rfl, rfl⟩').replace('sorry', 'propext h');
  const ask = (args, options = {}) => judge(['Challenge.lean', 'Solution.lean', '--name', 'goal', '--name', 'other', ...args], { cwd: scratchProject({ 'Challenge.lean': challenge, 'Solution.lean': solution }), ...options });
  /** A kernel that rejects what has the theorem. */
  const refuser = () => kernel('grep -q \'"str":"goal"\' "$1" || exit 0\necho "not so" >&2\nexit 1', 'refuser');
  test('all accept: the verdict names them, and the export', { timeout }, async () => {
    const { code, certificate } = await ask(['--kernels', [own, ...(nanoda ? [nanoda] : [])].join(',')]);
    assert.deepEqual([code, certificate?.verdict, certificate?.kernel_replayed], [0, 'certified', true], JSON.stringify(certificate));
    assert.ok(certificate.kernels.every(({ answer }) => answer === 'accepted'));
    assert.match(certificate.export.sha256, /^[0-9a-f]{64}$/);
    assert.equal(certificate.export.format, '3.1.0');
    assert.match(certificate.checked_by.at(-1), /^check of the export by/);
  });
  test('a receipt with its export is checked by kernels alone, which is never called a verdict', { timeout: 2 * timeout }, async () => {
    const folder = temporaryFolder('stored'), file = path.join(folder, 'export.ndjson'), receipt = path.join(folder, 'receipt.json');
    assert.equal((await ask(['--without-replay', '--export', file, '--receipt', receipt, '--kernels', own])).code, 0);
    // Far from the project, whose files are not needed.
    const again = (...more) => judge(['--verify', receipt, '--export', file, ...more], { cwd: folder });
    const good = await again('--kernels', own);
    assert.deepEqual([good.code, good.certificate.differences, good.certificate.kernels.map(({ answer }) => answer)], [3, [], ['accepted']]);
    assert.ok(!('verdict' in good.certificate) && /comparison of statements/.test(good.certificate.not_repeated));
    assert.deepEqual((await again('--kernels', kernel('exit 1'))).certificate.differences.at(-1), 'No kernel accepts the export.');
    fs.appendFileSync(file, '\n');
    const bad = await again('--kernels', own);
    assert.deepEqual([bad.code, bad.certificate.differences], [1, ['The export is not the one of the receipt.']]);
  });
  test('an export with a wrong type or an unknown name is refused by each checker at hand', { timeout: 4 * timeout }, async () => {
    const folder = temporaryFolder('export');
    const file = path.join(folder, 'export.ndjson');
    const { code, certificate } = await ask(['--without-replay', '--export', file]);
    assert.deepEqual([code, certificate?.verdict], [0, 'certified'], JSON.stringify(certificate));
    const text = fs.readFileSync(file, 'utf8');
    assert.equal(sha256(text), certificate.export.sha256);
    const lines = text.split('\n');
    const theorems = lines.map((line, at) => ({ at, value: line.startsWith('{"thm"') ? JSON.parse(line).thm : undefined })).filter(({ value }) => value);
    const [goal, last] = theorems.slice(-2);
    const changed = (at, line) => lines.with(at, line).join('\n');
    const exports = { 'as it is': text, 'with another type': changed(last.at, JSON.stringify({ thm: { ...last.value, type: goal.value.type } })), 'without a definition': changed(lines.findLastIndex(line => line.startsWith('{"def"')), '') };
    const checkers = [own.split(' '), ...(nanoda ? [[nanoda]] : [])];
    for (const checker of checkers)
      for (const [what, content] of Object.entries(exports)) {
        const changedFile = path.join(folder, 'changed.ndjson');
        fs.writeFileSync(changedFile, content);
        let input = changedFile;
        if (/nanoda/.test(checker[0])) {
          input = path.join(folder, 'config.json');
          fs.writeFileSync(input, JSON.stringify({ export_file_path: changedFile, use_stdin: false, permitted_axioms: ['propext', 'Quot.sound', 'Classical.choice'], unpermitted_axiom_hard_error: true, nat_extension: true, string_extension: true }));
        }
        const { status, stderr } = spawnSync(checker[0], [...checker.slice(1), input], { encoding: 'utf8' });
        assert.equal(status === 0, what === 'as it is', `${checker[0]}, ${what}: ${status} ${stderr}`);
        if (status !== 0) assert.ok([1, 101].includes(status), stderr);
      }
  });
  test('the only one refuses: refused', { timeout }, async () => {
    const { code, certificate } = await ask(['--kernels', refuser()]);
    assert.deepEqual([code, certificate?.verdict, certificate?.kernels[0].answer], [1, 'refused', 'rejected'], JSON.stringify(certificate));
    assert.match(certificate.reason, /refuser does not accept.*not so/);
  });
  test('one refuses what another accepts: incomplete, and never certified', { timeout }, async () => {
    const { code, certificate } = await ask(['--kernels', `${own},${refuser()}`]);
    assert.deepEqual([code, certificate?.verdict], [3, 'incomplete'], JSON.stringify(certificate));
    assert.match(certificate.reason, /refuser does not accept what node accepts/);
  });
  for (const [what, script, mention] of [
    ['declines', 'exit 2', /exit code 2/], ['rejects whatever it is given', 'exit 1', /no kernel for them/], ['crashes', 'kill -SEGV $$', /exit code 139/], ['hangs', 'sleep 600', /did not end in time/],
  ]) test(`one that ${what} is named, and is no acceptance`, { timeout: 2 * timeout }, async () => {
    const limit = what === 'hangs' ? ['--timeout', String(Math.max(8, lean.callMs / 9000))] : [];
    const { code, certificate } = await ask(['--kernels', kernel(script, 'unable'), ...limit]);
    assert.deepEqual([code, certificate?.verdict], [3, 'incomplete'], JSON.stringify(certificate));
    assert.match(`${certificate.reason}\n${certificate.complete_with}`, mention);
    const { certificate: both } = await ask(['--kernels', `${own},${kernel(script, 'unable')}`, ...limit]);
    assert.deepEqual([both?.verdict, both?.kernels.map(({ answer }) => answer)], ['incomplete', ['accepted', 'failed']], JSON.stringify(both));
  });
  test('without --kernels one acceptance is enough, and the others are named', { timeout }, async () => {
    const bin = path.dirname(kernel('exit 2', 'nanoda_bin'));
    const { code, certificate } = await ask(['--kernel', kernel('exit 0')], { env: { PATH: `${bin}:${process.env.PATH}` } });
    assert.deepEqual([code, certificate?.verdict], [0, 'certified'], JSON.stringify(certificate));
    assert.deepEqual(certificate.kernels.map(({ name, answer }) => [name, answer]), [['checker', 'accepted'], ['nanoda', 'failed']]);
    assert.match(certificate.reason, /nanoda could not check/);
  });
  test('a nanoda that lies in the project is not run', { timeout }, async () => {
    const cwd = scratchProject({ 'Challenge.lean': challenge, 'Solution.lean': solution });
    kernel('exit 0', 'nanoda_bin', path.join(cwd, 'bin'));
    for (const PATH of [`${cwd}/bin:${process.env.PATH}`, `bin:${process.env.PATH}`]) {
      const { code, certificate } = await judge(['Challenge.lean', 'Solution.lean'], { cwd, env: { PATH } });
      assert.deepEqual([code, certificate?.verdict, certificate?.kernels], [3, 'incomplete', []], JSON.stringify(certificate));
    }
  });
  test('fewer than asked, or none: incomplete, also where no replay is needed', { timeout }, async () => {
    for (const kernels of ['2', 'all']) {
      const { code, certificate } = await ask(['--without-replay', '--kernels', kernels]);
      assert.deepEqual([code, certificate?.verdict], [3, 'incomplete'], JSON.stringify(certificate));
      assert.match(certificate.reason, /0 were found/);
    }
  });
});

const replay = replayKernel(lean);
describe("Lean's own kernel", { skip: skip || passed || (!replay && 'there is no program that replays for this Lean') }, () => {
  const replayed = (challenge, solution, files = {}) => judge(['Challenge.lean', 'Solution.lean', '--kernel', replay], { cwd: scratchProject({ ...files, 'Challenge.lean': challenge, 'Solution.lean': solution }) });
  test('accepts a proof, with what it needs of the project', { timeout }, async () => {
    const challenge = 'import Scratch.Defs\ninductive Tree where | leaf | node (l r : Tree)\ntheorem goal (p : Prop) (h : p) (_ : limit = 2) (t : Tree) : p ∧ t = t := sorry\n';
    const { code, certificate } = await replayed(challenge, challenge.replace('sorry', '⟨h, rfl⟩'), { 'Scratch/Defs.lean': 'def limit : Nat := 2\n' });
    assert.deepEqual([code, certificate?.verdict, certificate?.kernel_replayed], [0, 'certified', true], JSON.stringify(certificate));
    assert.deepEqual(certificate.checked_by.at(-1), 'replay by lean');
  });
  for (const attack of attacks().filter(({ replayed, leans }) => replayed && leans.includes(lean.kind)))
    test(`rejects what only a kernel can see: ${attack.name}`, { timeout }, async () => assert.equal(await judgeAttack(attack, lean, replay), undefined));
  for (const pair of lean.kind === 'small' ? pairs().slice(0, 4) : [])
    test(`certifies ${pair.name}`, { timeout }, async () => assert.deepEqual((await judgeHonest(pair, lean, replay)).refused, []));
  const needsPrograms = { timeout, skip: lean.kind !== 'native' && 'it takes a Lean that runs programs' };
  test('is not asked about an import that was replaced, or sees the true one', needsPrograms, async () => {
    const { challenge, solution, files } = attacks().find(({ name }) => name === 'edit-import');
    const { code, certificate } = await replayed(challenge, solution, files);
    assert.deepEqual([code, certificate?.verdict], [1, 'refused'], JSON.stringify(certificate));
    assert.match(certificate.reason, certificate.sandbox === 'none' ? /was changed while/ : /does not accept/);
  });
  test('does not read what a solution has put beside the compiled modules', needsPrograms, async () => {
    const asked = 'theorem goal (p : Prop) (h : p) : p := sorry\n';
    const planted = ['../judged', '../asked', '../kernel', '../modules', '../modules/Init'].map(folder => `#eval (try IO.FS.createDirAll "${folder}"; IO.FS.writeFile "${folder}/Planted.olean" "x" catch _ => pure () : IO Unit)\n`).join('');
    const program = kernel('(cd "${LEAN_PATH%%:*}"; find . -name "*.olean") >&2; exit 7');
    const cwd = scratchProject({ 'Challenge.lean': asked, 'Solution.lean': planted + asked.replace('sorry', 'h') });
    const { certificate } = await judge(['Challenge.lean', 'Solution.lean', '--kernel', program], { cwd });
    assert.match(certificate.complete_with, /it says: \.\/LeanbridgeCandidate\.olean$/, JSON.stringify(certificate));
  });
});

describe('a page and its approval', { skip: skip || passed || (lean.kind === 'wasm' && 'it takes many runs') }, () => {
  const whole = { skip: lean.kind === 'small' && 'its library is too small' };
  const project = () => scratchProject({ 'Scratch/Defs.lean': DEFS, 'Challenge.lean': CHALLENGE });
  const outside = () => path.join(temporaryFolder('approval'), 'approval.json');
  // The challenge against itself: it states what it states, whether it is proved or not.
  const judged = (cwd, ...args) => judge(['Challenge.lean', 'Challenge.lean', '--name', 'goal', ...args], { cwd });
  const approve = async (cwd, file) => { await judged(cwd, '--approval', file, '--approve', 'Alice'); return JSON.parse(fs.readFileSync(file, 'utf8')); };
  test('has the statement, what is below it in the project, and no proof', { timeout, ...whole }, async () => {
    const cwd = project();
    const { certificate } = await judged(cwd, '--page', 'page.txt');
    const page = fs.readFileSync(path.join(cwd, 'page.txt'), 'utf8');
    for (const line of [/^ {2}theorem goal \(p : Point\) .*-- Challenge:3$/m, /^ {2}def limit : Nat := 12 .*-- Scratch\.Defs:2$/m, /^ {2}def small \(n : Nat\) : Prop := n < limit ∧ 0 < n /m,
      /^ {4}\| Point\.mk .*-- assumes below, apart$/m, /^ {2}(def|instance) byTwo /m, /^ {4}\| Reached\.next .*-- assumes before, bound$/m, /^ {2}def Away \(n : Nat\) : Prop := 20 < n /m, /^Notions of the library/m])
      assert.match(page, line);
    for (const absent of ['zero_small', 'helper']) assert.ok(!page.includes(absent), `${absent}: ${page}`);
    assert.match(page, new RegExp(certificate.page.fingerprint));
  });
  test('holds, or what has changed is named, and then nothing is certified', { timeout, ...needsProofs }, async () => {
    const cwd = scratchProject({ 'Scratch/Defs.lean': 'def limit : Nat := 2\n', 'Challenge.lean': 'import Scratch.Defs\ntheorem goal : limit = limit := sorry\n', 'Solution.lean': 'import Scratch.Defs\ntheorem goal : limit = limit := rfl\n' });
    const file = outside();
    const run = (...args) => judge(['Challenge.lean', 'Solution.lean', '--without-replay', '--approval', file, ...args], { cwd });
    assert.equal((await run()).code, 2, 'there is no approval');
    assert.equal((await run('--approve', 'Alice')).code, 0);
    const { approved_by: by, approved_at: at } = JSON.parse(fs.readFileSync(file, 'utf8'));
    assert.deepEqual([by, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(at)], ['Alice', true]);
    const good = await run();
    assert.deepEqual([good.code, good.certificate.approval], [0, { approved_by: 'Alice', approved_at: at, holds: true, changes: [] }]);
    assert.match(good.certificate.reason, /is as Alice approved it at \S+\.$/);
    fs.writeFileSync(path.join(cwd, 'Scratch/Defs.lean'), 'def limit : Nat := 3\n');
    const bad = await run();
    assert.deepEqual([bad.code, bad.certificate.verdict, bad.certificate.approval.changes], [3, 'incomplete', ['Changed: def limit : Nat := 3; approved was: def limit : Nat := 2']]);
    assert.match(bad.certificate.reason, /not what Alice approved: Changed: def limit/);
  });
  test('inside the project it is said to be worth nothing, also by a link', { timeout, ...needsProofs }, async () => {
    const cwd = scratchProject({ 'Challenge.lean': ASKED, 'Solution.lean': PROVED });
    const file = outside(), link = outside();
    const run = (approval, ...args) => judge(['Challenge.lean', 'Solution.lean', '--without-replay', '--approval', approval, ...args], { cwd });
    await run(file, '--approve', 'Alice');
    fs.copyFileSync(file, path.join(cwd, 'approval.json'));
    fs.symlinkSync(path.join(cwd, 'approval.json'), link);
    assert.ok(!('note' in (await run(file)).certificate.approval));
    for (const inside of ['approval.json', link]) {
      const { certificate } = await run(inside);
      assert.match(certificate.approval.note, /whoever has written the solution may have written it\.$/);
      assert.match(certificate.reason, /But the approval lies in /);
    }
  });
  // LEANBRIDGE_EDITS=100: as many weakenings, and half as many edits of proofs.
  const count = Number(process.env.LEANBRIDGE_EDITS || 4);
  test('each weakening below the statement reopens it, and no edit of proofs does', { timeout: timeout * (1 + count / 10), ...whole }, async () => {
    const cwd = project(), file = outside();
    const approved = await approve(cwd, file);
    const approvalAfter = async (what, { defs, challenge }) => {
      fs.writeFileSync(path.join(cwd, 'Scratch/Defs.lean'), defs);
      fs.writeFileSync(path.join(cwd, 'Challenge.lean'), challenge);
      const { certificate, error, stderr } = await judged(cwd, '--approval', file);
      assert.ok(certificate?.approval, `${what}: ${error?.message} ${stderr}`);
      return certificate.approval;
    };
    for (let seed = 1; seed <= count; ++seed) {
      const { what, ...texts } = weakening(seed);
      assert.ok(texts.defs + texts.challenge !== DEFS + CHALLENGE, what);
      assert.equal((await approvalAfter(what, texts)).holds, false, what);
    }
    for (let seed = 1; seed <= count / 2; ++seed)
      assert.deepEqual((await approvalAfter(`proofs ${seed}`, proofEdit(seed))).changes, [], `proofs ${seed}`);
    assert.equal(approved.leanbridge_approval, 1);
  });
});
