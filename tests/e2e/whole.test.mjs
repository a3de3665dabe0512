// Several files, or a folder, in one call: what is open in them, and what a machine makes of it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe } from 'node:test';
import { temporaryFolder } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { sharedSession, skip } from '../support/session.mjs';

describe('lean_check_all of several files', { skip }, () => {
  const { session, ask, edit, read, file, refused } = sharedSession('multi');
  const brief = ({ files }) => files.map(({ file_path, state }) => `${file_path} ${state}`);

  session('a folder: in the order of imports, one line for a file that is whole', async () => {
    const whole = await ask('lean_check_all', { file_path: 'Multi', verbose: false });
    assert.deepEqual([whole.success, whole.state], [true, 'proved'], JSON.stringify(whole));
    assert.deepEqual(whole.files.map(one => Object.keys(one).sort().join()), whole.files.map(() => 'file_path,state,success'));
    const names = whole.files.map(one => one.file_path);
    assert.deepEqual([...names].sort(), ['Multi/Base.lean', 'Multi/Lemmas.lean', 'Multi/Shapes.lean', 'Multi/Use.lean']);
    assert.ok(names.indexOf('Multi/Base.lean') < names.indexOf('Multi/Lemmas.lean'), names.join());
    assert.ok(names.indexOf('Multi/Lemmas.lean') < names.indexOf('Multi/Use.lean'), names.join());
  });

  session('a list: what is open in each, with goals; the worst of all is said first', async () => {
    fs.writeFileSync(file('Multi/Open.lean'), `theorem a (p q : Prop) (h : p ∧ q) : q := by\n  sorry\ntheorem b : 1 + 1 = 2 := sorry\ntheorem c (n : Nat) : n = 0 := by\n  sorry\n
theorem d (n m : Nat) (h : n ≤ m) : n < m + 1 := by\n  sorry\ntheorem e (n : Nat) : n + 0 = n ∧ True := by\n  constructor\n  · exact nonsense\n  · trivial\n`);
    const answer = await ask('lean_check_all', { files: ['Multi/Open.lean', 'Multi/Base.lean'] });
    assert.deepEqual([answer.success, answer.state, answer.sorry_count, answer.error_count], [false, 'error', 4, 1]);
    assert.deepEqual(brief(answer), ['Multi/Open.lean error', 'Multi/Base.lean proved']);
    const open = answer.files[0].unfinished;
    assert.deepEqual(open.map(one => [one.declaration, one.reason]), [['a', 'sorry'], ['b', 'sorry'], ['c', 'sorry'], ['d', 'sorry'], ['e', 'error']]);
    assert.deepEqual(open.map(one => one.goals?.length), [1, 1, 1, undefined, undefined], 'the first three');
    assert.equal(open[0].goals[0], 'p q : Prop\nh : p ∧ q\n⊢ q');
    assert.equal(open[1].goals[0], '⊢ 1 + 1 = 2');
    const all = await ask('lean_check_all', { file_path: 'Multi/Open.lean', goals: true });
    assert.match(all.unfinished[3].goals[0], /⊢ n < m \+ 1/);
    assert.match(all.unfinished[4].goals[0], /⊢ n \+ 0 = n/, 'where a tactic fails');
  });

  session('suggest: what a machine closes or refutes; nothing is written', async () => {
    const before = read('Multi/Open.lean');
    const { unfinished } = await ask('lean_check_all', { file_path: 'Multi/Open.lean', suggest: true });
    assert.deepEqual(unfinished.map(one => [Boolean(one.closed_by), one.refuted]), [[true, undefined], [true, undefined], [false, 'n = 1'], [true, undefined], [false, undefined]], JSON.stringify(unfinished));
    assert.equal(read('Multi/Open.lean'), before);
  });

  session('what cannot be checked is not whole, and does not hide the others', async () => {
    edit('Multi/Base.lean', 'n + n', 'n + missing');
    const broken = await ask('lean_check_all', { file_path: 'Multi' });
    assert.deepEqual([broken.success, broken.state], [false, 'error']);
    const of = name => broken.files.find(one => one.file_path === name);
    assert.deepEqual([of('Multi/Base.lean').state, of('Multi/Lemmas.lean').success], ['error', false]);
    edit('Multi/Base.lean', 'n + missing', 'n + n');
    fs.rmSync(file('Multi/Open.lean'));
  });

  session('links of a folder are named, and the whole is no success', async () => {
    const outside = temporaryFolder('outside');
    fs.writeFileSync(`${outside}/Out.lean`, 'theorem out : 1 = 2 := sorry\n');
    fs.symlinkSync(outside, file('Multi/Folder'));
    fs.symlinkSync(`${outside}/Out.lean`, file('Multi/Out.lean'));
    fs.symlinkSync('nowhere', file('Multi/Broken.lean'));
    const LINKS = ['Multi/Broken.lean', 'Multi/Folder', 'Multi/Out.lean'];
    const checked = await ask('lean_check_all', { file_path: 'Multi' });
    assert.deepEqual([checked.success, checked.state], [false, 'unknown'], JSON.stringify(checked));
    assert.deepEqual(checked.files.filter(one => !one.success).map(one => [one.file_path, one.state]).sort(), LINKS.map(name => [name, 'unknown']));
    const verified = await ask('lean_verify', { file_path: 'Multi' });
    assert.equal(verified.trusted, false);
    for (const name of LINKS) assert.match(verified.exceptions.find(one => one.file_path === name)?.reason ?? '', /was not verified/, `${name}: ${JSON.stringify(verified)}`);
    for (const name of LINKS) fs.rmSync(file(name));
    assert.equal((await ask('lean_check_all', { file_path: 'Multi' })).success, true);
  });

  session('a declaration is named with its namespaces', async () => {
    fs.writeFileSync(file('Multi/Named.lean'), 'theorem comm : 1 = 1 := rfl\nnamespace Foo\ntheorem comm : 1 = 2 := by\n  sorry\ntheorem _root_.top : 1 = 3 := sorry\nend Foo\n');
    const { unfinished } = await ask('lean_check_all', { file_path: 'Multi/Named.lean' });
    assert.deepEqual(unfinished.map(one => one.declaration), ['Foo.comm', 'top']);
    const proofs = await ask('lean_document_proofs', { file_path: 'Multi/Named.lean' });
    assert.deepEqual(proofs.proofs.map(one => one.declaration), ['comm', 'Foo.comm', 'top']);
    assert.equal((await ask('lean_verify', { file_path: 'Multi/Named.lean', theorem_name: unfinished[0].declaration, scan_source: false })).trusted, false);
    const filled = await ask('lean_fill', { file_path: 'Multi/Named.lean' });
    assert.deepEqual(filled.places.map(one => one.declaration), ['Foo.comm', 'top'], JSON.stringify(filled));
    fs.rmSync(file('Multi/Named.lean'));
  });

  session('bad input is refused', async () => {
    await refused('lean_check_all', {}, 'invalid_argument');
    await refused('lean_check_all', { file_path: 'Multi', files: ['Multi/Use.lean'] }, 'invalid_argument');
    await refused('lean_check_all', { files: [] }, 'invalid_argument');
    await refused('lean_check_all', { files: ['Multi/Nowhere.lean'] }, 'file_not_found');
    await refused('lean_check_all', { files: ['../outside.lean'] }, 'outside_project');
    fs.mkdirSync(file('empty'));
    await refused('lean_check_all', { file_path: 'empty' }, 'invalid_argument');
  });
});

describe('calls that take long', { skip }, () => {
  const FILE = 'Scratch/Long.lean';
  const TEXT = `import Lean\n\ntheorem first (n : Nat) : n + 0 = n := by\n  sorry\n\ntheorem slow : True := by\n  run_tac IO.sleep ${lean.sleepMs}\n  trivial\n`;
  const shared = sharedSession({ [FILE]: TEXT, 'Scratch.lean': 'import Scratch.Long\n' });
  const { session, ask, read, file, refused, locate } = shared;
  const place = () => locate(FILE, 'first', { from: 'theorem ' });
  let edits = 0;
  /** Lean begins with it again, and so does the call. */
  const again = () => fs.writeFileSync(file(FILE), TEXT.replace('first', `first${++edits}`));
  for (const [tool, args, bad] of [
    ['lean_fill', () => ({ file_path: FILE, write: true }), { declaration: 'nothing' }],
    ['lean_check_all', () => ({ files: [FILE], suggest: true }), { file_path: FILE }],
    ['lean_verify', () => ({ files: [FILE] }), { theorem_name: 'slow' }],
    ['lean_rename', () => ({ ...place(), new_name: 'renamed', write: true }), { new_name: 'two words' }],
    ['lean_minimal_imports', () => ({ file_path: FILE, write: true }), { file_path: 'Scratch/No\u0000thing.lean' }],
    ['lean_extract_lemma', () => ({ ...locate(FILE, 'sorry'), write: true }), { name: 'two words' }],
  ]) session(`${tool}: progress, cancellation, a time limit and bad input`, async () => {
    again();
    const before = read(FILE), abort = new AbortController(), told = [];
    const progress = ({ message }) => { told.push(message); abort.abort(new Error('enough')); };
    await assert.rejects(shared.client.call(tool, args(), { progress, signal: abort.signal, timeoutMs: lean.callMs }), /enough/);
    assert.ok(told[0], 'progress comes before the answer');
    again();
    const { structured, error } = await shared.client.call(tool, { ...args(), timeout_s: 0.3 }, { timeoutMs: lean.callMs });
    assert.ok(error?.kind === 'timeout' || structured?.timed_out === true || structured?.files?.[0].timed_out === true, JSON.stringify(error ?? structured));
    assert.equal(read(FILE), before.replace(/first\d+/, `first${edits}`), 'nothing is written');
    const { kind } = await refused(tool, { ...args(), ...bad }, 'invalid_argument');
    assert.equal(kind, 'invalid_argument');
    assert.equal((await ask('lean_goal', { file_path: FILE, line: 4, column: 3 })).goals.length, 1);
  });

  session('lean_verify: what was not compiled in time is not trusted', async () => {
    again();
    const { trusted, timed_out: timedOut, exceptions } = await ask('lean_verify', { files: [FILE], timeout_s: lean.sleepMs / 2000 });
    assert.deepEqual([trusted, timedOut], [false, true]);
    assert.match(exceptions[0].reason, /by the call's deadline/);
  });
});
