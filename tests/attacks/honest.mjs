// Honest proofs: challenges, and solutions with what honest people change: proofs, names of bound variables, helpers, order, sections, comments,
// options, imports. None may be refused.

/** `above` is declared first; `$x`, `$y`, `$z` are bound variables whose names differ between challenge and solution. */
const STATEMENTS = [
  { name: 'refl', statement: '($x : Nat) : $x = $x', proofs: ['rfl', 'by rfl', 'Eq.refl $x', 'by exact rfl', 'by\n  have h : $x = $x := rfl\n  exact h'] },
  { name: 'add_zero', statement: '($x : Nat) : $x + 0 = $x', proofs: ['rfl', 'by rfl', 'Eq.refl _'] },
  { name: 'add_comm', statement: '($x $y : Nat) : Nat.add $x $y = Nat.add $y $x', proofs: ['Nat.add_comm $x $y', 'by exact Nat.add_comm _ _', 'helper $x $y'], helper: 'theorem helper (n m : Nat) : Nat.add n m = Nat.add m n := Nat.add_comm n m' },
  { name: 'and_swap', statement: '($x $y : Prop) (h : $x ∧ $y) : $y ∧ $x', proofs: ['⟨h.2, h.1⟩', 'And.intro h.right h.left', 'by exact ⟨h.right, h.left⟩', 'helper h'], helper: 'private theorem helper {p q : Prop} (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩' },
  { name: 'or_swap', statement: '($x $y : Prop) (h : $x ∨ $y) : $y ∨ $x', proofs: ['match h with | .inl a => Or.inr a | .inr b => Or.inl b', 'h.rec (fun a => Or.inr a) (fun b => Or.inl b)'] },
  { name: 'triple_not', statement: '($x : Prop) (h : ¬¬¬$x) : ¬$x', proofs: ['fun a => h (fun g => g a)', 'by\n  intro a\n  exact h (fun g => g a)'] },
  { name: 'symm', statement: '{$x : Type} ($y $z : $x) (h : $y = $z) : $z = $y', proofs: ['h.symm', 'Eq.symm h', 'by exact h.symm', 'h ▸ rfl'] },
  { name: 'trans', statement: '{α : Type} ($x $y $z : α) (h : $x = $y) (g : $y = $z) : $x = $z', proofs: ['h.trans g', 'Eq.trans h g', 'by exact Eq.trans h g'] },
  { name: 'congr_arg', statement: '(f : Nat → Nat) ($x $y : Nat) (h : $x = $y) : f $x = f $y', proofs: ['congrArg f h', 'by exact congrArg f h', 'h ▸ rfl'] },
  { name: 'prop_ext', statement: '($x $y : Prop) (h : $x ↔ $y) : $x = $y', proofs: ['propext h', 'by exact propext h', 'propext ⟨h.mp, h.mpr⟩'] },
  { name: 'some_number', statement: ': ∃ $x : Nat, $x = 3', proofs: ['⟨3, rfl⟩', 'Exists.intro 3 rfl', 'by exact ⟨3, rfl⟩'] },
  { name: 'universes', levels: ['u', 'v'], statement: '(α : Type $u) (β : Type $v) ($x : α) : $x = $x', proofs: ['rfl', 'by rfl', 'Eq.refl _'] },
  { name: 'double_two', above: 'def double (n : Nat) : Nat := n + n', statement: ': double 2 = 4', proofs: ['rfl', 'by rfl', 'Eq.refl 4'] },
  { name: 'double_eq', above: 'def double (n : Nat) : Nat := n + n', statement: '($x : Nat) : double $x = $x + $x', proofs: ['rfl', 'by rfl'] },
  { name: 'colours', above: 'inductive Colour where | red | green', statement: '($x : Colour) : $x = Colour.red ∨ $x = Colour.green', proofs: ['match $x with | .red => Or.inl rfl | .green => Or.inr rfl', '$x.rec (Or.inl rfl) (Or.inr rfl)'] },
  { name: 'shapes', above: 'inductive Shape where | circle (radius : Nat) | square (side : Nat)', statement: '($x : Shape) : (∃ size, $x = Shape.circle size) ∨ (∃ size, $x = Shape.square size)', proofs: ['match $x with | .circle size => Or.inl ⟨size, rfl⟩ | .square size => Or.inr ⟨size, rfl⟩', '$x.rec (fun size => Or.inl ⟨size, rfl⟩) (fun size => Or.inr ⟨size, rfl⟩)'] },
  { name: 'pair_eta', above: 'structure Pair where\n  left : Nat\n  right : Nat', statement: '($x : Pair) : Pair.mk $x.left $x.right = $x', proofs: ['rfl', 'by rfl', 'Eq.refl _'] },
  { name: 'before_succ', above: 'def before : Nat → Nat\n  | .zero => .zero\n  | .succ n => n', statement: '($x : Nat) : before (.succ $x) = $x', proofs: ['rfl', 'by rfl'] },
  { name: 'sum_of_points', above: 'structure Point where\n  x : Nat\n  y : Nat\ninstance addPoint : Add Point := ⟨fun a b => ⟨a.x + b.x, a.y⟩⟩', statement: '($x $y : Point) : ($x + $y).x = $x.x + $y.x', proofs: ['rfl', 'by rfl'] },
];

const NAMES = { challenge: { x: 'n', y: 'm', z: 'k', u: 'u', v: 'v' }, solution: { x: 'first', y: 'second', z: 'third', u: 'v₁', v: 'v₂' } };
const named = (text, names) => text.replace(/\$([xyzuv])/g, (_, letter) => names[letter]);

/** What a solution does besides proving. */
const HABITS = [
  { },
  { rename: true },
  { before: 'set_option maxHeartbeats 400000\nset_option autoImplicit false' },
  { before: '/-! Solved. -/\n-- with care' },
  { before: 'theorem unrelated : True := trivial\ndef unused : Nat := 5' },
  { before: 'section\nvariable (unused : Nat)', after: 'end' },
  { reorder: true },
  { rename: true, reorder: true, before: 'open Nat' },
  // Lean then takes the matcher of this function for others, too: `other.match_1` in place of `before.match_1`.
  { before: 'def other : Nat → Nat\n  | .zero => .succ .zero\n  | .succ n => .succ (.succ n)' },
];

function declaration({ name, levels, statement }, proof, names) {
  const universes = levels ? `.{${levels.map(level => names[level])}}` : '';
  return `theorem ${name}${universes} ${named(statement, names)} := ${named(proof, names)}`;
}

/** [{name, challenge, solution, theorems}]: pairs of files with several theorems each; `index` chooses proofs and habits. */
export function pairs() {
  const all = [];
  for (const [index, habit] of [...HABITS, ...HABITS].entries()) {
    const names = habit.rename ? NAMES.solution : NAMES.challenge;
    const chosen = STATEMENTS.filter((one, at) => (at + index) % 4 !== 0);
    const above = [...new Set(chosen.map(one => one.above).filter(Boolean))];
    const proofs = chosen.map((one, at) => ({ ...one, proof: one.proofs[(index + at) % one.proofs.length] }));
    const helpers = [...new Set(proofs.filter(one => one.proof.startsWith('helper')).map((one, at) => one.helper.replaceAll('helper', `helper${at}`)))];
    let used = 0;
    const solved = proofs.map(one => declaration(one, one.proof.startsWith('helper') ? one.proof.replace('helper', `helper${used++}`) : one.proof, names));
    if (habit.reorder) solved.reverse();
    const challenge = [...above, ...chosen.map(one => declaration(one, 'sorry', NAMES.challenge))].join('\n\n');
    const solution = [habit.before, ...(habit.reorder ? above.toReversed() : above), ...helpers, ...solved, habit.after].filter(Boolean).join('\n\n');
    all.push({ name: `honest-${index}`, challenge: `${challenge}\n`, solution: `${solution}\n`, theorems: chosen.map(one => one.name) });
  }
  return all;
}
