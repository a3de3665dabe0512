// Tactics tried before they are written, on a real Lean: lean_validate_step and lean_multi_attempt.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import { describe } from 'node:test';
import { lean } from '../support/leans.mjs';
import { sharedSession, skip } from '../support/session.mjs';

const GOALS = 'Basics/Goals.lean';
const STEPS = 'Basics/Steps.lean';

describe('trying tactics', { skip }, () => {
  const { session, ask, read, locate, refused, close } = sharedSession('basics');

  // [where, tactic, valid, progress, proof_complete]; where: a text of the file, and the theorem that it follows.
  const steps = [
    ["and_swap'", 'constructor', 'constructor', true, true, false],
    ["and_swap'", 'constructor', 'exact ⟨h.right, h.left⟩', true, true, true],
    ["and_swap'", 'constructor', 'skip', true, false, false],
    ["and_swap'", 'constructor', 'simp', false, false, false],
    ["and_swap'", 'constructor', 'rfl', false, false, false],
    ["and_swap'", 'constructor', 'exact noSuchThing', false, false, false],
    ["and_swap'", 'constructor', 'exact (', false, false, false],
    ["and_swap'", 'constructor', 'sorry', true, true, false],
    ["and_swap'", 'constructor', 'constructor\n· exact h.right\n· exact h.left', true, true, true],
    ["and_swap'", 'constructor', 'constructor\n· exact h.left\n· exact h.left', false, false, false],
    ["and_swap'", '· exact h.right', '· exact h.right', true, true, false],
    ["and_swap'", '· exact h.right', '· exact h.left', false, false, false],
    ["and_swap'", '· exact h.left', '· exact h.left', true, true, true],
    ["and_swap'", '· exact h.right', 'case right => exact h.left', true, true, false],
    ["and_swap'", '· exact h.right', 'case left => exact h.left', false, false, false],
    ["imp_trans'", 'intro hpq', 'intro hpq hqr hp', true, true, false],
    ["imp_trans'", 'apply hqr', 'exact hqr (hpq hp)', true, true, true],
    ["imp_trans'", 'apply hqr', 'apply hpq', false, false, false],
    ["zero_add'", 'induction n with', 'induction n with\n| zero => rfl\n| succ n ih => rw [← Nat.add_assoc, ih]', true, true, true],
    ["zero_add'", 'induction n with', 'induction n with\n| zero => rfl\n| succ n ih => rfl', false, false, false],
    ["zero_add'", 'induction n with', 'simp', true, true, true],
    ["zero_add'", 'induction n with', 'omega', true, true, true],
    ['both', 'constructor', 'constructor <;> exact hp', true, true, true],
    ['both', 'constructor', 'constructor <;> skip', true, true, false],
  ];
  for (const [theorem, needle, tactic, valid, progress, complete] of steps)
    session(`validate: ${theorem}, ${JSON.stringify(tactic)}`, async () => {
      const { file_path, line } = locate(GOALS, needle, { from: `theorem ${theorem}` });
      const answer = await ask('lean_validate_step', { file_path, line, tactic, verbose: true });
      assert.deepEqual([answer.valid, answer.progress ?? false, answer.proof_complete], [valid, progress, complete], JSON.stringify(answer));
      assert.equal(answer.errors.length > 0, !valid);
      assert.ok(answer.goals_before.length > 0);
    });

  session('an exact column: inside the brackets of a term', async () => {
    const place = locate(GOALS, 'assumption', { from: 'theorem nested' });
    const answer = await ask('lean_validate_step', { ...place, tactic: 'exact hp' });
    assert.deepEqual([answer.valid, answer.goals_after], [true, []]);
    assert.deepEqual(answer.goals_before.map(goal => goal.split('\n').at(-1)), ['⊢ p']);
  });

  session('a column inside a word: from the beginning of its tactic, and the answer says so', async () => {
    const { file_path, line, column } = locate(GOALS, 'exact h.right', { from: "theorem and_swap'" });
    const one = await ask('lean_validate_step', { file_path, line, column: column + 3, tactic: 'exact h.right' });
    assert.deepEqual([one.valid, one.errors], [true, []], JSON.stringify(one));
    assert.match(one.hint, new RegExp(`^Column ${column + 3} is inside a word: tried at line ${line}, column ${column},`));
    const many = await ask('lean_multi_attempt', { file_path, line, column: column + 8, snippets: ['exact h.right'] });
    assert.deepEqual([many.items[0].diagnostics, many.hint?.startsWith(`Column ${column + 8}`)], [[], true], JSON.stringify(many));
    assert.equal((await ask('lean_validate_step', { file_path, line, column, tactic: 'exact h.right' })).hint, undefined);
  });
  session('outside a proof, the answer says so', async () => {
    const error = await refused('lean_validate_step', { ...locate(GOALS, 'def double'), tactic: 'rfl' }, 'invalid_argument');
    assert.match(error.message, /no proof/);
  });

  // Runs for ever, with little memory and a slowly growing stack: it must not end by itself before it is given up. It sleeps in every round,
  // since nothing here depends on how much it computes.
  const LOOP = 'set_option maxHeartbeats 0 in repeat\' (sleep 20; refine id ?_)';
  const EIGHT = ['sleep 60000', 'constructor', 'exact ⟨h.right, h.left⟩', LOOP, 'simp', 'exact h.symm', 'exact And.comm.mp h', 'skip'];

  session('eight attempts of which one sleeps and one loops: the others answer, the user\'s file and worker are left alone', async t => {
    const { line } = locate(GOALS, 'constructor', { from: "theorem and_swap'" });
    const text = read(GOALS);
    await ask('lean_goal', { file_path: GOALS, line });
    const before = await ask('lean_document_state', { file_path: GOALS });
    const began = performance.now();
    let six;
    const progress = ({ message }) => { if (/^[6-8] of 8 attempts/.test(message)) six ??= performance.now() - began; };
    const { items, timed_out } = await ask('lean_multi_attempt', { file_path: GOALS, line, snippets: EIGHT, timeout_s: lean.attemptsS ?? 20 }, { progress });
    const all = performance.now() - began;
    t.diagnostic(`six of eight known after ${Math.round(six)} ms (looked at once a second), the answer after ${Math.round(all)} ms; load ${os.loadavg()[0].toFixed(1)}`);
    assert.ok(six < all, 'they are told of while the others are still tried');
    assert.deepEqual(items.map(item => item.snippet), EIGHT, 'in the order asked');
    assert.equal(timed_out, true);
    assert.deepEqual(items.filter(item => item.timed_out).map(item => item.snippet), ['sleep 60000', LOOP]);
    assert.deepEqual(items.filter(item => !item.timed_out).map(item => item.proof_status),
      ['goals', 'proof_complete', 'error', 'proof_complete', 'proof_complete', 'goals']);
    for (const item of items.filter(item => item.timed_out)) assert.deepEqual([item.proof_status, item.proof_complete], ['still_elaborating', false]);
    const after = await ask('lean_document_state', { file_path: GOALS });
    assert.deepEqual([after.workers.map(worker => worker.pid), after.version], [before.workers.map(worker => worker.pid), before.version]);
    assert.equal(read(GOALS), text);
  });

  session('attempts that cannot be stopped use up only their own worker\'s threads', async t => {
    const { line } = locate(GOALS, 'constructor', { from: "theorem and_swap'" });
    const snippets = [...Array.from({ length: 5 }, (_, i) => `sleep ${60_000 + i}`), 'exact ⟨h.right, h.left⟩', 'skip'];
    const began = performance.now();
    const { items } = await ask('lean_multi_attempt', { file_path: GOALS, line, snippets, timeout_s: lean.attemptsS });
    t.diagnostic(`answered after ${Math.round(performance.now() - began)} ms; load ${os.loadavg()[0].toFixed(1)}`);
    assert.deepEqual(items.map(item => item.timed_out ? 'timed out' : item.proof_status), [...Array(5).fill('timed out'), 'proof_complete', 'goals']);
  });

  session('long lists are truncated and marked so', async () => {
    const { line } = locate(GOALS, 'constructor', { from: "theorem and_swap'" });
    const snippets = ['iterate 25 (refine (fun _ : True => ?_) ?_)', 'constructor'];
    const { items } = await ask('lean_multi_attempt', { file_path: GOALS, line, snippets });
    assert.deepEqual(items.map(item => [item.goals.length, item.truncated, item.proof_status]), [[20, true, 'goals'], [2, undefined, 'goals']], JSON.stringify(items));
    const step = await ask('lean_validate_step', { file_path: GOALS, line, tactic: snippets[0] });
    assert.deepEqual([step.goals_after.length, step.remaining_goals, step.truncated, step.progress], [20, 26, true, true]);
  });

  session('an attempt that kills its worker harms no other', async () => {
    const { line } = locate(GOALS, 'constructor', { from: "theorem and_swap'" });
    const snippets = ['exact ⟨h.right, h.left⟩', 'run_tac do IO.Process.exit 3', 'constructor'];
    const { items } = await ask('lean_multi_attempt', { file_path: GOALS, line, snippets });
    assert.deepEqual([items[0].proof_status, items[2].proof_status], ['proof_complete', 'goals'], JSON.stringify(items));
    assert.equal(items[1].proof_status, 'error');
  });

  session('on an empty line, indented as the line before it', async () => {
    const place = locate(STEPS, 'namespace Basics', { end: true });
    const answer = await refused('lean_validate_step', { file_path: STEPS, line: place.line + 1, tactic: 'rfl' }, 'invalid_argument');
    assert.match(answer.message, /no proof/);
    await close(STEPS);
  });

  session('bad arguments', async () => {
    await refused('lean_multi_attempt', { file_path: GOALS, line: 6, snippets: [] }, 'invalid_argument');
    await refused('lean_multi_attempt', { file_path: GOALS, line: 6, snippets: ['a', 1] }, 'invalid_argument');
    await refused('lean_multi_attempt', { file_path: GOALS, line: 600, snippets: ['simp'] }, 'invalid_argument');
    await refused('lean_validate_step', { file_path: GOALS, line: 6 }, 'invalid_argument');
    await close(GOALS);
  });
});

// Lean 4.28 drops the errors of these alternatives: it neither reports one nor announces the theorem.
describe('what Lean neither faults nor announces', { skip }, () => {
  const TWO_WAY = 'theorem two_way {P : Nat → Prop} (k : Nat) (hk : 0 < k) (lo : P 0) (hi : ∀ m, P m → P (m + 1)) (n : Nat) : P n := by\n' +
    '  induction n with\n  | zero => exact lo\n  | succ m ih => exact hi m ih\n\n';
  const SNIPPET = 'induction n using two_way 3 (by decide) with\n| lo => exact nonsense\n| hi m ih => omega';
  const indented = SNIPPET.replaceAll(/^/gm, '  ');
  const { session, ask, read, locate } = sharedSession({
    'Open.lean': `${TWO_WAY}theorem wrong {n : Nat} : n = n + 1 := by\n  sorry\n`,
    'Silent.lean': `${TWO_WAY}theorem wrong {n : Nat} : n = n + 1 := by\n${indented}\n`,
  });

  session('an attempt is not complete, a step not valid', async () => {
    const place = locate('Open.lean', 'sorry');
    const [attempt] = (await ask('lean_multi_attempt', { ...place, snippets: [SNIPPET], verbose: true })).items;
    assert.ok(!attempt.proof_complete && !attempt.closes_goal, JSON.stringify(attempt));
    assert.notEqual(attempt.proof_status, 'proof_complete');
    assert.equal((await ask('lean_validate_step', { ...place, tactic: SNIPPET, verbose: true })).valid, false);
  });

  session('it is not written', async () => {
    const { line } = locate('Open.lean', 'sorry');
    const before = read('Open.lean');
    const answer = await ask('lean_write_proof', { file_path: 'Open.lean', start_line: line, end_line: line, new_text: indented });
    assert.equal(answer.written, false, JSON.stringify(answer));
    assert.equal(read('Open.lean'), before);
  });

  session('neither a text nor a file is a success', async () => {
    const ran = await ask('lean_run_code', { code: read('Silent.lean') });
    assert.ok(!ran.success && (ran.reason || ran.diagnostics.length > 0), JSON.stringify(ran));
    const messages = await ask('lean_diagnostic_messages', { file_path: 'Silent.lean' });
    assert.ok(!messages.success && (messages.reason || messages.items.length > 0), JSON.stringify(messages));
  });
});

describe('attempts beside the rule', { skip }, () => {
  const { session, ask, locate, refused } = sharedSession({
    'Beside.lean': 'theorem same (n : Nat) : n = n := by\n  skip\n  rfl\n\n/- a comment\n  exact rfl\n-/\n' +
      'theorem far : ∀ n, n < 3000 → n ≠ 3025 := by\n  sorry\n',
    'Kernel.lean': 'import Lean\nopen Lean Elab Tactic\ntheorem wrong : 1 = 2 := by\n  sorry\n',
  });
  const attempt = async (needle, snippet) => (await ask('lean_multi_attempt', { ...locate('Beside.lean', needle), snippets: [snippet], verbose: true })).items[0];

  session('a sorry that never ran does not make an attempt incomplete', async () => {
    for (const snippet of ['first | rfl | sorry', 'rfl\nall_goals sorry', 'rfl <;> sorry']) {
      const { proof_status, proof_complete, uses_sorry } = await attempt('skip', snippet);
      assert.deepEqual([proof_status, proof_complete, uses_sorry ?? false], ['proof_complete', true, false], snippet);
    }
    const ran = await attempt('skip', 'first | sorry | rfl');
    assert.deepEqual([ran.proof_status, ran.uses_sorry], ['sorry', true]);
  });

  session('inside a block comment there is no goal', async () => {
    assert.equal((await attempt('exact rfl', 'rfl')).proof_status, 'no_goal_at_position');
    await refused('lean_validate_step', { ...locate('Beside.lean', 'exact rfl'), tactic: 'rfl' }, 'invalid_argument');
  });

  session('a snippet that leaves its goal and begins a declaration fails', async () => {
    const left = await attempt('skip', '(skip)\nexample : True := trivial');
    assert.deepEqual([left.proof_status, left.closes_goal ?? false], ['error', false], JSON.stringify(left));
    const step = await ask('lean_validate_step', { ...locate('Beside.lean', 'skip'), tactic: '(skip)\nexample : True := trivial' });
    assert.equal(step.valid, false);
  });

  session('what the kernel rejects is not valid', async () => {
    const tactic = 'run_tac do (← getMainGoal).assign (mkConst ``True.intro)';
    const step = await ask('lean_validate_step', { ...locate('Kernel.lean', 'sorry'), tactic, verbose: true });
    assert.deepEqual([step.valid, step.proof_complete], [false, false], JSON.stringify(step));
    assert.match(step.reason ?? '', /kernel rejects/, JSON.stringify(step));
    assert.ok(step.errors.some(error => error.message.startsWith('(kernel)')), JSON.stringify(step));
  }, { skip: lean.kind === 'wasm' && 'it lacks what this tactic runs' });

  session('a proof that may be too deep for the kernel is valid if it is complete', async () => {
    const tactic = 'have h : ∀ n < 3000, n != 3025 := by set_option maxRecDepth 100000 in decide\nintro n hn; simpa using h n hn';
    const step = await ask('lean_validate_step', { ...locate('Beside.lean', 'sorry'), tactic, verbose: true });
    // How deep a kernel may go is the platform's affair.
    assert.equal(step.valid, step.proof_complete, JSON.stringify(step));
    assert.equal(/kernel rejects/.test(step.reason ?? ''), !step.valid);
    assert.equal(step.errors.some(error => error.message.startsWith('(kernel)')), !step.valid);
  }, { skip: lean.kind !== 'wasm' && 'a term of the wrong type shows it in a tenth of the time' });
});

describe('attempts in a mutual block', { skip }, () => {
  const { session, ask, locate } = sharedSession({
    'Mutual.lean': 'mutual\ntheorem even_same (n : Nat) (h : n = n) : n = n := by\n  cases n with\n  | zero => rfl\n  | succ m =>\n    have := odd_same m rfl\n    exact h\n' +
      'theorem odd_same (n : Nat) (h : n = n) : n = n := by\n  cases n with\n  | zero => exact (rfl)\n  | succ m =>\n    have := even_same m rfl\n    exact h\nend\n\n' +
      'theorem self_use (n : Nat) : n + 0 = n := by\n  exact rfl\n\ntheorem below : True := trivial\n',
  });
  const FILE = 'Mutual.lean';
  const attempt = async (place, snippet) => (await ask('lean_multi_attempt', { ...place, snippets: [snippet], verbose: true })).items[0];

  session('in the first and in the last of it', async () => {
    for (const from of ['theorem even_same', 'theorem odd_same'])
      for (const [snippet, status] of [['exact h', 'proof_complete'], ['exact nonsense', 'error'], ['skip', 'goals']]) {
        const found = await attempt(locate(FILE, 'exact h', { from }), snippet);
        assert.equal(found.proof_status, status, `${from}, ${snippet}: ${JSON.stringify(found)}`);
      }
  });
  session('a step that uses another one of the block', async () => {
    const found = await attempt(locate(FILE, 'exact h', { from: 'theorem even_same' }), 'exact absurd (odd_same m rfl) (by skip)');
    assert.equal(found.proof_status, 'error', JSON.stringify(found));
    assert.doesNotMatch(JSON.stringify(found.diagnostics), /expected 'end'|unknown identifier/i);
  });
  session('a step that uses the theorem itself says that it is a recursion', async () => {
    for (const tactic of ['exact self_use n', 'exact (self_use n).trans rfl', 'have := self_use n\nexact this']) {
      const step = await ask('lean_validate_step', { ...locate(FILE, 'exact rfl', { from: 'theorem self_use' }), tactic });
      assert.equal(step.valid, true, JSON.stringify(step));
      assert.match(step.reason ?? '', /uses self_use, which is being proved.*recursion/, `${tactic}: ${JSON.stringify(step)}`);
      assert.ok(!step.proof_complete, JSON.stringify(step));
    }
    const other = await ask('lean_validate_step', { ...locate(FILE, 'exact rfl', { from: 'theorem self_use' }), tactic: 'exact Nat.add_zero n' });
    assert.deepEqual([other.valid, other.proof_complete, other.reason], [true, true, undefined], JSON.stringify(other));
  });
  session('the type of an expression, hypotheses and times', async () => {
    const typed = await ask('lean_check_type', { ...locate(FILE, 'exact h', { from: 'theorem odd_same' }), expression: 'even_same m' });
    assert.deepEqual([typed.type?.replace(/\s+/g, ' '), typed.in_proof], ['m = m → m = m', true], JSON.stringify(typed));
    const above = await ask('lean_check_type', { ...locate(FILE, 'theorem odd_same'), expression: 'Nat.succ' });
    assert.match(above.type ?? '', /Nat → Nat|ℕ → ℕ/, JSON.stringify(above));
    const { verdicts } = await ask('lean_minimal_hypotheses', { file_path: FILE, theorem_name: 'odd_same' });
    assert.ok(verdicts.every(one => !/not proved|in time|end/.test(one.detail)), JSON.stringify(verdicts));
    const { ms } = await ask('lean_profile_proof', { file_path: FILE, line: locate(FILE, 'theorem odd_same').line });
    assert.ok(ms > 0);
  });
  session('a type without a place: the names of the file, too', async () => {
    for (const [expression, type] of [['self_use', /\+ 0 = n/], ['self_use 3', /3 \+ 0 = 3/], ['odd_same', /n = n/], ['Nat.zero', /Nat|ℕ/]])
      assert.match((await ask('lean_check_type', { file_path: FILE, expression })).type ?? '', type, expression);
  });
});

describe('attempts as models write them', { skip }, () => {
  const HYPOTHESES = Array.from({ length: 8 }, (_, i) => `(h${i} : a = b → b = a + ${i} - ${i})`).join(' ');
  const FILE = 'Written.lean';
  const TEXT = `theorem both (p q : Prop) (hp : p) (hq : q) : p ∧ q := by\n  constructor\n  · sorry\n  · sorry\n\ntheorem many (a b : Nat) ${HYPOTHESES} (h : a = b) : a = b ∧ b = a := by\n  sorry\n`;
  const { session, ask, locate, read, file } = sharedSession({ [FILE]: TEXT });
  const begin = () => { fs.writeFileSync(file(FILE), TEXT); return locate(FILE, 'constructor'); };
  const tried = async (place, snippets, more) => ask('lean_multi_attempt', { file_path: FILE, line: place.line, snippets, ...more });

  session('a first line that stands left of the rest, and a `by`, are understood', async () => {
    const at = begin();
    const readings = ['constructor\n    · exact hp\n    · exact hq', 'by\n    constructor\n    · exact hp\n    · exact hq', 'by exact ⟨hp, hq⟩', 'exact\n    ⟨hp, hq⟩'];
    const { items } = await tried(at, readings);
    assert.deepEqual(items.map(item => item.proof_complete), [true, true, true, true], JSON.stringify(items));
    assert.deepEqual(items.map(item => item.snippet), readings);
    assert.deepEqual(items.map(item => item.tried_as), ['constructor\n· exact hp\n· exact hq', 'constructor\n· exact hp\n· exact hq', 'exact ⟨hp, hq⟩', undefined]);
    const [wrong] = (await tried(at, ['constructor\n    · exact nothing\n    exact hq )'])).items;
    assert.match(wrong.reason ?? '', /first line stands left of the others/, JSON.stringify(wrong));
  });

  session('goals at the sorries of a snippet', async () => {
    const { items: [item] } = await tried(begin(), ['constructor\n· exact hp\n· sorry']);
    assert.deepEqual(item.sorries.map(({ line, goals }) => [line, goals.map(goal => goal.split('\n').at(-1))]), [[3, ['⊢ q']]]);
  });

  session('long snippets are not told back, and hypotheses are said once', async () => {
    begin();
    const at = locate(FILE, 'sorry', { from: 'theorem many' });
    const snippets = [`constructor\n· skip${'\n  -- a remark of some length'.repeat(20)}\n  skip\n· exact h.symm`, 'constructor', 'refine ⟨?_, ?_⟩'];
    const brief = await tried(at, snippets, { verbose: false }), whole = await tried(at, snippets, { verbose: true });
    assert.deepEqual(whole.items.map(item => item.snippet), snippets);
    assert.deepEqual(brief.items.map(item => item.number), [1, undefined, undefined]);
    assert.ok(brief.items[0].snippet.length < 210 && snippets[0].startsWith(brief.items[0].snippet.slice(0, -1)));
    assert.match(brief.goal, /h7 : /);
    for (const item of brief.items.slice(1)) assert.match(item.goals[1], /… 1[01] hypotheses as in `goal`\n⊢ b = a$/, item.goals[1]);
    const bytes = answer => Buffer.byteLength(JSON.stringify(answer));
    assert.ok(bytes(brief) < 0.5 * bytes(whole), `${bytes(brief)} of ${bytes(whole)} bytes`);
  });

  session('write puts in the first that completes the proof', async () => {
    const at = begin();
    const none = await tried(at, ['skip', 'constructor'], { write: true });
    assert.deepEqual([none.written, none.not_written, read(FILE)], [undefined, 'No snippet completes the proof.', TEXT]);
    const { written, items } = await tried(at, ['constructor', 'constructor\n    · exact hp\n    · exact hq', 'exact ⟨hp, hq⟩'], { write: true });
    assert.deepEqual(written, { number: 2, start_line: 2, end_line: 4 }, JSON.stringify(items));
    assert.equal(read(FILE), TEXT.replace('· sorry', '· exact hp').replace('· sorry', '· exact hq'));
    const last = locate(FILE, 'sorry');
    const refused = await tried(last, ['exact ⟨h, h.symm⟩\n\naxiom more : False'], { write: true });
    assert.ok(!refused.written, JSON.stringify(refused));
    assert.ok(read(FILE).includes('sorry'));
  });
});

describe('attempts at the sorry of a term', { skip }, () => {
  const FILE = 'Terms.lean';
  const TEXT = `theorem one (p : Prop) (h : p) : p := sorry

theorem pair (p q : Prop) (h : p) (k : q) : p ∧ q := ⟨sorry, k⟩

theorem both (p q : Prop) (h : p) (k : q) : p ∧ q := And.intro sorry sorry

structure S where
  a : Nat
  pos : 0 < a
  same : a = a

def s : S where
  a := 3
  pos := sorry
  same := rfl

theorem inside (p q : Prop) (h : p) (k : q) : p ∧ q := by
  have x : p := sorry
  exact ⟨x, id sorry⟩

theorem helped (p : Prop) (h : p) : p ∧ p := ⟨sorry, helper⟩
where
  helper : p := sorry

theorem after (p q : Prop) (f : p → q) (h : p) : q := sorry |> f

theorem named (p : Prop) (h : p) : p := id (sorryAx p)

theorem arms : ∀ n : Nat, n = n
  | 0 => sorry
  | n + 1 => rfl

theorem wrong : 1 = 2 := id sorry
`;
  const { session, ask, locate, read, file } = sharedSession({ [FILE]: TEXT });
  const tried = async (from, needle, snippets, more) => {
    fs.writeFileSync(file(FILE), TEXT);
    return ask('lean_multi_attempt', { ...locate(FILE, needle, { from }), snippets, ...more });
  };
  const states = answer => answer.items.map(item => [item.proof_status, item.remaining_goals]);

  // [the theorem, the sorry in its line, a snippet, proof_status, what it is written as]
  const places = [
    ['one', 'sorry', 'exact h', 'proof_complete', ':= by exact h\n'],
    ['one', 'orry', 'exact h', 'proof_complete', ':= by exact h\n'],
    ['one', 'sorry', 'h', 'proof_complete', ':= by exact h\n'],
    ['one', 'sorry', 'by exact h', 'proof_complete', ':= by exact h\n'],
    ['pair', 'sorry', 'have := h\nexact this', 'proof_complete', '⟨by have := h\n                                                         exact this, k⟩\n'],
    ['both', 'sorry sorry', 'exact h', 'closed_here'],
    ['s : S', 'sorry', 'decide', 'proof_complete', 'pos := by decide\n  same := rfl\n'],
    ['after', 'sorry', 'exact h', 'proof_complete', ':= (by exact h) |> f\n'],
    ['arms', 'sorry', 'rfl', 'proof_complete', '=> by rfl\n  | n + 1 => rfl\n'],
    ['inside', 'sorry', 'exact h', 'closed_here'],
    ['inside', 'sorry⟩', 'exact k', 'closed_here'],
    ['wrong', 'sorry', 'rfl', 'error'],
    ['wrong', 'sorry', '⟨', 'error'],
    ['wrong', 'sorry', 'simp', 'goals'],
    ['wrong', 'sorry', 'sorry', 'sorry'],
    ['wrong', 'sorry', 'skip', 'goals'],
  ];
  for (const [from, needle, snippet, status, written] of places)
    session(`${from}, ${needle}: ${JSON.stringify(snippet)}`, async () => {
      const answer = await tried(from, needle, [snippet], { write: true });
      assert.equal(answer.items[0].proof_status, status, JSON.stringify(answer));
      assert.equal(read(FILE).includes(written ?? TEXT), true, read(FILE));
    });

  session('a helper of the declaration that is a sorry leaves it open', async () => {
    for (const from of ['theorem helped', 'helper :']) {
      const answer = await tried(from, 'sorry', ['exact h'], { write: true });
      assert.equal(answer.items[0].proof_status, 'closed_here', JSON.stringify(answer));
      assert.equal(read(FILE), TEXT);
    }
  });

  session('without a column, the first in a line that begins no tactic', async () => {
    fs.writeFileSync(file(FILE), TEXT);
    const { file_path, line } = locate(FILE, 'theorem pair');
    const answer = await ask('lean_multi_attempt', { file_path, line, snippets: ['exact h', 'skip', 'exact k'] });
    assert.deepEqual(states(answer), [['proof_complete', 0], ['goals', 1], ['error', undefined]], JSON.stringify(answer));
    assert.equal(answer.hint, undefined);
    const tactic = await ask('lean_multi_attempt', { file_path, line: locate(FILE, 'have x').line, snippets: ['exact ⟨h, k⟩'] });
    assert.deepEqual(states(tactic), [['proof_complete', 0]], 'the place of a tactic stays one');
    const { items: [axiom] } = await ask('lean_multi_attempt', { ...locate(FILE, 'sorryAx'), snippets: ['exact h'] });
    assert.match(axiom.diagnostics[0].message, /^Unknown identifier `exact`/, 'the axiom is no such word');
    const valid = await ask('lean_validate_step', { ...locate(FILE, 'sorry', { from: 'def s' }), tactic: 'decide' });
    assert.deepEqual([valid.valid, valid.proof_complete], [true, true], JSON.stringify(valid));
  });
});
