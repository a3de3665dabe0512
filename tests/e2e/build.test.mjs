// Checking, building, measuring and writing, on a real Lean.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { realLake, scratchProject, temporaryFolder, withBridge } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { descendants, eventually, survivors } from '../support/processes.mjs';
import { sharedSession, skip, timeout } from '../support/session.mjs';

describe('running code and writing proofs', { skip }, () => {
  const shared = sharedSession('basics');
  const { ask, edit, file, locate, read, refused, session } = shared;
  const GOALS = 'Basics/Goals.lean';
  const messages = answer => answer.diagnostics.map(item => `${item.severity} ${item.line}: ${item.message.split('\n')[0]}`);

  session('lean_run_code: what the code prints, and no file', async () => {
    const before = fs.readdirSync(file('.'));
    const ran = await ask('lean_run_code', { code: '#eval 6 * 7\n\ntheorem t : 1 + 1 = 2 := rfl\n#check @t' });
    assert.deepEqual([ran.success, ran.timed_out, ran.partial], [true, false, false]);
    assert.deepEqual(messages(ran), ['info 1: 42', 'info 4: t : 1 + 1 = 2']);
    assert.deepEqual(fs.readdirSync(file('.')).filter(name => !name.startsWith('.lake')), before.filter(name => !name.startsWith('.lake')));
  });
  session('lean_run_code: its own #eval is no reason for doubt, unless it names programs of Lean; neither are comments', async () => {
    const silencedBy = async code => (await ask('lean_run_code', { code })).silenced_by;
    assert.equal(await silencedBy('#eval 1\n-- unsafe\n#eval "set_option warn.sorry"'), undefined);
    assert.match(await silencedBy('-- of Lean\n#eval 1'), /#eval/);
    assert.match(await silencedBy('#eval 1\nset_option warn.sorry false'), /warn\.sorry/);
  });
  session('lean_run_code: an error, and a missing import', async () => {
    const wrong = await ask('lean_run_code', { code: 'example : 1 = 2 := rfl' });
    assert.deepEqual([wrong.success, wrong.diagnostics[0].severity, wrong.diagnostics[0].line], [false, 'error', 1]);
    const missing = await ask('lean_run_code', { code: 'import No.Such.Module\n#eval 1' });
    assert.equal(missing.success, false);
    assert.match(JSON.stringify(missing.diagnostics), /No\.Such\.Module|No/);
  });
  session('lean_run_code: a loop ends with the time, and the next call is not held up', async () => {
    const slow = await ask('lean_run_code', { code: '#eval 1\nexample : True := by sleep 60000; trivial', timeout_s: 4 });
    assert.deepEqual([slow.success, slow.timed_out, slow.partial], [false, true, true]);
    assert.deepEqual(slow.still_elaborating_lines, [[2, 2]]);
    const began = Date.now();
    assert.equal((await ask('lean_run_code', { code: '#eval 2' })).success, true);
    assert.ok(Date.now() - began < 20_000, `${Date.now() - began} ms`);
  });
  session('lean_run_code: a program that computes on after its time is ended', async () => {
    // It computes less than half of the time, since nothing here depends on more.
    const code = 'def count (n : Nat) (sum : Nat := 0) : Nat :=\n  match n with\n  | 0 => sum\n  | n + 1 => count n (sum + n)\n' +
      'partial def forever (n : Nat) : IO Unit := do\n  IO.sleep 20\n  if count n = 1 then return\n  forever n\n#eval forever 100000\n';
    const answer = await ask('lean_run_code', { code, timeout_s: lean.kind === 'wasm' ? 20 : 2 });
    assert.deepEqual(answer.still_elaborating_lines, [[9, 9]]);
    const workers = shared.workers();
    await eventually(() => survivors(workers).length < workers.length, timeout, 'the end of its worker');
    assert.equal((await ask('lean_run_code', { code: '#eval 3' })).success, true);
  });
  session('lean_run_code needs code', () => refused('lean_run_code', {}, 'invalid_argument'));

  const write = (name, first, last, text, more) => ask('lean_write_proof', { file_path: name, start_line: first, end_line: last, new_text: text, ...more });
  const lineOf = (...where) => locate(...where).line;

  session('lean_write_proof writes a right proof and keeps mode and everything around it', async () => {
    const before = read(GOALS);
    fs.chmodSync(file(GOALS), 0o640);
    const line = lineOf(GOALS, 'sorry', { from: 'theorem unfinished' });
    const answer = await write(GOALS, line, line, '  exact Nat.add_comm a b');
    assert.deepEqual([answer.written, answer.diagnostics], [true, []], JSON.stringify(answer));
    assert.equal(read(GOALS), before.replace('  sorry\n', '  exact Nat.add_comm a b\n'));
    assert.equal(fs.statSync(file(GOALS)).mode & 0o7777, 0o640);
    const after = await ask('lean_check_all', { file_path: GOALS });
    assert.deepEqual([after.success, after.sorry_count], [true, 0]);
    assert.ok(!fs.readdirSync(path.dirname(file(GOALS))).some(name => name.includes('leanbridge')));
  });
  /** Checks that nothing is written, and that the reason says why. */
  const unwritten = async (name, first, last, text, reason, more) => {
    const before = read(name);
    const answer = await write(name, first, last, text, more);
    assert.equal(answer.written, false, JSON.stringify(answer));
    assert.match(answer.reason, reason);
    assert.equal(read(name), before);
    return answer;
  };
  session('lean_write_proof refuses sorry, in the text or behind it, unless it is allowed', async () => {
    const line = lineOf(GOALS, 'exact Nat.add_comm a b');
    await unwritten(GOALS, line, line, '  sorry', /sorry/);
    await unwritten(GOALS, line, line, '  exact sorryAx _ true', /sorry/);
    const allowed = await write(GOALS, line, line, '  sorry -- later', { allow_sorry: true });
    assert.equal(allowed.written, true);
    assert.equal((await write(GOALS, line, line, '  exact Nat.add_comm a b -- no sorry')).written, true);
  });
  session('lean_write_proof refuses an error in the text, and one that it makes further down', async () => {
    const line = lineOf(GOALS, 'def double');
    const here = await unwritten(GOALS, line, line, 'def double (n : Nat) : Nat := n + "two"', /error/);
    assert.equal(here.diagnostics[0].line, line);
    const below = await unwritten(GOALS, line, line, 'def double (n : Nat) : Nat := n + n + 1', /error/);
    assert.equal(below.diagnostics[0].line, lineOf(GOALS, 'theorem double_zero'));
  });
  session('lean_write_proof lets errors stand that were there before', async () => {
    const ERRORS = 'Basics/Errors.lean';
    const line = lineOf(ERRORS, 'theorem fine');
    const answer = await write(ERRORS, line, line, '-- a remark\ntheorem fine : 1 + 1 = 2 := by\n  rfl');
    assert.equal(answer.written, true, JSON.stringify(answer));
    await unwritten(ERRORS, line, line, 'theorem fine : 1 + 1 = 3 := rfl', /error/, { allow_statement_change: true });
  });
  session('lean_write_proof keeps CRLF, and a missing newline at the end', async () => {
    const CRLF = 'Basics/Crlf.lean';
    const before = read(CRLF);
    const line = lineOf(CRLF, '· exact hp');
    assert.equal((await write(CRLF, line, line + 1, '  · exact (hp)\n  · exact (hq)\n')).written, true);
    assert.equal(read(CRLF), before.replace('exact hp\r\n', 'exact (hp)\r\n').replace('exact hq\r\n', 'exact (hq)\r\n'));
    const NO_NEWLINE = 'Basics/NoNewline.lean';
    assert.equal((await write(NO_NEWLINE, 2, 2, '  show p\n  exact hp\n')).written, true);
    assert.equal(read(NO_NEWLINE), 'theorem Basics.noNewline (p : Prop) (hp : p) : p := by\n  show p\n  exact hp');
    assert.equal((await write(NO_NEWLINE, 4, 3, '\ntheorem more : True := trivial')).written, true);
    assert.ok(read(NO_NEWLINE).endsWith('  exact hp\n\ntheorem more : True := trivial'));
  });
  session('lean_write_proof: what is expected is replaced, wherever it is by now; else nothing', async () => {
    const name = 'Expected.lean';
    const text = 'theorem a : 1 = 1 := by\n  sorry\n\ntheorem b : 2 = 2 := by\n  sorry\n\ntheorem c : 3 = 3 := by\n  sorry\n';
    fs.writeFileSync(file(name), text);
    const write = (start_line, statement, expected, more) => ask('lean_write_proof', { file_path: name, start_line, end_line: start_line + 1, new_text: `theorem ${statement} := by\n  rfl`, expected, allow_sorry: true, ...more });
    const other = await write(1, 'a : 1 = 1', 'theorem a : 1 = 1 := by\n  simp\n');
    assert.deepEqual([other.written, other.current_text], [false, 'theorem a : 1 = 1 := by\n  sorry']);
    assert.match(other.reason, /not the expected/);
    assert.equal(read(name), text);
    // Both land, and neither is lost, though the lines of the second have moved or the file was changed while it was tried.
    const digest = createHash('sha256').update('theorem c : 3 = 3 := by\n  sorry').digest('hex');
    edit(name, 'theorem a', '-- above\n-- it\ntheorem a');
    const both = await Promise.all([write(4, 'b : 2 = 2', 'theorem b : 2 = 2 := by\n  sorry\n'), write(7, 'c : 3 = 3', `sha256:${digest}`)]);
    assert.deepEqual(both.map(one => one.written), [true, true], JSON.stringify(both));
    assert.equal(read(name), `-- above\n-- it\n${text.replace('2 := by\n  sorry', '2 := by\n  rfl').replace('3 := by\n  sorry', '3 := by\n  rfl')}`);
    // Two places have it, and the given one does not.
    edit(name, '-- above\n-- it\n', '--\n--\n-- same\n-- same\n');
    assert.equal((await ask('lean_write_proof', { file_path: name, start_line: 6, end_line: 6, new_text: '-- new', expected: '--', allow_sorry: true })).written, false);
    fs.rmSync(file(name));
  });
  session('lean_write_proof refuses read-only files, links out of the project, and lines that do not exist', async () => {
    const line = lineOf(GOALS, 'exact h.right');
    const text = { start_line: line, end_line: line, new_text: '  omega' };
    fs.chmodSync(file(GOALS), 0o444);
    assert.match((await refused('lean_write_proof', { file_path: GOALS, ...text }, 'invalid_argument')).message, /read-only/);
    fs.chmodSync(file(GOALS), 0o644);
    const outside = path.join(path.dirname(file('.')), `outside-${process.pid}.lean`);
    fs.writeFileSync(outside, 'theorem o : True := trivial\n');
    fs.symlinkSync(outside, file('Link.lean'));
    await refused('lean_write_proof', { file_path: 'Link.lean', start_line: 1, end_line: 1, new_text: '' }, 'outside_project');
    fs.rmSync(outside);
    fs.mkdirSync(file('.lake/packages/dep'), { recursive: true });
    fs.writeFileSync(file('.lake/packages/dep/A.lean'), '-- a dependency\n');
    await refused('lean_write_proof', { file_path: '.lake/packages/dep/A.lean', start_line: 1, end_line: 1, new_text: '' }, 'outside_project');
    const beyond = await refused('lean_write_proof', { file_path: GOALS, start_line: 900, end_line: 901, new_text: '' }, 'invalid_argument');
    assert.match(beyond.message, /has \d+ lines/);
    assert.match(beyond.hint, /the last one, is: end Basics$/);
  });

  const LEFT = 'Basics/Left.lean';
  const left = () => fs.writeFileSync(file(LEFT), 'theorem primary (p q : Prop) (hp : p) (hq : q) : p ∧ q := by\n  sorry\n\ntheorem second (a b : Nat) : a + b = b + a :=\n  sorry\n\ndef third : Nat := 3\n');
  session('lean_write_proof: where the new lines are, what moved, and the goals of the sorries that are left', async () => {
    left();
    const half = await write(LEFT, 2, 2, '  constructor\n  · exact hp\n  · sorry', { allow_sorry: true });
    assert.deepEqual([half.written, half.start_line, half.end_line, half.shift, half.sorry_count], [true, 2, 4, 2, 2], JSON.stringify(half));
    assert.deepEqual(half.sorries.map(sorry => [sorry.line, sorry.column]), [[4, 5], [7, 3]]);
    assert.match(half.sorries[0].goals.join(), /⊢ q$/);
    assert.deepEqual(half.sorries[1].goals, ['a b : Nat\n⊢ a + b = b + a'], 'of a term');
    const again = await write(LEFT, 3, 4, '  · exact hp\n  · sorry', { allow_sorry: true, verbose: false });
    assert.deepEqual(again.sorries.map(({ line, goals }) => [line, goals?.length]), [[4, 1], [7, undefined]], 'of what was changed alone');
    const whole = await write(LEFT, 4, 4, '  · exact hq');
    assert.deepEqual([whole.start_line, whole.end_line, whole.shift, whole.sorry_count, whole.sorries[0].line, whole.current_text], [4, 4, 0, 1, 7, undefined]);
    const none = await write(LEFT, 7, 7, '  Nat.add_comm a b');
    assert.deepEqual([none.written, none.sorry_count, none.sorries], [true, 0, undefined]);
    const removed = await write(LEFT, 8, 8, '');
    assert.deepEqual([removed.written, removed.start_line, removed.end_line, removed.shift], [true, 8, 7, -1]);
  });
  const PLACED = 'Basics/Placed.lean';
  const PROVE = 'theorem first (p q : Prop) (hp : p) (hq : q) : p ∧ q := by\n  sorry\n\n/-- A remark. -/\ntheorem second (a b : Nat) : a + b = b + a :=\n  sorry -- later\n\ntheorem third (n : Nat) : n = n := by sorry\n\n-- the end\n';
  const prove = edit => ask('lean_write_proof', { file_path: PLACED, ...edit });
  session('lean_write_proof: the proof of a declaration, whatever its indentation', async () => {
    const PROOFS = [
      ['first', 'constructor\n· exact hp\n· exact hq', 'q := by\n  constructor\n  · exact hp\n  · exact hq\n'], ['first', 'by\n      constructor\n      · exact hp\n      · exact hq', 'q := by\n  constructor\n  · exact hp\n  · exact hq\n'],
      ['first', 'constructor\n    · exact hp\n    · exact hq', 'q := by\n  constructor\n  · exact hp\n  · exact hq\n'], ['first', ':= ⟨hp, hq⟩', 'q := ⟨hp, hq⟩\n'], ['first', '⟨hp, hq⟩', 'q := ⟨hp, hq⟩\n'],
      ['second', 'Nat.add_comm a b', 'b + a := Nat.add_comm a b -- later\n'], ['second', 'omega', 'b + a := by\n  omega -- later\n'], ['third', 'rfl', 'n = n := by\n  rfl\n'],
    ];
    for (const [declaration, new_text, expected] of PROOFS) {
      fs.writeFileSync(file(PLACED), PROVE);
      const { written, reason, diagnostics } = await prove({ declaration, new_text });
      assert.ok(written, `${declaration}, ${new_text}: ${reason} ${JSON.stringify(diagnostics)}`);
      assert.ok(read(PLACED).includes(expected), `${declaration}, ${new_text}:\n${read(PLACED)}`);
      assert.ok(read(PLACED).endsWith('\n\n-- the end\n'));
    }
    fs.writeFileSync(file(PLACED), PROVE);
    for (const [edit, why] of [[{ new_text: 'exact nothing' }, /new error/], [{ new_text: 'sorry' }, /contains sorry/], [{ new_text: 'trivial\n\naxiom more : False' }, /./]]) {
      const refused = await prove({ declaration: 'third', ...edit });
      assert.equal(refused.written, false, JSON.stringify(edit));
      assert.match(refused.reason, why);
    }
    assert.equal(read(PLACED), PROVE);
    for (const edit of [{ declaration: 'third' }, { new_text: 'rfl' }, { declaration: 'third', new_text: 'rfl', start_line: 1 }, { declaration: 'nothing', new_text: 'rfl' }, { new_text: 'rfl', edits: [] }, { edits: [{ declaration: 'third' }] }, { edits: [{ declaration: 3, new_text: 'rfl' }] }, { edits: [{ line: 3, new_text: 'rfl' }] }])
      await refused('lean_write_proof', { file_path: PLACED, ...edit }, 'invalid_argument');
  });
  session('lean_write_proof: lines in the columns of those that they replace', async () => {
    fs.writeFileSync(file(PLACED), PROVE);
    assert.equal((await write(PLACED, 2, 2, 'constructor\n    · exact hp\n    · exact hq')).written, true);
    assert.ok(read(PLACED).startsWith('theorem first (p q : Prop) (hp : p) (hq : q) : p ∧ q := by\n  constructor\n  · exact hp\n  · exact hq\n\n/--'), read(PLACED));
  });
  session('lean_write_proof: several edits, all or none, or each by itself', async () => {
    const good = [{ declaration: 'third', new_text: 'rfl' }, { start_line: 2, end_line: 2, new_text: 'constructor\n· exact hp\n· exact hq', expected: '  sorry' }];
    const bad = { declaration: 'second', new_text: 'exact nothing' };
    fs.writeFileSync(file(PLACED), PROVE);
    const none = await prove({ edits: [...good, bad] });
    assert.deepEqual([none.written, none.edits], [false, undefined], JSON.stringify(none));
    assert.equal(read(PLACED), PROVE);
    const each = await prove({ edits: [...good, bad], each: true });
    assert.deepEqual([each.written, each.reason, each.sorry_count], [false, '2 of 3 edits are written.', 1], JSON.stringify(each));
    assert.deepEqual(each.edits.map(({ written, start_line, end_line }) => [written, start_line, end_line]), [[true, 10, 11], [true, 2, 4], [false, undefined, undefined]]);
    assert.match(each.edits[2].diagnostics[0].message, /nothing/);
    const written = read(PLACED);
    fs.writeFileSync(file(PLACED), PROVE);
    const all = await prove({ edits: good, allow_sorry: true });
    assert.deepEqual([all.written, all.shift, all.edits.map(({ start_line, end_line }) => [start_line, end_line])], [true, 3, [[2, 4], [10, 11]]], JSON.stringify(all));
    assert.equal(read(PLACED), written, 'the same');
    const stated = await prove({ edits: [{ start_line: 7, end_line: 8, new_text: 'theorem second (a b : Nat) : a + b = a + b :=\n  rfl' }, { declaration: 'third', new_text: 'exact rfl' }] });
    assert.match(stated.reason, /change the statement of second/);
  });
  session('lean_write_proof: the lines of each edit are those of the file as it was', async () => {
    const six = ['one', 'two', 'three', 'four', 'five', 'six'].map(word => `-- ${word}\n`).join('');
    const line = (start_line, end_line, new_text) => ({ start_line, end_line, new_text });
    fs.writeFileSync(file(PLACED), six);
    const shorter = await prove({ each: true, edits: [line(1, 3, '-- 1 to 3'), line(2, 2, '-- lost'), line(3, 2, '-- lost'), line(5, 5, '-- 5'), line(4, 3, '-- before 4'), line(6, 6, '-- 6')] });
    assert.deepEqual(shorter.edits.map(({ written }) => written), [true, false, false, true, true, true], JSON.stringify(shorter));
    for (const overlapping of shorter.edits.slice(1, 3)) assert.match(overlapping.reason, /replaces? line [23]/);
    assert.equal(read(PLACED), '-- 1 to 3\n-- before 4\n-- four\n-- 5\n-- 6\n');
    assert.deepEqual(shorter.edits.map(({ start_line, end_line }) => [start_line, end_line]), [[1, 1], [undefined, undefined], [undefined, undefined], [4, 4], [2, 2], [5, 5]]);
    fs.writeFileSync(file(PLACED), six);
    for (const edits of [[line(4, 4, '-- FOUR'), line(4, 3, '-- before 4')], [line(6, 5, '-- before 6'), line(6, 6, '-- SIX')]])
      assert.equal((await prove({ edits })).written, true, JSON.stringify(edits));
    assert.equal(read(PLACED), '-- one\n-- two\n-- three\n-- before 4\n-- FOUR\n-- before 6\n-- SIX\n-- six\n', 'in whichever order they are passed');
    const LONG = 'theorem long (p q : Prop) (hp : p) (hq : q) : p ∧ q := by\n  constructor\n  · exact hp\n  · exact hq\n-- below\n';
    fs.writeFileSync(file(PLACED), LONG);
    const proofs = await prove({ each: true, edits: [{ declaration: 'long', new_text: 'exact nothing' }, { declaration: 'long', new_text: ':= ⟨hp, hq⟩' }, line(5, 5, '-- just below'), line(3, 3, '-- lost'), { declaration: 'long', new_text: 'exact ⟨hp, hq⟩' }] });
    assert.deepEqual(proofs.edits.map(({ written }) => written), [false, true, true, false, false], JSON.stringify(proofs));
    assert.equal(read(PLACED), 'theorem long (p q : Prop) (hp : p) (hq : q) : p ∧ q := ⟨hp, hq⟩\n-- just below\n');
  });
  session('lean_write_proof refuses to lose or change a statement, unless that is allowed, and shows what stands there', async () => {
    left();
    const SECOND = 'theorem second (a b : Nat) : a + b = b + a :=';
    const deleted = await unwritten(LEFT, 4, 6, '', /^It would delete theorem second; pass allow_statement_change/);
    assert.equal(deleted.current_text, `${SECOND}\n  sorry\n`);
    await unwritten(LEFT, 4, 5, `${SECOND.replace('second', 'other')} Nat.add_comm a b`, /rename theorem second to other/);
    await unwritten(LEFT, 4, 5, 'theorem second (a b : Nat) : a + b = a + b := rfl', /change the statement of second from `.*b \+ a` to `.*a \+ b`/);
    await unwritten(LEFT, 4, 5, SECOND.replace('theorem', 'axiom').replace(' :=', ''), /make theorem second an axiom/);
    await unwritten(LEFT, 7, 7, '-- def third', /delete def third/);
    assert.equal((await unwritten(LEFT, 5, 5, '  rfl', /error/)).current_text, '  sorry', 'whatever the reason is');
    const allowed = await write(LEFT, 4, 6, '', { allow_statement_change: true });
    assert.deepEqual([allowed.written, allowed.shift], [true, -3], JSON.stringify(allowed));
  });
});

describe('verifying and building', { skip }, () => {
  const shared = sharedSession('multi');
  const { ask, close, edit, file, locate, read, refused, session, workers } = shared;
  const LEMMAS = 'Multi/Lemmas.lean';
  const STANDARD = ['propext', 'Classical.choice', 'Quot.sound'];

  session('lean_build: everything, then nothing to do', async () => {
    const built = await ask('lean_build', {});
    assert.deepEqual([built.success, built.timed_out, built.errors, built.items], [true, false, [], []], JSON.stringify(built));
    assert.ok(fs.existsSync(file('.lake/build/lib/lean/Multi/Use.olean')));
    const times = name => fs.statSync(file(`.lake/build/lib/lean/Multi/${name}.olean`)).mtimeMs;
    const before = times('Use');
    assert.equal((await ask('lean_build', { lean_project_path: file('.'), output_lines: 1 })).output.split('\n').length, 1);
    assert.equal(times('Use'), before);
  });
  session('lean_build: errors have their places, and open files go on without a restart', async () => {
    assert.equal((await ask('lean_check_all', { file_path: LEMMAS })).success, true);
    const [worker] = workers();
    const text = read('Multi/Use.lean');
    edit('Multi/Use.lean', 'exact twice_eq (twice n)', 'exact twice_eq (thrice n)');
    const built = await ask('lean_build', {});
    assert.equal(built.success, false);
    const where = locate('Multi/Use.lean', 'thrice');
    assert.deepEqual(built.items.map(error => [error.file_path, error.line, error.column, error.severity]), [['Multi/Use.lean', where.line, where.column, 'error']]);
    assert.match(built.items[0].message, /thrice/);
    assert.deepEqual(built.errors, [`error: Multi/Use.lean:${where.line}:${where.column}: ${built.items[0].message}`]);
    assert.match(built.output, /build failed/);
    fs.writeFileSync(file('Multi/Use.lean'), text);
    assert.equal((await ask('lean_build', {})).success, true);
    const again = await ask('lean_check_all', { file_path: LEMMAS });
    assert.deepEqual([again.success, again.reopened, workers()[0].pid], [true, undefined, worker.pid]);
  });
  session('lean_build: the modules that are named; errors that were not there before come first', async () => {
    const [base, use] = [read('Multi/Base.lean'), read('Multi/Use.lean')];
    edit('Multi/Use.lean', 'exact twice_eq (twice n)', 'exact twice_eq (thrice n)');
    assert.equal((await ask('lean_build', { targets: ['Multi.Base'] })).success, true);
    assert.deepEqual([(await ask('lean_build', {})).known_errors, (await ask('lean_build', {})).known_errors], [0, 1]);
    fs.writeFileSync(file('Multi/Use.lean'), use);
    fs.writeFileSync(file('Multi/Base.lean'), base);
    assert.equal((await ask('lean_build', {})).success, true);
    await refused('lean_build', { targets: ['--update'] }, 'invalid_argument');
    assert.match(JSON.stringify(await ask('lean_build', { targets: ['Multi.Missing'] })), /unknown target|Multi\.Missing/);
  });
  session('lean_build: two at once take turns', async () => {
    fs.appendFileSync(file('Multi/Base.lean'), '\n-- changed\n');
    const both = await Promise.all([ask('lean_build', {}), ask('lean_build', {})]);
    assert.deepEqual(both.map(built => built.success), [true, true]);
  });
  session('lean_build: a timeout or cancellation leaves nothing running, and what this lake cannot do is no success', async () => {
    fs.appendFileSync(file('Multi/Base.lean'), '\ntheorem slow : True := by\n  sleep 60000\n  trivial\n');
    const late = await ask('lean_build', { timeout_s: 3 });
    assert.deepEqual([late.success, late.timed_out], [false, true]);
    const building = () => descendants(shared.client.pid).filter(process => / build$/.test(process.command) || /Multi\/Base\.lean/.test(process.command));
    await eventually(() => building().length === 0, 5000, 'the end of the build');
    const cancelled = shared.client.call('lean_build', {}, { timeoutMs: 60_000, signal: AbortSignal.timeout(3000) }).catch(() => {});
    await eventually(() => building().length > 0, 5000, 'a build');
    await cancelled;
    await eventually(() => building().length === 0, 5000, 'the end of the cancelled build');
    edit('Multi/Base.lean', '\ntheorem slow : True := by\n  sleep 60000\n  trivial\n', '');
    await refused('lean_build', { lean_project_path: file('No') }, 'invalid_argument');
    await refused('lean_build', { lean_project_path: '/' }, 'outside_project');
  });

  session('lean_verify: axioms, from what Lean compiled', async () => {
    const how = lean.everyFileIsModule ? { compile: true } : {};
    const answer = await ask('lean_verify', { file_path: LEMMAS, theorem_name: 'Multi.twice_eq', ...how });
    assert.deepEqual(answer.warnings, []);
    assert.deepEqual([answer.axioms, answer.trusted, answer.uses_sorry, answer.trust], [[], true, false, 'standard']);
    if (!lean.hasLibraryProofs) return;   // otherwise each theorem of the library is listed as an axiom
    const automatic = await ask('lean_verify', { file_path: LEMMAS, theorem_name: 'Multi.twice_add' });
    assert.deepEqual([automatic.trusted, automatic.uses_sorry, automatic.trust], [true, false, 'standard']);
    assert.ok(automatic.axioms.length > 0 && automatic.axioms.every(axiom => STANDARD.includes(axiom)));
  });
  session('lean_verify: sorry, and words that defeat trust, outside of comments', async () => {
    const text = read(LEMMAS);
    edit(LEMMAS, 'end Multi', '-- sorry\ntheorem «not proved» : twice 1 = 3 := by\n  sorry\nset_option debug.skipKernelTC true\nend Multi');
    const answer = await ask('lean_verify', { file_path: LEMMAS, theorem_name: 'Multi.«not proved»' });
    const line = locate(LEMMAS, '  sorry').line;
    assert.deepEqual(answer.warnings, [{ line, pattern: 'sorry' }, { line: line + 1, pattern: 'set_option debug.skipKernelTC' }]);
    assert.deepEqual([answer.uses_sorry, answer.trusted, answer.trust], [true, false, 'incomplete']);
    assert.deepEqual((await ask('lean_verify', { file_path: LEMMAS, theorem_name: 'Multi.«not proved»', scan_source: false })).warnings, []);
    fs.writeFileSync(file(LEMMAS), text);
  });
  session('lean_verify of files: a theorem that a macro has made something else, or nothing, is none', async () => {
    fs.writeFileSync(file('Multi/Sly.lean'), 'macro "checked " "theorem " n:ident " : " t:term " := " v:term : command => `(def $n : Nat := 1)\nchecked theorem a : 1 = 2 := rfl\ntheorem b : 1 = 1 := rfl\n');
    const answer = await ask('lean_verify', { file_path: 'Multi/Sly.lean' });
    assert.equal(answer.trusted, false);
    assert.match(answer.exceptions.find(one => one.declaration === 'a')?.reason ?? JSON.stringify(answer), /something else: def/);
    assert.ok(!answer.exceptions.some(one => one.declaration === 'b'));
    fs.writeFileSync(file('Multi/Sly.lean'), 'macro_rules\n  | `(command| theorem $_:declId $_:declSig $_:declVal) => `(command| def other := 1)\ntheorem gone : 1 = 3 := rfl\n');
    const without = await ask('lean_verify', { file_path: 'Multi/Sly.lean' });
    const gone = without.exceptions.find(one => one.declaration === 'gone');
    assert.equal(gone?.reason ?? 'no exception', 'The compiled file does not have it.');
    fs.rmSync(file('Multi/Sly.lean'));
  });
  session('lean_verify: an unknown name, and text that is not a name', async () => {
    await refused('lean_verify', { file_path: LEMMAS, theorem_name: 'Multi.nothing' }, 'invalid_argument');
    assert.match((await refused('lean_verify', { file_path: LEMMAS, theorem_name: 'Multi.twice_eqq' }, 'invalid_argument')).hint, /^Did you mean .*\bMulti\.twice_eq\b.*\? Pass the full name/);
    await refused('lean_verify', { file_path: LEMMAS, theorem_name: 'a\n#eval 1' }, 'invalid_argument');
  });
  session('trials see the imports as they are on disk now', async () => {
    const last = read(LEMMAS).split('\n').findIndex(text => text === 'end Multi') + 1;
    const write = new_text => ask('lean_write_proof', { file_path: LEMMAS, start_line: last, end_line: last - 1, new_text });
    assert.equal((await write('theorem late : twice 2 = 4 := twice_two')).written, false);
    edit('Multi/Base.lean', 'theorem twice_zero', 'theorem twice_two : twice 2 = 4 := rfl\n\ntheorem twice_zero');
    const answer = await write('theorem late : twice 2 = 4 := twice_two');
    assert.equal(answer.written, true, JSON.stringify(answer));
    await close(LEMMAS);
  });
});

describe('measuring', { skip }, () => {
  const { ask, edit, file, locate, refused, session } = sharedSession('basics');
  const GOALS = 'Basics/Goals.lean';

  session('lean_profile_proof: the slow line comes first', async () => {
    edit(GOALS, 'theorem both (p : Prop) (hp : p) : p ∧ p := by\n', 'theorem both (p : Prop) (hp : p) : p ∧ p := by\n  sleep 300\n');
    const profile = await ask('lean_profile_proof', { file_path: GOALS, line: locate(GOALS, 'constructor <;> exact hp').line, top_n: 2 });
    assert.equal(profile.declaration, 'Basics.both');
    assert.ok(profile.ms >= 300, JSON.stringify(profile));
    assert.deepEqual([profile.lines[0].line, profile.lines[0].text], [locate(GOALS, 'sleep 300').line, 'sleep 300']);
    assert.ok(profile.lines.length <= 2 && profile.lines[0].ms >= 300);
    assert.ok(profile.categories['tactic execution'] >= 300, JSON.stringify(profile.categories));
  });
  session('lean_profile_proof: not in time, and no declaration', async () => {
    edit(GOALS, '  sleep 300\n', '  sleep 20000\n');
    const late = await ask('lean_profile_proof', { file_path: GOALS, line: locate(GOALS, 'sleep 20000').line, timeout: 1 });
    edit(GOALS, '  sleep 20000\n', '');
    assert.deepEqual([late.ms, late.timed_out], [null, true]);
    await refused('lean_profile_proof', { file_path: GOALS, line: 1 }, 'invalid_argument');
  });
  const statuses = verdicts => verdicts.map(({ binder, status }) => [binder, status]);
  session('lean_minimal_hypotheses: needed, removable, mentioned, and skipped', async () => {
    edit(GOALS, 'theorem both', 'theorem spare {q : Prop} (p : Prop) (hp : p) (hq : q) (one two : 1 = 2) : p ∧ q := by\n  constructor <;> assumption\n\ntheorem both');
    const { verdicts, ...rest } = await ask('lean_minimal_hypotheses', { file_path: GOALS, theorem_name: 'Basics.spare' });
    assert.deepEqual(statuses(verdicts), [['(p : Prop)', 'load-bearing'], ['(hp : p)', 'load-bearing'], ['(hq : q)', 'load-bearing'], ['(one : 1 = 2)', 'removable'], ['(two : 1 = 2)', 'removable']]);
    assert.deepEqual([verdicts[1].hypothesis, verdicts[1].type], ['hp', 'p']);
    assert.equal(verdicts[0].detail, 'Not tried: the rest of the statement mentions it, in `(hp : p)`.');
    assert.deepEqual(verdicts[0].tried, []);
    assert.match(verdicts[1].tried.join(), /^Without it: line \d+: /);
    assert.deepEqual(verdicts.map(({ breaks }) => breaks.length > 0), [false, true, true, false, false]);
    assert.deepEqual([verdicts[1].breaks[0].severity, verdicts[1].breaks[0].line], ['error', locate(GOALS, 'constructor <;> assumption').line]);
    assert.deepEqual([rest.theorem_name, rest.file, rest.skipped_implicit, rest.partial], ['Basics.spare', GOALS, 1, false]);
  });
  session('lean_minimal_hypotheses: the proof does without it, but what stands below passes it', async () => {
    edit(GOALS, 'theorem both', 'theorem user (h : 1 = 2) : True ∧ True := spare True trivial trivial h h\n\ntheorem wrong_before : 1 = 2 := by\n  decide\n\ntheorem both');
    const { verdicts } = await ask('lean_minimal_hypotheses', { file_path: GOALS, theorem_name: 'spare' });
    assert.deepEqual(statuses(verdicts).slice(3), [['(one : 1 = 2)', 'load-bearing'], ['(two : 1 = 2)', 'load-bearing']]);
    assert.deepEqual(verdicts[3].breaks.map(item => item.line), [locate(GOALS, 'theorem user').line], 'not the error that was there before');
    assert.match(verdicts[3].detail, /below uses it/);
  });
  session('lean_minimal_hypotheses: an unproved theorem, and a missing one', async () => {
    const { verdicts } = await ask('lean_minimal_hypotheses', { file_path: GOALS, theorem_name: 'Basics.unfinished' });
    assert.deepEqual(statuses(verdicts), [['(a : Nat)', 'error'], ['(b : Nat)', 'error']]);
    assert.match(verdicts[0].detail, /sorry/);
    await refused('lean_minimal_hypotheses', { file_path: GOALS, theorem_name: 'Basics.nothing' }, 'invalid_argument');
    assert.ok(!fs.readdirSync(file('Basics')).some(name => name.startsWith('.')));
  });
  session('lean_minimal_hypotheses: what a proof only names is not needed', async () => {
    edit(GOALS, 'theorem both', 'theorem naming (p q : Prop) (hp : p) (hq : q) (hr : 1 = 1) : p := by\n  have := hq\n  clear hr\n  exact hp\n\ntheorem both');
    const { verdicts } = await ask('lean_minimal_hypotheses', { file_path: GOALS, theorem_name: 'naming' });
    assert.deepEqual(statuses(verdicts).slice(2), [['(hp : p)', 'load-bearing'], ['(hq : q)', 'removable'], ['(hr : 1 = 1)', 'removable']], JSON.stringify(verdicts));
    const [, , hp, hq] = verdicts;
    assert.match(hq.detail, /only names it: with `\(hq : True\)` in its place it works/);
    const { line } = locate(GOALS, 'have := hq');
    assert.ok(hq.breaks.some(broken => broken.line === line), 'what to change in the proof');
    assert.ok(hq.tried[0].startsWith(`Without it: line ${line}: `), hq.tried[0]);
    assert.match(hq.tried[1], /^With `\(hq : True\)` in its place: the proof works/);
    assert.match(hp.tried[1], /^With `\(hp : True\)` in its place: line \d+: /);
  });
});

describe('what a theorem rests on', { skip }, () => {
  const FILES = {
    'Scratch/Plain.lean': 'theorem good : 1 = 1 := rfl\n\ntheorem broken : 1 = 2 := by\n  rfl\n\ntheorem open_ : 1 = 2 := by\n  sorry\n\ntheorem above : 1 = 2 := open_\n\ndef number : Nat := 7\n\naxiom mine : 1 = 2\n\ntheorem byMine : 1 = 2 := mine\n',
    'Scratch/Program.lean': '#eval 6 * 7\n\ntheorem good : 1 = 1 := rfl\n\ntheorem open_ : 1 = 2 := by\n  sorry\n\ntheorem above : 1 = 2 := open_\n',
    'Scratch/Swallowed.lean': 'macro_rules\n  | `(command| theorem $id:declId $_:declSig $_:declVal) => `(command| def $id : Nat := 1)\ntheorem wrong : 1 = 2 := rfl\n',
  };
  test('Lean is asked, nothing is compiled unless said, and a text only once', { timeout: timeout * 2 }, async () => {
    const folder = temporaryFolder('lake');
    const log = path.join(folder, 'log');
    fs.writeFileSync(path.join(folder, 'lake'), `#!/bin/sh\necho "$@" >> '${log}'\nexec '${realLake}' "$@"\n`, { mode: 0o755 });
    // Besides, Lean saves its state after the imports once.
    const compiled = () => fs.readFileSync(log, 'utf8').split('\n').filter(line => line.startsWith('env lean --json')).length;
    const project = scratchProject(FILES);
    await withBridge({ project, lake: path.join(folder, 'lake') }, async client => {
      const verify = async (name, theorem_name, more) => {
        const answer = await client.call('lean_verify', { file_path: `Scratch/${name}.lean`, theorem_name, scan_source: false, ...more }, { timeoutMs: lean.callMs });
        assert.ok(answer.structured, JSON.stringify(answer.error));
        return answer.structured;
      };
      // Without its proofs, the library's theorems are axioms to Lean.
      const ours = axioms => (lean.hasLibraryProofs ? axioms : axioms?.filter(axiom => ['mine', 'sorryAx'].includes(axiom)) ?? null);
      const verdict = ({ kind, axioms, trust, trusted, uses_sorry }) => [kind, ours(axioms), trust, trusted, uses_sorry];
      if (lean.everyFileIsModule) {
        const unlisted = await verify('Plain', 'good');
        assert.deepEqual(verdict(unlisted), ['theorem', null, null, false, null], JSON.stringify(unlisted));
        assert.match(unlisted.reason, /^This Lean does not list axioms in a `module`\. .*compile: true/);
        assert.equal((await verify('Plain', 'open_')).reason, 'Its own proof uses sorry, in line 7.');
        assert.equal(compiled(), 0, fs.readFileSync(log, 'utf8'));
        return;
      }
      const good = await verify('Plain', 'good');
      assert.deepEqual([...verdict(good), good.statement, good.reason], ['theorem', [], 'standard', true, false, '1 = 1', undefined], JSON.stringify(good));
      assert.deepEqual(verdict(await verify('Plain', 'number')), ['def', [], 'standard', true, false], 'below an error');
      assert.deepEqual(verdict(await verify('Plain', 'byMine')), ['theorem', ['mine'], 'custom', false, false]);
      assert.deepEqual(verdict(await verify('Plain', 'mine')), ['axiom', ['mine'], 'custom', false, false]);
      const open = await verify('Plain', 'open_');
      assert.deepEqual(verdict(open), ['theorem', ['sorryAx'], 'incomplete', false, true]);
      assert.equal(open.reason, 'Its own proof uses sorry, in line 7.');
      const above = await verify('Plain', 'above');
      assert.deepEqual([above.uses_sorry, above.reason], [true, 'Its own proof has no sorry, but something that it uses does.']);
      const broken = await verify('Plain', 'broken');
      assert.equal(broken.trusted, false);
      assert.match(broken.reason, /^The theorem is not proved: line [34]: /);

      const swallowed = await verify('Swallowed', 'wrong');
      assert.deepEqual([swallowed.trusted, swallowed.reason], [false, 'A macro has made this theorem something else: def.']);

      const unknown = await verify('Program', 'good');
      assert.deepEqual([unknown.axioms, unknown.trust, unknown.trusted, unknown.uses_sorry], [null, null, false, null]);
      assert.match(unknown.reason, /^Scratch\/Program\.lean:1 has #eval, .*compile: true/);
      assert.deepEqual(verdict(await verify('Program', 'open_')).slice(1), [null, 'incomplete', false, true], 'as lean_document_proofs says');
      assert.equal(compiled(), 0, fs.readFileSync(log, 'utf8'));

      assert.deepEqual(verdict(await verify('Program', 'good', { compile: true })), ['theorem', [], 'standard', true, false]);
      const again = await verify('Program', 'above');
      assert.deepEqual([...verdict(again), again.compiled], ['theorem', ['sorryAx'], 'incomplete', false, true, true], 'what was compiled is used');
      assert.deepEqual(verdict(await verify('Program', 'open_', { compile: true })).slice(1), [['sorryAx'], 'incomplete', false, true]);
      assert.equal(compiled(), 1, fs.readFileSync(log, 'utf8'));
      fs.writeFileSync(path.join(project, 'Scratch/Program.lean'), FILES['Scratch/Program.lean'].replace('1 = 1', '2 = 2'));
      assert.equal((await verify('Program', 'good', { compile: true })).statement, '2 = 2');
      assert.equal((await verify('Plain', 'good', { compile: true })).trusted, true, 'the text is compiled without what is below the theorem');
      assert.equal(compiled(), 4, fs.readFileSync(log, 'utf8'));
      assert.match((await verify('Plain', 'broken', { compile: true })).reason, /^Lean does not compile the file: line [34]: /);
    });
  });
});
