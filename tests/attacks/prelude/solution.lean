prelude
universe u
inductive Eq {α : Sort u} : α → α → Prop where
  | refl (a : α) : Eq a a
inductive Nat where | zero
theorem goal : (a b : Nat) → Eq a b := fun a b => a.rec (b.rec (Eq.refl _))
