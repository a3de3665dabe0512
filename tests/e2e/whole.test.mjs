// Several files, or a folder, in one call: what is open in them, and what a machine makes of it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe } from 'node:test';
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
