// The native Lean with a small Init of its own, whose .olean files are complete.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lean, skip, temporaryFolder } from './support.mjs';

describe('the native Lean with the small library', { skip }, () => {
  test('tactics', () => {
    const { status, output } = lean('small', `
example (p q : Prop) (hp : p) (hq : q) : p ∧ q := by
  constructor
  · exact hp
  · exact hq
example (a b c : Nat) (h : a = b) (h' : b = c) : a = c := by
  rw [h]
  assumption
theorem zero_add' (n : Nat) : 0 + n = n := by
  induction n with
  | zero => rfl
  | succ n ih =>
    show Nat.succ (0 + n) = Nat.succ n
    rw [ih]
example (a b : Nat) (h : a = b) : b = a := by simp [h]
example (p q : Prop) : p ∨ q → q ∨ p := by
  intro h
  rcases h with h | h
  · exact Or.inr h
  · exact Or.inl h
`);
    assert.deepEqual([status, output], [0, '']);
  });

  test('#print axioms tells the truth: none, the standard one, sorry, one\'s own', () => {
    const { output } = lean('small', `
theorem none' (a b : Nat) (h : a = b) : b = a := h.symm
theorem standard (p q : Prop) (h : p ↔ q) : p = q := propext h
theorem bySimp (p : Prop) : (p ∧ p) = p := by simp
theorem unfinished (p : Prop) : p := sorry
axiom mine : False
theorem custom (p : Prop) : p := mine.elim
#print axioms none'
#print axioms standard
#print axioms bySimp
#print axioms unfinished
#print axioms custom
#print axioms Nat.add_comm
`);
    assert.deepEqual(output.split('\n').filter(line => line.startsWith('\'')), [
      '\'none\'\' does not depend on any axioms', '\'standard\' depends on axioms: [propext]', '\'bySimp\' depends on axioms: [propext]',
      '\'unfinished\' depends on axioms: [sorryAx]', '\'custom\' depends on axioms: [mine]', '\'Nat.add_comm\' does not depend on any axioms',
    ]);
  });

  test('proofs are in the .olean, so that an import sees them', () => {
    const folder = temporaryFolder();
    assert.equal(lean('small', 'theorem t (p q : Prop) (h : p ↔ q) : p = q := propext h\n', { folder, name: 'First', options: ['-o', 'First.olean'] }).status, 0);
    assert.equal(lean('small', 'import First\n#print axioms t\n', { folder, name: 'Second' }).output, '\'t\' depends on axioms: [propext]');
  });

  test('exact? finds lemmas; what is open is said', () => {
    assert.match(lean('small', 'example (a b : Nat) (h : a = b) : Exists (fun c => c = b) := by exact?').output, /exact Exists\.intro a h/);
    assert.match(lean('small', 'theorem bad (p q : Prop) (hp : p) : p ∧ q := by\n  refine ⟨hp, ?_⟩').output, /unsolved goals\np q : Prop\nhp : p\n⊢ q/);
  });
});

// What does not work, as the README says. A test that fails here is good news.
describe('limits of the small library', { skip }, () => {
  test('there is no Lean, no Std, no Int', () => {
    assert.match(lean('small', 'import Lean').output, /unknown module prefix 'Lean'|does not exist/);
    assert.match(lean('small', '#check Int').output, /Unknown identifier `Int`/);
  });
});
