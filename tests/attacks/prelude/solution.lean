prelude
universe u
inductive Eq {α : Sort u} : α → α → Prop where
  | refl (a : α) : Eq a a
def Nat : Prop := (p : Prop) → p → p
theorem goal : (a b : Nat) → Eq a b := fun a _ => Eq.refl a
