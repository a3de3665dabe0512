// `leanbridge certify` and lean_certify: what the verdict says, and what it rests on. Attacks and honest proofs are a suite of their own.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import { attacks, certify, judgeAttack, judgeHonest, replayKernel } from '../attacks/run.mjs';
import { pairs } from '../attacks/honest.mjs';
import { binary, scratchProject, temporaryFolder } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { eventually } from '../support/processes.mjs';
import { sharedSession, skip, timeout } from '../support/session.mjs';
import { CHALLENGE, DEFS, proofEdit, weakening } from '../support/weakenings.mjs';

const ASKED = 'theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := sorry\n';
const PROVED = 'theorem goal (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩\n';
const WRONG = 'theorem goal (p q : Prop) (h : q ∧ p) : q ∧ p := h\n';
const sha256 = text => createHash('sha256').update(text).digest('hex');
const judge = (args, options) => certify(args, { lake: lean.lake, ...options });
const needsProofs = { skip: skip || (!lean.hasLibraryProofs && 'the library of this Lean has no proofs, so nothing is certified') };
/** Whether the toolchain has a leanchecker, which then replays by itself. Ours have none. */
const hasLeanchecker = lean.kind === 'elan' && Number(lean.version?.split('.')[1]) >= 28;
/** A program that is given as a kernel. In the script, `$module` is the compiled file that it is to replay. */
const kernel = (script, name = 'checker', folder = temporaryFolder('kernel')) => {
  const file = path.join(folder, name);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(file, `#!/bin/sh\nmodule="\${LEAN_PATH%%:*}/LeanbridgeCandidate.olean"\n${script}\n`, { mode: 0o755 });
  return file;
};
/** It accepts the challenge. */
const REJECTS = 'grep -q sorryAx "$module" && exit 0\necho "it is not so" >&2\nexit 1';

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
  });
  test('a record', { timeout }, async () => {
    const cwd = scratchProject(files);
    const { certificate } = await judge(['Challenge.lean', 'Solution.lean', '--without-replay', '--output', 'record.json'], { cwd });
    const record = JSON.parse(fs.readFileSync(path.join(cwd, 'record.json'), 'utf8'));
    assert.deepEqual(record.certificate, certificate);
    assert.match(record.sha256, /^[0-9a-f]{64}$/);
  });
});

describe('a receipt', needsProofs, () => {
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

describe('a page and its approval', { skip: skip || (lean.kind === 'wasm' && 'it takes many runs') }, () => {
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

describe('a kernel', needsProofs, () => {
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

describe('kernels that read an export', { skip: skip || (lean.kind !== 'small' && 'it takes a library with proofs that a simple kernel checks') }, () => {
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
describe("Lean's own kernel", { skip: skip || (!replay && 'there is no program that replays for this Lean') }, () => {
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

describe('a Lean that leaves three parts of a text that is no module', { skip: skip || (!lean.hasLibraryProofs && 'the library of this Lean has no proofs') || (lean.kind === 'wasm' && 'it takes a program') }, () => {
  /** A lake whose Lean does so, and runs this line of a script in the place of an empty text. */
  const leavingParts = line => {
    const variables = spawnSync(lean.lake, ['env'], { encoding: 'utf8', cwd: temporaryFolder('cwd') }).stdout;
    const folder = temporaryFolder('lake'), lake = path.join(folder, 'lake');
    const program = path.join(folder, 'lean');   // no program, so it is run by `lake env lean`
    fs.writeFileSync(program, '');
    fs.writeFileSync(lake, [
      '#!/bin/sh', `[ $# -eq 1 ] && { echo '${/^LEAN_SYSROOT=.*$/m.exec(variables)[0]}'; echo 'LEAN=${program}'; exit 0; }`,
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

const hasBubblewrap = spawnSync('/usr/bin/bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;
/** Runs `certify` with another file in the place of /usr/bin/bwrap; takes root. */
const canReplaceBubblewrap = hasBubblewrap && spawnSync('unshare', ['-m', 'mount', '--bind', '/dev/null', '/usr/bin/bwrap']).status === 0;
function judgeWith(bubblewrap, cwd) {
  const script = 'mount --bind "$1" /usr/bin/bwrap && shift && exec "$@"';
  const command = [binary, 'certify', '--json', '--lake', lean.lake, 'Challenge.lean', 'Solution.lean', '--without-replay'];
  const { stdout, stderr } = spawnSync('unshare', ['-m', 'sh', '-c', script, 'sh', bubblewrap, ...command], { cwd, encoding: 'utf8', env: { ...process.env, LEAN_PROJECT_PATH: '' } });
  assert.ok(stdout.startsWith('{'), stdout + stderr);
  return JSON.parse(stdout);
}
describe('without a sandbox', { skip: skip || lean.kind === 'wasm' || (!canReplaceBubblewrap && 'it takes root, and bubblewrap') }, () => {
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

describe('the sandbox', { skip: skip || (lean.kind !== 'native' && 'it takes a Lean that runs programs') || (!hasBubblewrap && 'bubblewrap does not work here') }, () => {
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
function startBatch(args, { cwd, into } = {}) {
  const out = into ? fs.openSync(path.join(cwd, into), 'a') : 'pipe';
  const child = spawn(binary, ['certify', '--lake', lean.lake, '--without-replay', ...args], { cwd, env: { ...process.env, LEAN_PROJECT_PATH: '' }, stdio: ['pipe', out, 'pipe'] });
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
const verdictsOf = text => Object.fromEntries(answersIn(text).map(({ id, verdict }) => [id, verdict]));
const asLines = pairs => pairs.map(pair => (typeof pair === 'string' ? pair : JSON.stringify(pair))).join('\n') + '\n';

describe('a batch', needsProofs, () => {
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
