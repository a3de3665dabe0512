// A proof session on a real Lean.
// Expected goals are Lean's own; positions are found by text, so that the fixtures can grow.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe } from 'node:test';
import { lean } from '../support/leans.mjs';
import { eventually } from '../support/processes.mjs';
import { sharedSession, skip } from '../support/session.mjs';

describe('goals', { skip }, () => {
  const shared = sharedSession('basics');
  const { ask, close, edit, file, goalAt, locate, read, refused, session, workers } = shared;
  const GOALS = 'Basics/Goals.lean';
  // Scratch documents have workers, too.
  const workersOf = name => workers().filter(({ argv }) => argv.at(-1).endsWith(name));

  session('lean_open, then again', async () => {
    const opened = await ask('lean_open', { file_path: GOALS });
    assert.equal(opened.already_open, false);
    assert.equal(opened.line_count, read(GOALS).split('\n').length - (read(GOALS).endsWith('\n') ? 1 : 0));
    const again = await ask('lean_open', { file_path: file(GOALS) });
    assert.deepEqual([again.already_open, again.version], [true, opened.version]);
  });
  session('before a tactic, after it, and where the proof is done', async () => {
    const proof = 'theorem and_swap';
    assert.deepEqual(await goalAt(GOALS, 'constructor', { from: proof }), ['p q : Prop\nh : p ∧ q\n⊢ q ∧ p']);
    assert.deepEqual(await goalAt(GOALS, 'constructor', { from: proof, end: true }), ['case left\np q : Prop\nh : p ∧ q\n⊢ q', 'case right\np q : Prop\nh : p ∧ q\n⊢ p']);
    const done = await ask('lean_goal', locate(GOALS, 'exact h.left', { from: proof, end: true }));
    assert.deepEqual([done.goals, done.status], [[], 'proof_complete']);
  });
  session('a line without a column: goals before and after it', async () => {
    const { line } = locate(GOALS, 'intro hpq hqr hp');
    const answer = await ask('lean_goal', { file_path: GOALS, line });
    assert.deepEqual(answer.goals_before, ['p q r : Prop\n⊢ (p → q) → (q → r) → p → r']);
    assert.deepEqual(answer.goals_after, ['p q r : Prop\nhpq : p → q\nhqr : q → r\nhp : p\n⊢ r']);
    assert.match(answer.line_context, /intro hpq hqr hp/);
  });
  session('outside of a proof there is none', async () => {
    const answer = await ask('lean_goal', { ...locate(GOALS, 'def double'), column: 1 });
    assert.equal(answer.status, 'no_goal_at_position');
    assert.ok(!answer.goals?.length);
  });
  session('structured goals are Lean\'s own', async () => {
    const { goals } = await ask('lean_goal', { ...locate(GOALS, 'constructor', { from: 'theorem and_swap', end: true }), format: 'structured' });
    assert.deepEqual(goals.map(({ user_name: name, goal, status }) => [name, goal, status]), [['left', 'q', 'open'], ['right', 'p', 'open']]);
    assert.deepEqual(goals[0].context.map(({ name, type }) => [name, type]), [['p', 'Prop'], ['q', 'Prop'], ['h', 'p ∧ q']]);
    assert.equal(goals[0].pretty, 'case left\np q : Prop\nh : p ∧ q\n⊢ q');
  });
  // Fields that a brief answer may lack although they are not empty, because they repeat an argument or few need them.
  const ONLY_WHOLE = ['version', 'total', 'end_line', 'end_column', 'file_path', 'index_complete', 'in_environment', 'total_declarations'];
  const USUAL = { category: 'diagnostic', progress: true };
  const saysNothing = value => [false, null, 0, ''].includes(value) || (typeof value === 'object' && Object.keys(value).length === 0);
  const assertBriefOf = (brief, whole, where) => {
    if (typeof whole !== 'object' || whole === null) return assert.deepEqual(brief, whole, where);
    if (Array.isArray(whole)) {
      const [few, all] = [brief, whole].map(list => list.filter(item => item?.category !== 'linter'));   // only counted
      assert.equal(few.length, all.length, where);
      return all.forEach((item, index) => assertBriefOf(few[index], item, `${where}[${index}]`));
    }
    assert.deepEqual(Object.keys(brief).filter(key => !(key in whole)), [], `${where}: only in the brief answer`);
    for (const [key, value] of Object.entries(whole)) {
      if (key in brief) assertBriefOf(brief[key], value, `${where}.${key}`);
      else assert.ok(saysNothing(value) || ONLY_WHOLE.includes(key) || USUAL[key] === value || where.startsWith('lean_completions') && key === 'kind', `${where}.${key} is left out and says ${JSON.stringify(value)}`);
    }
  };
  session('an answer without verbose says the same in fewer bytes, and has what lean-lsp-mcp has', async () => {
    const at = locate(GOALS, 'constructor', { from: 'theorem and_swap' });
    const { file_path, line } = at;
    const questions = { lean_goal: at, lean_term_goal: at, lean_check: at, lean_check_all: { file_path }, lean_diagnostic_messages: { file_path }, lean_file_outline: { file_path },
      lean_document_proofs: { file_path }, lean_hover_info: at, lean_completions: at, lean_references: locate(GOALS, 'double', { from: 'def' }), lean_code_actions: { file_path, line },
      lean_check_type: { file_path, expression: '1 + 1' }, lean_locate: { file_path, name: 'Nat.add_comm' }, lean_about: { file_path, name: 'Nat.add_comm' },
      lean_multi_attempt: { ...at, snippets: ['constructor', 'nonsense'] }, lean_validate_step: { ...at, tactic: 'constructor' }, lean_run_code: { code: 'example : 1 = 2 := rfl' } };
    await ask('lean_check_all', { file_path });   // from here on nothing is elaborating
    for (const [tool, args] of Object.entries(questions)) {
      const whole = await ask(tool, { ...args, verbose: true });
      const brief = await ask(tool, { ...args, verbose: false });
      assertBriefOf(brief, whole, tool);
      const bytes = value => Buffer.byteLength(JSON.stringify(value));
      assert.ok(bytes(brief) < bytes(whole), tool);
      if (tool === 'lean_goal') {
        assert.ok(bytes(brief) < 0.7 * bytes(whole), JSON.stringify(brief));
        assert.deepEqual(Object.keys(brief).filter(key => ['partial', 'timed_out', 'version', 'still_elaborating_lines'].includes(key)), []);
      }
    }
  });
  session('since: only what differs from the goals before a line', async () => {
    const at = locate(GOALS, 'apply hqr');
    const { goals } = await ask('lean_goal', at);
    assert.deepEqual((await ask('lean_goal', { ...at, since: at.line })).goals, ['… 4 hypotheses as before line ' + at.line + '\n' + goals[0].split('\n').at(-1)]);
    const unlike = await ask('lean_goal', { ...at, since: 1 });
    assert.deepEqual(unlike.goals, goals, 'nothing is known there');
    await refused('lean_goal', { ...at, since: at.line, format: 'structured' }, 'invalid_argument');
    await refused('lean_goal', { ...at, since: 100_000 }, 'invalid_argument');
  });
  session('where there is no goal, the proof\'s beginning is named', async () => {
    const { line } = locate(GOALS, 'theorem and_swap');
    const proof = locate(GOALS, 'constructor', { from: 'theorem and_swap' });
    const { status, hint } = await ask('lean_goal', { file_path: GOALS, line, column: 1 });
    assert.equal(status, 'no_goal_at_position');
    assert.match(hint, new RegExp(`^The proof of Basics\\.and_swap' begins at line \\d+, column \\d+\\.$`));
    assert.ok(Number(/line (\d+)/.exec(hint)[1]) <= proof.line, hint);
  });
  session('messages: errors first, linters counted, a category, and what to do', async () => {
    const code = 'theorem a (n : Nat) : True := trivial\ntheorem b : True := sorry\nexample (n : Nat) : n = n := by ring\n';
    const brief = await ask('lean_run_code', { code, verbose: false });
    assert.equal(brief.diagnostics[0].severity, 'error');
    const unknown = brief.diagnostics.find(({ message }) => /unknown tactic/.test(message));
    assert.match(unknown.hint, /`ring` needs Mathlib/);
    assert.deepEqual(brief.diagnostics.filter(({ severity }) => severity !== 'error').map(({ category }) => category), ['sorry']);
    assert.equal(brief.linter_count, 1);
    const whole = await ask('lean_run_code', { code, verbose: true });
    assert.deepEqual(whole.diagnostics.filter(({ severity }) => severity !== 'error').map(({ category }) => category), ['sorry', 'linter']);
  });
  session('lean_term_goal: the expected type at a term', async () => {
    const answer = await ask('lean_term_goal', locate(GOALS, 'hpq hp', { from: 'exact hpq' }));
    assert.match(answer.expected_type, /⊢ (p → q|q)$/);
    assert.equal((await ask('lean_term_goal', { file_path: GOALS, line: locate(GOALS, 'def double').line - 1, column: 1 })).expected_type, null);
  });
  session('lean_check: what starts up to the position', async () => {
    const { line } = locate(GOALS, 'sorry', { from: 'theorem unfinished' });
    const early = await ask('lean_check', { file_path: GOALS, line: locate(GOALS, 'constructor').line });
    assert.deepEqual(early.items, []);
    const late = await ask('lean_check', { file_path: GOALS, line });
    assert.deepEqual(late.items.map(item => item.severity), ['warning']);
    assert.match(late.items[0].message, /declaration uses .sorry/);
  });
  session('lean_check_all: counts, and no silent messages', async () => {
    const all = await ask('lean_check_all', { file_path: GOALS });
    assert.deepEqual([all.success, all.state, all.error_count, all.warning_count, all.sorry_count, all.partial, all.timed_out], [false, 'sorry', 0, 1, 1, false, false]);
    assert.deepEqual(all.unfinished, [{ line: locate(GOALS, 'sorry').line, declaration: 'Basics.unfinished', reason: 'sorry', goals: ['a b : Nat\n⊢ a + b = b + a'] }]);
    assert.ok(!all.items.some(item => /Goals accomplished/.test(item.message)), JSON.stringify(all.items));
    assert.deepEqual((await ask('lean_check_all', { file_path: GOALS, severity: 'error' })).items, []);
  });
  session('lean_check_all: sorries count where they are, even beside an error, and success means that all is proved', async () => {
    const MIXED = 'Basics/Mixed.lean';
    const write = text => fs.writeFileSync(file(MIXED), text);
    write('theorem mixed (p q : Prop) (hp : p) : p ∧ q := by\n  constructor\n  · sorry\n  · exact hp\n\ntheorem twice (p q : Prop) : p ∧ q := by\n  constructor\n  · sorry\n  · admit\n\ntheorem fine : 1 = 1 := by first | rfl | sorry\n');
    const mixed = await ask('lean_check_all', { file_path: MIXED });
    assert.deepEqual([mixed.success, mixed.state, mixed.error_count, mixed.sorry_count], [false, 'error', 1, 3], JSON.stringify(mixed));
    assert.deepEqual(mixed.unfinished.map(({ line, declaration, reason }) => [line, declaration, reason]), [[1, 'mixed', 'error'], [3, 'mixed', 'sorry'], [8, 'twice', 'sorry'], [9, 'twice', 'sorry']]);
    write('theorem lonely : 1 = 2 := by\n  first | rfl | sorry\n');
    const lonely = await ask('lean_check_all', { file_path: MIXED });
    assert.deepEqual([lonely.success, lonely.state, lonely.error_count, lonely.sorry_count], [false, 'sorry', 0, 1], JSON.stringify(lonely));
    write('theorem fine : 1 = 1 := by\n  first | rfl | sorry\n');
    const fine = await ask('lean_check_all', { file_path: MIXED });
    assert.deepEqual([fine.success, fine.state, fine.sorry_count, fine.unfinished], [true, 'proved', 0, []], JSON.stringify(fine));
    await close(MIXED);
    fs.rmSync(file(MIXED));
  });
  session('lean_diagnostic_messages: filters by line, declaration and severity', async () => {
    const everything = await ask('lean_diagnostic_messages', { file_path: GOALS });
    assert.deepEqual([everything.success, everything.partial, everything.items.length], [true, false, 1]);
    const { line } = locate(GOALS, 'theorem unfinished');
    assert.equal(everything.items[0].line, line);
    assert.deepEqual((await ask('lean_diagnostic_messages', { file_path: GOALS, end_line: line - 1 })).items, []);
    assert.equal((await ask('lean_diagnostic_messages', { file_path: GOALS, start_line: line })).items.length, 1);
    assert.deepEqual((await ask('lean_diagnostic_messages', { file_path: GOALS, severity: 'error' })).items, []);
    assert.equal((await ask('lean_diagnostic_messages', { file_path: GOALS, declaration_name: 'Basics.unfinished' })).items.length, 1);
    assert.deepEqual((await ask('lean_diagnostic_messages', { file_path: GOALS, declaration_name: 'Basics.double_zero' })).items, []);
  });
  session('an edit on disk changes the goal, with no tool called in between', async () => {
    edit(GOALS, 'intro hpq hqr hp', 'intro first second third');
    assert.deepEqual(await goalAt(GOALS, 'intro first second third', { end: true }), ['p q r : Prop\nfirst : p → q\nsecond : q → r\nthird : p\n⊢ r']);
    assert.equal((await ask('lean_check_all', { file_path: GOALS })).state, 'error');
    edit(GOALS, 'intro first second third', 'intro hpq hqr hp');
    assert.equal((await ask('lean_check_all', { file_path: GOALS })).state, 'sorry');
  });
  session('lean_sync says what changed', async () => {
    assert.deepEqual(await ask('lean_sync', { file_path: GOALS }).then(({ changed, edit: range }) => [changed, range]), [false, null]);
    const where = locate(GOALS, 'double_zero');
    edit(GOALS, 'double_zero', 'double_nought');
    const synced = await ask('lean_sync', { file_path: GOALS });
    assert.deepEqual([synced.changed, synced.restarted], [true, false]);
    assert.deepEqual([synced.edit.start_line, synced.edit.end_line], [where.line, where.line]);
    edit(GOALS, 'double_nought', 'double_zero');
    await ask('lean_sync', { file_path: GOALS });
  });
  session('lean_document_state and lean_server_health', async () => {
    const state = await ask('lean_document_state', { file_path: GOALS });
    assert.equal(state.open, true);
    assert.match(JSON.stringify(state), /"pid":\d+/);
    assert.ok(JSON.stringify(await ask('lean_server_health', {})).includes('Goals.lean'));
  });
  session('a position outside the text gives the counts', async () => {
    const lines = (await ask('lean_open', { file_path: GOALS })).line_count;
    const beyond = await refused('lean_goal', { file_path: GOALS, line: lines + 50 }, 'invalid_argument');
    assert.ok(beyond.message.includes(String(lines)), beyond.message);
    const { line } = locate(GOALS, 'constructor');
    const width = read(GOALS).split('\n')[line - 1].length;
    const right = await refused('lean_goal', { file_path: GOALS, line, column: width + 2 }, 'invalid_argument');
    assert.ok(right.message.includes(String(width)), right.message);
    await ask('lean_goal', { file_path: GOALS, line, column: width + 1 });   // one past the end is a valid position
  });
  session('a file that is deleted while open', async () => {
    const text = read(GOALS);
    fs.rmSync(file(GOALS));
    await refused('lean_goal', { file_path: GOALS, line: 6, column: 3 }, 'file_not_found');
    fs.writeFileSync(file(GOALS), text);
    assert.deepEqual((await goalAt(GOALS, 'constructor', { from: 'theorem and_swap' })).length, 1);
  });
  session('three hundred questions in a row, then fifty at once, on one worker', async () => {
    const [{ pid }] = workersOf(GOALS);
    const position = locate(GOALS, 'constructor', { from: 'theorem and_swap' });
    for (let i = 0; i < 300; i++) assert.equal((await ask('lean_goal', position)).goals.length, 1, `question ${i}`);
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('lean_goal', position)));
    assert.ok(answers.every(answer => answer.goals.length === 1));
    assert.equal(workersOf(GOALS)[0].pid, pid, 'the worker is the same');
  });
  session('lean_reset starts the worker afresh', async () => {
    const [old] = workersOf(GOALS);
    assert.ok(old);
    assert.equal((await ask('lean_reset', { file_path: GOALS })).restarted, true);
    assert.equal((await goalAt(GOALS, 'constructor', { from: 'theorem and_swap' })).length, 1);
    assert.notEqual(workersOf(GOALS)[0]?.pid, old.pid);
  });
  session('a header edit restarts the worker, and the answer says so', async () => {
    fs.writeFileSync(file(GOALS), `import Init\n${read(GOALS)}`);
    assert.equal((await ask('lean_sync', { file_path: GOALS })).restarted, true);
    assert.equal((await goalAt(GOALS, 'constructor', { from: 'theorem and_swap' })).length, 1);
  });
  session('lean_close ends the worker', async () => {
    assert.equal((await close(GOALS)).was_open, true);
    await eventually(() => workersOf(GOALS).length === 0, 10_000, 'the end of the worker');
    assert.equal((await close(GOALS)).was_open, false);
  });

  session('CRLF: goals, and the file on disk is left alone', async () => {
    const CRLF = 'Basics/Crlf.lean';
    assert.ok(read(CRLF).includes('\r\n'), 'the fixture has CRLF');
    assert.equal((await goalAt(CRLF, 'constructor', { end: true })).length, 2);
    const { line } = locate(CRLF, 'constructor');
    assert.doesNotMatch((await ask('lean_goal', { file_path: CRLF, line })).line_context, /\r/);
    fs.writeFileSync(file(CRLF), read(CRLF).replace('exact hp\r\n', 'exact (hp)\r\n'));
    const { changed, edit: range } = await ask('lean_sync', { file_path: CRLF });
    assert.ok(changed && range.start_line === range.end_line, JSON.stringify(range));
    assert.deepEqual(await goalAt(CRLF, 'exact (hp)', { end: true }), []);
    assert.ok(read(CRLF).includes('\r\n'));
    await close(CRLF);
  });
  session('no newline at the end: the last column is a valid position', async () => {
    const NO_NEWLINE = 'Basics/NoNewline.lean';
    assert.ok(!read(NO_NEWLINE).endsWith('\n'), 'the fixture has no newline at its end');
    assert.deepEqual(await goalAt(NO_NEWLINE, 'exact hp'), ['p : Prop\nhp : p\n⊢ p']);
    assert.deepEqual(await goalAt(NO_NEWLINE, 'exact hp', { end: true }), []);
    fs.appendFileSync(file(NO_NEWLINE), '\n\nexample : 1 = 2 := by\n  skip');
    assert.deepEqual(await goalAt(NO_NEWLINE, 'skip'), ['⊢ 1 = 2']);
    await close(NO_NEWLINE);
  });
  session('𝔸, emoji, subscripts and «» before the column', async () => {
    const UNICODE = 'Basics/Unicode.lean';
    assert.deepEqual(await goalAt(UNICODE, 'constructor', { from: 'afterEmoji' }), ['⊢ "🙂" = "🙂" ∧ x₁ = 2']);
    assert.deepEqual((await goalAt(UNICODE, 'constructor', { from: 'afterEmoji', end: true })).length, 2);
    assert.deepEqual(await goalAt(UNICODE, 'rw [h₁]', { from: 'subscripts' }), ['h₁ : x₁ = 2\nα\' : Nat\n⊢ x₁ + α\' = 2 + α\'']);
    assert.match((await ask('lean_term_goal', locate(UNICODE, 'h₁', { from: 'rw [' }))).expected_type, /⊢ x₁ = 2$/);
    edit(UNICODE, '«𝔸 name» = 1 := by rfl', '«𝔸 name» = 2 := by rfl');
    const wrong = (await ask('lean_diagnostic_messages', { file_path: UNICODE })).items.find(item => item.severity === 'error');
    const rfl = locate(UNICODE, 'rfl', { from: '«𝔸 is one»' });
    assert.deepEqual([wrong.line, wrong.column], [rfl.line, rfl.column]);
    await close(UNICODE);
  });
  session('errors of every kind, in order, with their ranges', async () => {
    const ERRORS = 'Basics/Errors.lean';
    const { items, success, failed_dependencies: failed } = await ask('lean_diagnostic_messages', { file_path: ERRORS });
    assert.equal(success, false);
    assert.ok(!failed?.length);
    const found = severity => items.filter(item => item.severity === severity).map(item => item.message.split('\n')[0]);
    assert.equal(found('error').length, 4, JSON.stringify(items));
    assert.ok(found('info').includes('42'));
    assert.ok(items.some(item => item.severity === 'warning' && item.message === lean.says.unusedVariable('n')), JSON.stringify(items));
    const places = items.map(item => [item.severity === 'error' ? 0 : { sorry: 1, suggestion: 1, linter: 3 }[item.category] ?? 2, item.line]);
    assert.deepEqual(places, places.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]), 'errors first, linters last');
    const unsolved = items.find(item => /^unsolved goals/.test(item.message));
    const where = locate(ERRORS, 'by', { from: 'theorem unsolved' });
    assert.deepEqual([unsolved.line, unsolved.column], [where.line, where.column]);
    assert.deepEqual(unsolved.lean_tags, ['unsolvedGoals']);
    const { end_line: end } = unsolved;
    assert.equal(end, locate(ERRORS, '· exact hp', { from: 'theorem unsolved' }).line, 'the true extent, not the one cut to a line');
    const all = await ask('lean_check_all', { file_path: ERRORS });
    assert.deepEqual([all.success, all.error_count, all.warning_count, all.sorry_count], [false, 4, 2, 1]);
    await close(ERRORS);
  });
});

describe('what Lean keeps after an edit', { skip }, () => {
  const MEMBER = name => `theorem ${name} (n : Nat) : n = n := by\n  cases n with\n  | zero => rfl\n  | succ m =>\n    have := ${name === 'one' ? 'two' : 'one'} m\n    rfl\n`;
  const both = `mutual\n${MEMBER('one')}${MEMBER('two')}end\n\ntheorem below : True := by\n  trivial\n`;
  const { session, ask, file } = sharedSession({ 'Mutual.lean': both });
  const messages = async text => {
    if (text) fs.writeFileSync(file('Mutual.lean'), text);
    return (await ask('lean_diagnostic_messages', { file_path: 'Mutual.lean' })).items.map(one => one.message);
  };

  session('a member of a mutual block that is deleted leaves no error behind', async () => {
    assert.deepEqual(await messages(), []);
    const alone = both.replace(MEMBER('two'), '').replace('    have := two m\n', '');
    for (const text of [alone, both, alone]) assert.deepEqual(await messages(text), []);
    const [message, ...others] = await messages(both.replace(MEMBER('two'), ''));
    assert.match(message, /two/);
    assert.doesNotMatch(message, /_fvar|_uniq/);
    assert.deepEqual(others, []);
  });
});
