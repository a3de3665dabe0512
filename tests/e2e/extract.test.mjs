// lean_extract_lemma: a goal becomes a lemma, which Lean has accepted with its use.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedSession, skip } from '../support/session.mjs';

const FILE = 'Extract.lean';
const SOURCE = `universe u

namespace Far
structure Box (α : Type u) where
  content : List α

/-- Says that two lengths agree. -/
theorem lengths {α : Type u} [DecidableEq α] (b : Box α) (k : Nat) (f : Nat → Nat) (q : Prop) (hq : q)
    (h : b.content.length = k) : b.content.reverse.length = k ∧ q := by
  constructor
  · have two : k + 0 = k := by omega
    rw [List.length_reverse]
    exact h
  · exact hq

theorem open_one (a b c : Nat) (f : Fin a → Nat) (h : a < b) (g : b < c) (far : Nat) : a < c ∧ far = far := by
  refine ⟨?_, rfl⟩
  sorry

theorem by_term (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, sorry⟩

theorem shadowed : ∀ n : Nat, 0 < n → ∀ n m : Nat, n = m → m = n := by
  intro n _ n m _
  sorry

theorem with_let (n : Nat) : n + 2 = 2 + n := by
  let two := 2
  show n + two = two + n
  sorry

def data (n : Nat) : Nat := by
  exact n + sorry
end Far
`;

const VARIABLES = `universe u
section
variable {α : Type u} [BEq α] [LawfulBEq α] (xs : List α) (k : Nat)
theorem section_ones (x : α) (h : x ∈ xs) : xs.contains x = true ∧ k = k := by
  constructor
  · sorry
  · rfl
end

set_option autoImplicit true in
theorem bound (x y : β) (h : x = y) : y = x ∧ True := by
  constructor
  · sorry
  · trivial

theorem levels.{v, w} {α : Type v} {β : Type w} (f : α → β) (a b : α) (h : a = b) : f a = f b := by
  sorry

theorem depends (n : Nat) (i : Fin n) (h : i.val + 1 < n) (g : (⟨i.val + 1, h⟩ : Fin n) = i) : i.val = i.val + 1 := by
  sorry

theorem twice_aux : True := trivial
theorem twice (n : Nat) (h : n < 1) : n = 0 := by
  omega
`;

describe('extracting lemmas', { skip }, () => {
  const shared = sharedSession('basics');
  const { ask, file, locate, read, refused, session } = shared;
  const put = text => fs.writeFileSync(file(FILE), text);
  const at = (needle, from) => locate(FILE, needle, { from });
  const extract = args => ask('lean_extract_lemma', args);
  const whole = async sorries => {
    const { error_count: errors, sorry_count: count } = await ask('lean_check_all', { file_path: FILE });
    assert.deepEqual([errors, count], [0, sorries], read(FILE));
  };

  session('a block of tactics, with what its proof needs; nothing is written', async () => {
    put(SOURCE);
    const answer = await extract(at('rw [', 'theorem lengths'));
    assert.match(answer.lemma, /^theorem lengths_aux \{α : Type u\}( \[DecidableEq α\])? \(b : Box α\) \(k : Nat\) \(h : b\.content\.length = k\) :\n {4}b\.content\.reverse\.length = k := by\n {2}rw \[List\.length_reverse\]\n {2}exact h$/);
    assert.equal(answer.use, 'exact lengths_aux b k h');
    assert.ok(answer.new_text.includes(`${answer.lemma}\n\n/-- Says that`));
    assert.deepEqual([answer.written, answer.uses_sorry, read(FILE)], [false, false, SOURCE]);
    const lines = SOURCE.split('\n');
    put([...lines.slice(0, answer.start_line - 1), ...answer.new_text.replace(/\n$/, '').split('\n'), ...lines.slice(answer.end_line)].join('\n'));
    await whole(5);
  });

  session('sorries, as tactics and as terms, written', async () => {
    put(SOURCE);
    const one = await extract({ ...at('sorry', 'theorem open_one'), write: true });
    assert.equal(one.lemma, 'theorem open_one_aux (a b c : Nat) (h : a < b) (g : b < c) :\n    a < c := by\n  sorry');
    assert.deepEqual([one.use, one.written, one.uses_sorry], ['exact open_one_aux a b c h g', true, true]);
    await whole(5);
    const two = await extract({ file_path: FILE, line: at('sorry', 'theorem by_term').line, name: 'left', write: true });
    assert.equal(two.lemma, 'theorem left (p q : Prop) (h : p ∧ q) :\n    p := by\n  sorry');
    assert.match(read(FILE), /:= ⟨h\.2, \(left p q h\)⟩/);
    await whole(5);
  });

  session('names that cannot be written, and a let', async () => {
    put(SOURCE);
    const shadowed = await extract({ ...at('sorry', 'theorem shadowed'), write: true });
    assert.match(shadowed.use, /^exact shadowed_aux n m \(by assumption\)$/);
    const withLet = await extract({ ...at('sorry', 'theorem with_let'), write: true });
    assert.match(withLet.lemma, /\(n two : Nat\) \(two_eq : two = 2\)/);
    assert.match(withLet.use, /^exact with_let_aux n two rfl$/);
    await whole(5);
  });

  session('what Lean prints and cannot read is printed in full', async () => {
    // The literal would be a natural number, and its type is in no other hypothesis.
    put('structure Odd where\n  n : Nat\ninstance (k : Nat) : OfNat Odd k := ⟨⟨k⟩⟩\ntheorem t (h : (3 : Odd) = 4) : (4 : Odd) = 3 := by\n  sorry\n');
    const answer = await extract({ ...at('sorry', 'theorem t'), write: true });
    assert.match(answer.lemma, /Odd/);
    await whole(1);
  });

  session('variables of sections, auto-bound ones, universes, and hypotheses that depend on each other', async () => {
    put(VARIABLES);
    const lemma = async (name, needle = 'sorry') => (await extract({ ...at(needle, `theorem ${name}`), write: true })).lemma.split(' := by')[0].replace(/\s+/g, ' ');
    assert.equal(await lemma('section_ones'), 'theorem section_ones_aux {α : Type u} [BEq α] [LawfulBEq α] (xs : List α) (x : α) (h : x ∈ xs) : xs.contains x = true');
    assert.equal(await lemma('bound'), 'theorem bound_aux.{u_1} {β : Sort u_1} (x y : β) (h : x = y) : y = x');
    assert.equal(await lemma('levels'), 'theorem levels_aux.{v, w} {α : Type v} {β : Type w} (f : α → β) (a b : α) (h : a = b) : f a = f b');
    assert.equal(await lemma('depends'), 'theorem depends_aux (n : Nat) (i : Fin n) (h : ↑i + (1 : Nat) < n) (g : (⟨↑i + (1 : Nat), h⟩ : Fin n) = i) : ↑i = ↑i + (1 : Nat)');
    assert.equal(await lemma('twice', 'omega'), 'theorem twice_aux2 (n : Nat) (h : n < 1) : n = 0');
    await whole(4);
  });

  session('what a declaration has before it with `in` stays before it', async () => {
    put('namespace Facts\ndef two : Nat := 2\nend Facts\nuniverse u\n\nopen Facts in -- for two\nset_option maxRecDepth 600 in\n/-- Of two. -/\ntheorem stays : two = 2 ∧ True := by\n  constructor\n  · rfl\n  · trivial\n');
    const { lemma } = await extract({ ...at('rfl', 'theorem stays'), write: true });
    assert.match(lemma, /^theorem stays_aux :\n {4}Facts\.two = \(?2/);
    assert.match(read(FILE), /universe u\n\ntheorem stays_aux[^/]*open Facts in -- for two\nset_option maxRecDepth 600 in\n\/-- Of two\. -\/\ntheorem stays/);
    await whole(0);
  });

  session('of hypotheses that only others need, none is left', async () => {
    put('theorem chain (n k : Nat) (h : n < 1) (a : n = k) (b : k = 0 ∧ a = a) : n = 0 ∧ n = k := by\n  refine ⟨?_, a⟩\n  have := h\n  omega\n');
    const { lemma, use } = await extract({ ...at('have', 'theorem chain'), write: true });
    assert.equal(lemma, 'theorem chain_aux (n : Nat) (h : n < 1) :\n    n = 0 := by\n  have := h\n  omega');
    assert.equal(use, 'exact chain_aux n h');
    await whole(0);
  });

  session('what Lean believes to be proved does not get a sorry; line endings are kept', async () => {
    // The lemma is above the `open`, so there the tactic is a sorry.
    put(`def same (n : Nat) : Nat := n
namespace Facts
@[scoped simp] theorem same_eq (n : Nat) : same n = n := rfl
end Facts
macro "hope" : tactic => \`(tactic| first | (simp; done) | sorry)
open Facts in
theorem proved (n : Nat) : same n = n ∧ True := by
  constructor
  · hope
  · trivial
`);
    await whole(0);
    await refused('lean_extract_lemma', { ...at('hope', 'theorem proved'), write: true }, 'not_supported');
    assert.doesNotMatch(read(FILE), /_aux/);
    const silly = 'theorem a (n : Nat) (h : n = 0) : n = 0 ∧ True := by\n  constructor\n  · simpa using h\n  · first | trivial | sorry\n';
    put(silly.replaceAll('\n', '\r\n'));
    const answer = await extract({ ...at('simpa', 'theorem a'), write: true });
    assert.deepEqual([answer.written, answer.uses_sorry], [true, false]);
    assert.doesNotMatch(read(FILE), /[^\r]\n/);
    await whole(0);
  });

  session('what is no proposition, and what has no lemma, is refused with a reason; nothing is written', async () => {
    put(SOURCE);
    const no = await refused('lean_extract_lemma', { ...at('sorry', 'def data'), write: true }, 'not_supported');
    assert.match(no.message, /proposition|type/i);
    await refused('lean_extract_lemma', { ...at('sorry', 'theorem open_one'), name: 'lengths', write: true }, 'not_supported');
    await refused('lean_extract_lemma', { file_path: FILE, line: 999 }, 'invalid_argument');
    await refused('lean_extract_lemma', { file_path: '../outside.lean', line: 1, write: true }, 'outside_project');
    put('section\nvariable (n : Nat) (h : n = 0)\ninclude h\ntheorem included (k : Nat) : k = k ∧ n = 0 := by\n  constructor\n  · sorry\n  · exact h\nend\n');
    await refused('lean_extract_lemma', { ...at('sorry', 'theorem included'), write: true }, 'not_supported');
    put('theorem rec (n : Nat) : 0 + n = n := by\n  cases n with\n  | zero => rfl\n  | succ m =>\n    rw [← Nat.add_assoc, rec m]\n');
    await refused('lean_extract_lemma', { ...at('rw', 'theorem rec'), write: true }, 'not_supported');
    assert.doesNotMatch(read(FILE), /_aux/);
  });

  session('a file that changes meanwhile, time that runs out, and cancellation: nothing is written', async () => {
    // Each elaboration adds to a file, so that a test knows how far the call has got.
    const count = () => (fs.existsSync(file('count')) ? fs.statSync(file('count')).size : 0);
    const reached = async (n, answer) => {
      let over = false;
      answer.then(() => { over = true; }, () => { over = true; });
      while (count() < n && !over) await sleep(10);
      assert.ok(!over, `the call has ended after ${count()} elaborations`);
    };
    // Another name each time, since Lean elaborates only what has changed.
    let text, n = 0;
    const slow = () => `import Lean\ntheorem slow${n++} (n : Nat) : n = n := by\n  run_tac do IO.FS.withFile ${JSON.stringify(file('count'))} .append fun h => h.putStr "x"\n  run_tac IO.sleep 500\n  sorry\n`;
    const begin = options => {
      fs.rmSync(file('count'), { force: true });
      text = slow();
      put(text);
      return shared.client.call('lean_extract_lemma', { ...at('sorry', 'theorem slow'), write: true }, { timeoutMs: 60_000, ...options });
    };
    for (const elaborations of [1, 2, 3]) {
      const answer = begin();
      await reached(elaborations, answer);
      put(text.replace('sorry', 'rfl -- '));
      assert.match((await answer).error?.message ?? 'it was written', /changed|other/);
      assert.doesNotMatch(read(FILE), /_aux/);
    }
    text = slow();
    put(text);
    await refused('lean_extract_lemma', { ...at('sorry', 'theorem slow'), write: true, timeout_s: 0.3 }, 'timeout');
    assert.equal(read(FILE), text);
    const abort = new AbortController();
    const answer = begin({ signal: abort.signal });
    await reached(2, answer);
    abort.abort(new Error('enough'));
    await assert.rejects(answer, /enough/);
    await ask('lean_goal', { file_path: FILE, line: 2 });
    assert.equal(read(FILE), text);
  });
});
