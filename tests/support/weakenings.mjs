// A challenge whose statement rests on a little of everything, and seeded edits of what is below it.

export const DEFS = `universe u
def limit : Nat := 12
def small (n : Nat) : Prop := n < limit ∧ 0 < n
theorem zero_small : 0 < limit := by decide
structure Point where
  x : Nat
  y : Nat
  below : x < 40
  apart : x = y → False
class Weighed (α : Type u) where
  weight : α → Nat
instance byTwo : Weighed Nat := ⟨fun n => n + 2⟩
def steps : Nat → Nat
  | 0 => 5
  | n + 1 => steps n + 3
inductive Reached : Nat → Prop
  | start : Reached 7
  | next (n : Nat) (before : Reached n) (bound : n < 90) : Reached (n + 1)
notation "far " n:max => 20 < n
def Away (n : Nat) : Prop := far n
def Holder (α : Type u) : Type u := α → α
abbrev Mapped := Holder Nat
def chosen : { n : Nat // n < 60 } := ⟨4, by decide⟩
def both (p q : Prop) : Prop := p ∧ q
`;
export const CHALLENGE = `import Scratch.Defs
theorem helper : 1 < limit := by decide
theorem goal (p : Point) (h : small p.x) (m : Mapped) (r : Reached p.y) : both (Away (steps (m 1))) (Weighed.weight p.x < 80 + chosen.val) := sorry
`;

const NUMBERS = ['limit : Nat := 12', 'x < 40', 'n + 2⟩', '0 => 5', 'steps n + 3', 'Reached 7', 'n < 90', 'Reached (n + 1)', '20 < n', 'n < 60', '⟨4,', '80 + chosen', '(m 1)'];
const WORDS = [
  ['n < limit ∧ 0 < n', 'n < limit ∨ 0 < n'], ['n < limit ∧ 0 < n', 'n < limit'], ['n < limit ∧ 0 < n', 'n ≤ limit ∧ 0 < n'], ['  apart : x = y → False\n', ''], ['  below : x < 40\n', ''],
  ['x = y → False', 'x = y → True'], ['x = y → False', 'y = x → False'], ['(bound : n < 90) ', ''], ['(before : Reached n) ', ''], ['  | start : Reached 7\n', '  | start : Reached 7\n  | more : Reached 1000\n'],
  ['notation "far " n:max => 20 < n', 'notation "far " n:max => 20 ≤ n'], ['p ∧ q\n', 'p ∨ q\n'], ['p ∧ q\n', 'p\n'], ['p ∧ q\n', 'q ∧ p\n'], ['Holder (α : Type u) : Type u', 'Holder (α : Type) : Type'],
  ['(α : Type u) where', '(α : Type) where'], ['def limit : Nat := 12', 'def base : Nat := 12\ndef limit : Nat := base'], ['(h : small p.x) ', ''], ['(r : Reached p.y) ', ''],
  ['(h : small p.x)', '(h : small p.y)'], ['Weighed.weight p.x <', 'Weighed.weight p.x ≤'], ['theorem goal (p : Point)', 'theorem goal {p : Point}'], ['abbrev Mapped := Holder Nat', 'abbrev Mapped := Nat → Nat'],
];
const PROOFS = [
  text => text.replace('0 < limit := by decide', '0 < limit := Nat.lt_of_lt_of_le (by decide : 0 < 1) (by decide)'), text => text.replace('1 < limit := by decide', '1 < limit := of_decide_eq_true rfl'),
  text => text.replace('by decide⟩', 'of_decide_eq_true rfl⟩'), text => text.replace(':= sorry', ':= by sorry'), text => text.replace(':= sorry', ':= by\n  intros\n  exact sorry'),
];

const random = seed => () => { seed = (seed * 1664525 + 1013904223) >>> 0; return seed / 2 ** 32; };
/** Both texts in one, so that an edit finds its place in either. */
const MARK = '-- challenge\n';
const edited = edit => { const [defs, challenge] = edit(DEFS + MARK + CHALLENGE).split(MARK); return { defs, challenge }; };

/** An edit that changes what the statement means: `{what, defs, challenge}`. */
export function weakening(seed) {
  const next = random(seed), pick = list => list[Math.floor(next() * list.length)];
  next();
  if (next() < 0.5) {
    const place = pick(NUMBERS), plus = 1 + Math.floor(next() * 9);
    const put = place.replace(/\d+(?!.*\d)/, digits => Number(digits) + plus);
    return { what: `${place} becomes ${put}`, ...edited(text => text.replace(place, put)) };
  }
  const [from, to] = pick(WORDS);
  return { what: `${from} becomes ${to}`, ...edited(text => text.replace(from, to)) };
}

/** An edit of proofs, comments and of what the statement does not rest on. */
export function proofEdit(seed) {
  const next = random(seed);
  next();
  const edits = PROOFS.filter(() => next() < 0.4);
  if (edits.length === 0) edits.push(PROOFS[Math.floor(next() * PROOFS.length)]);
  return edited(text => edits.reduce((now, edit) => edit(now), text).replace('theorem goal', `theorem more${seed} : ${seed} = ${seed} := rfl -- more\ntheorem goal`));
}
