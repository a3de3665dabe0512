// Checking, building, measuring and writing, on a real Lean.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe } from 'node:test';
import { sharedSession, skip } from '../support/session.mjs';

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
  session('lean_run_code: an error, and an import that there is not', async () => {
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
  /** Nothing of it is written, and the reason says why. */
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
    await unwritten(ERRORS, line, line, 'theorem fine : 1 + 1 = 3 := rfl', /error/);
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
  session('lean_write_proof: not in time is not written', async () => {
    const line = lineOf(GOALS, 'exact Nat.add_comm a b');
    const answer = await unwritten(GOALS, line, line, '  sleep 60000\n  exact Nat.add_comm a b', /time/, { timeout_s: 4 });
    assert.equal(answer.timed_out, true);
  });
  session('lean_write_proof refuses a file that changed meanwhile', async () => {
    const line = lineOf(GOALS, 'exact Nat.add_comm a b');
    const pending = shared.client.call('lean_write_proof', { file_path: GOALS, start_line: line, end_line: line, new_text: '  sleep 3000\n  exact Nat.add_comm a b' }, { timeoutMs: 60_000 });
    await new Promise(resolve => setTimeout(resolve, 1500));
    edit(GOALS, 'theorem both', 'theorem two_of_it');
    const changed = read(GOALS);
    const { error } = await pending;
    assert.equal(error?.kind, 'invalid_argument', JSON.stringify(error));
    assert.match(error.message, /changed on disk/);
    assert.equal(read(GOALS), changed);
  });
  session('lean_write_proof refuses read-only files, links out of the project, and lines that there are not', async () => {
    const line = lineOf(GOALS, 'exact Nat.add_comm a b');
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
  });
});
