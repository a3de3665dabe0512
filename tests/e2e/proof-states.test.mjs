// What tools say about a proof at every kind of place, on a real Lean: one closed set of states, the verdicts on attempts, and where steps stop.
// Nothing unproved may look proved.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, test } from 'node:test';
import { realLake, scratchProject, withBridge } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { takesLessThan } from '../support/processes.mjs';
import { sharedSession, skip, timeout } from '../support/session.mjs';

const STATES = 'Basics/States.lean';
const SILENT = 'Basics/Silent.lean';
const TEXT = `theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p := by
  constructor
  · exact h.right
  · exact h.left

theorem cheat : 1 = 2 := by
  sorry

theorem above : 1 = 2 := by
  have h : 1 = 2 := by sorry
  exact h

theorem wrong (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  constructor
  · exact hp
  · exact hp

theorem broken (p q : Prop) (h : p ∨ q) : q ∨ p := by
  cases h with
  | inl hp => exact Or.inr hp
  | inrr hq => exact Or.inl hq

theorem left (p q : Prop) (hp : p) : p ∧ q := by
  constructor
  · exact hp

theorem failing (a b : Nat) : a + b = b + a := by
  rw [Nat.mul_comm]
  exact Nat.add_comm a b

theorem inner (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  constructor
  · have h : p := by
      exact hq
    exact h
  · skip

def three : Nat := by
  exact 3

theorem last (p : Prop) (hp : p) : p := by
  exact hp
`;

describe('what is said of a proof', { skip }, () => {
  const shared = sharedSession('basics');
  const { ask, close, edit, file, locate, refused, session } = shared;
  const line = (theorem, needle) => locate(STATES, needle, { from: `theorem ${theorem}` }).line;
  const at = ({ line: row, column }) => `${row}:${column}`;
  const target = goals => goals?.map(goal => goal.slice(goal.indexOf('⊢ ') + 2));
  const write = () => { if (!fs.existsSync(file(STATES))) fs.writeFileSync(file(STATES), TEXT); };

  // [theorem, text of the line, status, message or reason]
  const places = [
    ['swap', 'constructor', 'goals'],
    ['swap', '· exact h.right', 'closed_here'],
    ['swap', '· exact h.left', 'proof_complete'],
    ['cheat', 'sorry', 'sorry', /^Line 7 has a sorry\.$/],
    ['above', 'have h', 'sorry', /^Line 10 has a sorry\.$/],
    ['above', 'exact h', 'sorry', /uses sorry, in line 10\.$/],
    ['wrong', '· exact hp', 'closed_here'],
    ['wrong', '· exact hp\n\n', 'error', /mismatch/i],
    ['broken', 'cases h with', 'error', /`?inrr?\b/],
    ['broken', '| inl hp', 'closed_here'],
    ['broken', '| inrr hq', 'error', /inrr/],
    ['left', 'constructor', 'goals'],
    ['left', '· exact hp', 'error', /^unsolved goals/],
    ['failing', 'rw [Nat.mul_comm]', 'error', /pattern/],
    ['last', 'exact hp', 'proof_complete'],
    ['last', 'theorem last', 'goals'],
  ];
  for (const [theorem, needle, status, says] of places)
    session(`lean_goal and lean_check: ${theorem}, ${JSON.stringify(needle.trim())}: ${status}`, async () => {
      write();
      const where = { file_path: STATES, line: line(theorem, needle) };
      const answer = await ask('lean_goal', where);
      assert.equal(answer.status, status, JSON.stringify(answer));
      assert.equal('error' in answer, status === 'error');
      if (says) assert.match(answer.error?.message ?? answer.reason, says);
      // After a tactic that failed, Lean shows the goal that it was to close.
      if (!['goals', 'error'].includes(status)) assert.deepEqual(answer.goals_after, []);
      assert.equal((await ask('lean_check', where)).status, status, 'lean_check says the same at the end of the line');
    });

  session('an error is told with its place', async () => {
    const { error } = await ask('lean_goal', { file_path: STATES, line: line('broken', 'cases') });
    assert.deepEqual([error.line, error.column], [line('broken', 'cases'), 3], JSON.stringify(error));
  });
  session('at a position: before a tactic, behind it, and outside of proofs', async () => {
    const status = async where => (await ask('lean_goal', where)).status;
    const bad = locate(STATES, 'exact hp\n\n', { from: 'theorem wrong' });
    assert.equal(await status(bad), 'goals', 'before the tactic that fails');
    assert.equal(await status({ ...bad, column: bad.column + 8 }), 'error');
    assert.equal(await status(locate(STATES, 'exact h.left', { end: true })), 'proof_complete');
    assert.equal(await status(locate(STATES, 'exact 3', { end: true })), 'proof_complete', 'a definition');
    assert.equal(await status({ file_path: STATES, line: line('swap', 'theorem swap'), column: 1 }), 'no_goal_at_position');
  });
  session('a proof is not complete while its rest is not known; what is closed here is told at once', async () => {
    fs.writeFileSync(file(SILENT), `theorem slow (p q : Prop) (hp : p) (hq : q) : p ∧ q := by\n  constructor\n  · exact hp\n  · sleep ${lean.sleepMs}\n    exact hq\n`);
    await ask('lean_goal', { file_path: SILENT, line: 2 });
    const started = performance.now();
    const first = await ask('lean_goal', { file_path: SILENT, line: 3 });
    const took = performance.now() - started;
    assert.deepEqual([first.status, first.partial], ['closed_here', false], JSON.stringify(first));
    assert.ok(took < lean.sleepMs / 2, `${took} ms: it does not wait for the sleep`);
    const late = await ask('lean_goal', { file_path: SILENT, line: 5, timeout_s: 1 });
    assert.deepEqual([late.status, late.partial], ['still_elaborating', true]);
    assert.equal((await ask('lean_goal', { file_path: SILENT, line: 5 })).status, 'proof_complete');
    await close(SILENT);
  });
  session('goals inside of a last tactic that has closed them are none of the proof', async () => {
    const proof = (end, name = 'repeated') => `theorem ${name} (p q : Prop) (hp : p) (hq : q) : p ∧ q := by\n  repeat first | assumption | constructor${end}\n`;
    fs.writeFileSync(file(SILENT), `${proof('')}\n${proof('', 'open_').replace('(hq : q) ', '')}`);
    const whole = await ask('lean_goal', { file_path: SILENT, line: 2 });
    assert.deepEqual([whole.status, whole.goals_after], ['proof_complete', []], JSON.stringify(whole));
    const end = await ask('lean_goal', locate(SILENT, 'assumption | constructor', { end: true }));
    assert.deepEqual([end.status, end.goals], ['proof_complete', []], JSON.stringify(end));
    const check = await ask('lean_check', { file_path: SILENT, line: 2 });
    assert.deepEqual([check.status, check.goals], ['proof_complete', []], JSON.stringify(check));
    const open = await ask('lean_goal', { file_path: SILENT, line: 5 });
    assert.ok(['goals', 'error'].includes(open.status), JSON.stringify(open));
    assert.equal((await ask('lean_goal', { file_path: SILENT, line: 2, column: 3 })).status, 'goals', 'before it');
    await close(SILENT);
  });
  session('goals above a slow tactic of the same block are told at once', async t => {
    let edits = 0;
    await takesLessThan(lean.sleepMs / 6, async () => {
      fs.writeFileSync(file(SILENT), `theorem slow${++edits} (p q : Prop) (hp : p) (hq : q) : p ∧ q := by\n  constructor\n  have h := hp\n  sleep ${lean.sleepMs}\n  all_goals assumption\n`);
      await ask('lean_goal', { file_path: SILENT, line: 2 });
      const started = performance.now();
      const above = await ask('lean_goal', { file_path: SILENT, line: 3 });
      const took = performance.now() - started;
      t.diagnostic(`${Math.round(took)} ms, partial: ${above.partial}`);
      assert.deepEqual([above.status, above.goals_after.length], ['goals', 2], JSON.stringify(above));
      return took;
    });
    await close(SILENT);
  });
  // The compiled file decides where it is there in seconds, as on a native Lean.
  const decided = verdict => (lean.kind === 'native' ? [verdict] : [verdict, 'closed_here']);
  const statuses = async (...rows) => {
    await ask('lean_check_all', { file_path: SILENT });   // waits for the compiler, which lean_goal does for seconds only
    const found = [];
    for (const row of rows) found.push(await ask('lean_goal', { file_path: SILENT, line: row }));
    return found;
  };
  session('where Lean may be silent about a sorry, nothing is called complete that is not', async () => {
    fs.writeFileSync(file(SILENT), 'set_option warn.sorry false\ntheorem lie : 1 = 2 := by\n  stop rfl\ntheorem right : 1 = 1 := by\n  rfl\n');
    const [lie, right] = await statuses(3, 5);
    assert.ok(decided('sorry').includes(lie.status), JSON.stringify(lie));
    assert.match(lie.reason, /warn\.sorry|announced/);
    assert.ok(decided('proof_complete').includes(right.status), JSON.stringify(right));
    await close(SILENT);
  });
  session('below a program of an imported file, the compiled file tells what is complete', async () => {
    const program = 'Basics/Quiet.lean';
    fs.writeFileSync(file(program), 'unsafe def risky : Nat := 1\nmacro "hush " c:command : command => `(command| set_option warn.sorry false in $c)\n');
    fs.writeFileSync(file(SILENT), 'import Basics.Quiet\nhush theorem lie : 1 = 2 := by\n  sorry\ntheorem right : 1 = 1 := by\n  rfl\n');
    const [lie, right] = await statuses(3, 5);
    assert.ok(decided('sorry').includes(lie.status), JSON.stringify(lie));
    assert.ok(decided('proof_complete').includes(right.status), JSON.stringify(right));
    await close(SILENT);
    fs.rmSync(file(program));
  }, { skip: lean.kind === 'wasm' && 'its interpreter runs no macro of an imported file' });

  session('attempts: what closes the goal, what completes the proof, what is a sorry, what fails', async () => {
    const snippets = ['exact ⟨h.right, h.left⟩', 'sorry', 'admit', 'constructor', 'skip', 'exact noSuchThing', 'exact h', 'omega'];
    const { items } = await ask('lean_multi_attempt', { file_path: STATES, line: line('swap', 'constructor'), snippets, verbose: true });
    const verdict = ({ proof_status, progress, closes_goal, proof_complete, uses_sorry, remaining_goals, replaces_lines }) =>
      [proof_status, progress ?? false, closes_goal, proof_complete, uses_sorry, remaining_goals, replaces_lines];
    assert.deepEqual(items.map(verdict), [
      ['proof_complete', true, true, true, false, 0, [2, 4]],
      ['sorry', true, false, false, true, 0, [2, 4]],
      ['sorry', true, false, false, true, 0, [2, 4]],
      ['goals', true, false, false, false, 2, [2, 2]],
      ['goals', false, false, false, false, 1, [2, 2]],
      ...Array(3).fill(['error', false, false, false, false, undefined, undefined]),
    ], JSON.stringify(items));
    for (const { goals } of items.slice(5)) assert.deepEqual(goals, [], 'after every failure alike');
  });
  session('attempts in a block: its goal is closed, and the goals left are those of the proof', async () => {
    const bullet = await ask('lean_validate_step', { file_path: STATES, line: line('swap', '· exact h.right'), tactic: '· exact h.right' });
    assert.deepEqual([bullet.valid, bullet.closes_goal, bullet.proof_complete ?? false, bullet.remaining_goals, bullet.replaces_lines],
      [true, true, false, 1, [3, 3]], JSON.stringify(bullet));
    assert.deepEqual(target(bullet.goals_after), ['p']);
    const inside = await ask('lean_validate_step', { file_path: STATES, line: line('inner', 'have h'), column: 5, tactic: 'exact hp' });
    assert.deepEqual([inside.closes_goal, inside.proof_complete ?? false, inside.replaces_lines], [true, false, [line('inner', 'have h'), line('inner', 'exact h\n')]], JSON.stringify(inside));
    const have = await ask('lean_validate_step', { file_path: STATES, line: line('swap', 'constructor'), tactic: 'have hq : q := by exact h.right' });
    assert.deepEqual([have.proof_status, have.closes_goal ?? false, have.remaining_goals], ['goals', false, 1], JSON.stringify(have));
    const failed = await ask('lean_validate_step', { file_path: STATES, line: line('swap', 'constructor'), tactic: 'exact h' });
    assert.deepEqual([failed.valid, failed.goals_after], [false, null]);
  });
  session('the lines that an attempt replaces are those to write', async () => {
    const [{ replaces_lines: [start_line, end_line], proof_complete }] = (await ask('lean_multi_attempt',
      { file_path: STATES, line: line('wrong', 'constructor'), snippets: ['exact ⟨hp, hq⟩'] })).items;
    assert.equal(proof_complete, true);
    const written = await ask('lean_write_proof', { file_path: STATES, start_line, end_line, new_text: '  exact ⟨hp, hq⟩\n' });
    assert.equal(written.written, true, JSON.stringify(written));
    assert.equal((await ask('lean_goal', { file_path: STATES, line: start_line })).status, 'proof_complete');
    edit(STATES, '  exact ⟨hp, hq⟩\n', '  constructor\n  · exact hp\n  · exact hp\n');
  });

  session('outside of proofs, each tool says where the proof begins', async () => {
    write();
    const begins = 'The proof of swap begins at line 2, column 3.';
    const statement = { file_path: STATES, line: 1, column: 1 };
    for (const tool of ['lean_goal', 'lean_check']) {
      const { status, hint } = await ask(tool, statement);
      assert.deepEqual([status, hint], ['no_goal_at_position', begins], tool);
    }
    const tried = await ask('lean_multi_attempt', { ...statement, snippets: ['rfl', 'constructor'] });
    assert.deepEqual([tried.hint, tried.items.map(item => item.proof_complete)], [begins, [false, false]], JSON.stringify(tried));
    assert.ok((await refused('lean_validate_step', { ...statement, tactic: 'rfl' }, 'invalid_argument')).hint.startsWith(begins));
    assert.equal((await ask('lean_multi_attempt', { file_path: STATES, line: 2, snippets: ['rfl'] })).hint, undefined);
    const below = { file_path: STATES, line: line('cheat', 'theorem cheat') };   // what stands above is the end of another proof
    assert.equal((await ask('lean_multi_attempt', { ...below, snippets: ['rfl'] })).hint, 'The proof of cheat begins at line 7, column 3.');
    await refused('lean_validate_step', { ...below, tactic: 'rfl' }, 'invalid_argument');

    fs.writeFileSync(file(SILENT), 'def one := 1\n\ntheorem first : one = 1 := by\n  rfl\n\ndef two := 2\n\ntheorem second : two = 2 := by\n  rfl\n\ndef three := 3\n-- end\n');
    const hint = async (tool, row) => (await ask(tool, { file_path: SILENT, line: row })).hint;
    assert.equal(await hint('lean_goal', 2), 'The proof of first begins at line 4, column 3.');
    assert.equal(await hint('lean_check', 7), 'The proof of first begins at line 4, column 3, that of second at line 9, column 3.');
    assert.match(await hint('lean_goal', 6), /^There are no tactics in two: lean_term_goal /);
    const end = await ask('lean_step_forward', { file_path: SILENT, line: 12 });
    assert.deepEqual([end.status, end.hint], ['no_goal_at_position', 'The proof of second begins at line 9, column 3.'], JSON.stringify(end));
    await close(SILENT);
  });

  session('what the parser misses at the end of a declaration is not blamed on the next one', async () => {
    fs.writeFileSync(file(SILENT), 'theorem foo : True := by\n  have t : True := by\n\nexample : True := by\n  trivial\n');
    const { unfinished, success } = await ask('lean_check_all', { file_path: SILENT });
    assert.deepEqual([success, unfinished], [false, [{ declaration: 'foo', line: 1, reason: 'error' }]]);
    const { proofs } = await ask('lean_document_proofs', { file_path: SILENT });
    assert.deepEqual(proofs.map(({ state }) => state), ['error', 'proved']);
    await close(SILENT);
  });

  const forward = (where, count) => ask('lean_step_forward', { file_path: STATES, ...where, ...(count && { count }) });
  session('stepping stops at the first tactic that fails, with its message, and stays there', async () => {
    const bad = locate(STATES, 'exact hp\n\n', { from: 'theorem wrong' });
    const stopped = await forward({ line: line('wrong', 'constructor') }, 50);
    assert.deepEqual([at(stopped), stopped.at_end, stopped.status], [at(bad), false, 'error'], JSON.stringify(stopped));
    assert.match(stopped.error.message, /mismatch/i);
    assert.ok(stopped.step_text.endsWith('· exact hp\n  · exact hp'), stopped.step_text);
    assert.deepEqual(target(stopped.goals), ['q']);
    const again = await forward({});
    assert.deepEqual([at(again), again.step_text, again.status, again.at_end], [at(bad), 'exact hp', 'error', false]);
    const thrown = await forward({ line: line('failing', 'rw') }, 50);
    assert.deepEqual([thrown.line, thrown.step_text, thrown.status, thrown.at_end], [line('failing', 'rw'), 'rw [Nat.mul_comm]', 'error', false], JSON.stringify(thrown));
    const whole = await forward({ line: line('broken', 'cases') }, 50);
    assert.deepEqual([whole.line, whole.status, whole.at_end], [line('broken', 'cases'), 'error', false], JSON.stringify(whole));
    assert.match(whole.error.message, /inrr?\b/);
  });
  session('stepping never leaves the proof', async () => {
    const end = locate(STATES, 'exact h.left', { end: true });
    const walked = await forward({ line: line('swap', 'constructor') }, 9);
    assert.deepEqual([at(walked), walked.at_end, walked.status, walked.goals], [at(end), true, 'proof_complete', []], JSON.stringify(walked));
    assert.ok(!walked.step_text.includes('theorem'), walked.step_text);
    const again = await forward({}, 9);
    assert.deepEqual([at(again), again.at_end, again.step_text], [at(end), true, '']);
    const back = await ask('lean_step_backward', { file_path: STATES, line: line('cheat', 'sorry'), count: 9 });
    assert.deepEqual([at(back), back.at_start, back.step_text], [at(locate(STATES, 'sorry')), true, '']);
    const sorry = await forward({ line: line('cheat', 'sorry') });
    assert.deepEqual([sorry.at_end, sorry.status], [true, 'sorry'], JSON.stringify(sorry));
  });
  session('stepping does not end with a goal left', async () => {
    for (const count of [50, 1]) {
      const stopped = await forward(count > 1 ? { line: line('left', 'constructor') } : {}, count);
      assert.deepEqual([stopped.at_end, stopped.status, target(stopped.goals)], [false, 'error', ['q']], JSON.stringify(stopped));
      assert.match(stopped.error.message, /^unsolved goals/);
    }
    await close(STATES);
  });
});

describe('warnings about sorries that the lakefile turns off', { skip }, () => {
  const files = {
    'lakefile.toml': 'name = "p"\n[leanOptions]\nwarn.sorry = false\nautoImplicit = false\n[[lean_lib]]\nname = "A"\n[[lean_lib]]\nname = "B"\n',
    'B.lean': 'public section\n\ntheorem b : 1 = 1 := rfl\n',
    'A.lean': 'import B -- first\n\ntheorem lie : 1 = 2 := by\n  sorry\n\ntheorem right : 1 = 1 := by\n  exact b\n',
  };
  test('a place in a proof and the check of a file say the same as with the warnings', { timeout }, async () => {
    await withBridge({ project: scratchProject(files), lake: realLake }, async client => {
      const ask = async (tool, args) => (await client.call(tool, args, { timeoutMs: lean.callMs })).structured;
      const right = await ask('lean_goal', { file_path: 'A.lean', line: 7 });
      assert.equal(right.status, 'proof_complete', JSON.stringify(right));
      assert.equal((await ask('lean_goal', { file_path: 'A.lean', line: 4 })).status, 'sorry');
      const all = await ask('lean_check_all', { file_path: 'A.lean' });
      assert.deepEqual([all.success, all.error_count, all.sorry_count, all.items.map(item => item.line)], [false, 0, 1, [3]], JSON.stringify(all));
    });
  });
});
