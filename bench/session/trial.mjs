// Seventeen lost theorems in four files, and what models did to prove them: bench/measures/trial.mjs plays it.

/** The files, proved. */
export const PROVED = {
  'Bench/Rope.lean': `inductive Rope (α : Type) where
  | leaf (xs : List α)
  | node (l r : Rope α)
  deriving Repr

namespace Rope

def length : Rope α → Nat
  | leaf xs => xs.length
  | node l r => l.length + r.length

def toList : Rope α → List α
  | leaf xs => xs
  | node l r => l.toList ++ r.toList

def map (f : α → β) : Rope α → Rope β
  | leaf xs => leaf (xs.map f)
  | node l r => node (l.map f) (r.map f)

def reverse : Rope α → Rope α
  | leaf xs => leaf xs.reverse
  | node l r => node r.reverse l.reverse

theorem length_toList (t : Rope α) : t.toList.length = t.length := by
  induction t with
  | leaf xs => rfl
  | node l r ihl ihr => simp [toList, length, ihl, ihr]

theorem toList_map (f : α → β) (t : Rope α) : (t.map f).toList = t.toList.map f := by
  induction t with
  | leaf xs => rfl
  | node l r ihl ihr => simp [toList, map, ihl, ihr]

theorem toList_reverse (t : Rope α) : t.reverse.toList = t.toList.reverse := by
  induction t with
  | leaf xs => rfl
  | node l r ihl ihr => simp [toList, reverse, ihl, ihr]

theorem length_reverse (t : Rope α) : t.reverse.length = t.length := by
  rw [← length_toList, toList_reverse, List.length_reverse, length_toList]

end Rope
`,
  'Bench/Expr.lean': `inductive Expr where
  | num (n : Nat)
  | var (i : Nat)
  | add (a b : Expr)
  | mul (a b : Expr)
  deriving Repr, DecidableEq

namespace Expr

def eval (env : Nat → Nat) : Expr → Nat
  | num n => n
  | var i => env i
  | add a b => a.eval env + b.eval env
  | mul a b => a.eval env * b.eval env

def size : Expr → Nat
  | num _ | var _ => 1
  | add a b | mul a b => a.size + b.size + 1

def swap : Expr → Expr
  | num n => num n
  | var i => var i
  | add a b => add b.swap a.swap
  | mul a b => mul b.swap a.swap

def plus : Expr → Expr → Expr
  | num m, num n => num (m + n)
  | a, b => add a b

def fold : Expr → Expr
  | num n => num n
  | var i => var i
  | add a b => plus a.fold b.fold
  | mul a b => mul a.fold b.fold

theorem eval_plus (env : Nat → Nat) (a b : Expr) : (plus a b).eval env = a.eval env + b.eval env := by
  unfold plus
  split <;> rfl

theorem eval_fold (env : Nat → Nat) (e : Expr) : e.fold.eval env = e.eval env := by
  induction e with
  | num n => rfl
  | var i => rfl
  | add a b iha ihb => rw [fold, eval_plus, iha, ihb, eval]
  | mul a b iha ihb => simp only [fold, eval, iha, ihb]

theorem eval_swap (env : Nat → Nat) (e : Expr) : e.swap.eval env = e.eval env := by
  induction e with
  | num n => rfl
  | var i => rfl
  | add a b iha ihb => simp only [swap, eval, iha, ihb, Nat.add_comm]
  | mul a b iha ihb => simp only [swap, eval, iha, ihb, Nat.mul_comm]

theorem size_swap (e : Expr) : e.swap.size = e.size := by
  induction e with
  | num n => rfl
  | var i => rfl
  | add a b iha ihb => simp only [swap, size, iha, ihb, Nat.add_comm]
  | mul a b iha ihb => simp only [swap, size, iha, ihb, Nat.add_comm]

theorem size_pos (e : Expr) : 0 < e.size := by
  cases e <;> simp [size]

end Expr
`,
  'Bench/Sort.lean': `namespace Sorting

def put (x : Nat) : List Nat → List Nat
  | [] => [x]
  | y :: ys => if x ≤ y then x :: y :: ys else y :: put x ys

def sort : List Nat → List Nat
  | [] => []
  | x :: xs => put x (sort xs)

inductive Sorted : List Nat → Prop where
  | nil : Sorted []
  | one (x : Nat) : Sorted [x]
  | cons (x y : Nat) (ys : List Nat) : x ≤ y → Sorted (y :: ys) → Sorted (x :: y :: ys)

theorem length_put (x : Nat) (xs : List Nat) : (put x xs).length = xs.length + 1 := by
  induction xs with
  | nil => rfl
  | cons y ys ih =>
    unfold put
    split
    · rfl
    · simp [ih]

theorem length_sort (xs : List Nat) : (sort xs).length = xs.length := by
  induction xs with
  | nil => rfl
  | cons x xs ih => simp [sort, length_put, ih]

theorem mem_put (a x : Nat) (xs : List Nat) : a ∈ put x xs ↔ a = x ∨ a ∈ xs := by
  induction xs with
  | nil => simp [put]
  | cons y ys ih =>
    unfold put
    split
    · simp
    · simp [ih, or_left_comm]

theorem sorted_put (x : Nat) (xs : List Nat) (h : Sorted xs) : Sorted (put x xs) := by
  induction h with
  | nil => exact .one x
  | one y =>
    unfold put
    split
    · exact .cons _ _ _ ‹_› (.one y)
    · exact .cons _ _ _ (by omega) (.one x)
  | cons a b ys hab _ ih =>
    unfold put
    split
    · exact .cons _ _ _ ‹_› (.cons _ _ _ hab ‹_›)
    · unfold put at ih ⊢
      split
      · exact .cons _ _ _ (by omega) (by simpa [*] using ih)
      · exact .cons _ _ _ hab (by simpa [*] using ih)

theorem sorted_sort (xs : List Nat) : Sorted (sort xs) := by
  induction xs with
  | nil => exact .nil
  | cons x xs ih => exact sorted_put x _ ih

end Sorting
`,
  'Bench/Queue.lean': `structure Queue (α : Type) where
  front : List α
  back : List α

namespace Queue

def empty : Queue α := ⟨[], []⟩
def push (q : Queue α) (x : α) : Queue α := ⟨q.front, x :: q.back⟩
def toList (q : Queue α) : List α := q.front ++ q.back.reverse
def size (q : Queue α) : Nat := q.front.length + q.back.length

theorem toList_push (q : Queue α) (x : α) : (q.push x).toList = q.toList ++ [x] := by
  simp [push, toList]

theorem size_push (q : Queue α) (x : α) : (q.push x).size = q.size + 1 := by
  simp only [push, size, List.length_cons]
  omega

theorem length_toList (q : Queue α) : q.toList.length = q.size := by
  simp [toList, size]

end Queue
`,
};

/** The theorems of a text, each with the lines of its proof (from 1, both inclusive). */
export function theorems(text) {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const name = /^theorem (\S+)/.exec(line)?.[1];
    if (!name) return [];
    let last = index + 1;
    while (lines[last + 1]) last++;
    return [{ name, first: index + 2, last: last + 1, proof: lines.slice(index + 1, last + 1).join('\n') }];
  });
}

/** A text without its proofs. */
export const lost = text => text.replace(/(^theorem [^\n]*:= by\n)(?:  [^\n]*\n)+/gm, '$1  sorry\n');

/** Snippets as models indent them: the first line behind `by`, the others as in the file. */
export const MISPLACED = [
  ['Bench/Queue.lean', 'size_push', 'simp only [push, size, List.length_cons]\n  omega'],
  ['Bench/Rope.lean', 'length_toList', 'induction t with\n  | leaf xs => rfl\n  | node l r ihl ihr => simp [toList, length, ihl, ihr]'],
  ['Bench/Expr.lean', 'eval_plus', 'unfold plus\n  split <;> rfl'],
];
