prelude
set_option autoImplicit false
set_option genInjectivity false
set_option genSizeOf false
set_option genCtorIdx false
inductive Eq.{u} {α : Sort u} : α → α → Prop where
  | refl (a : α) : Eq a a
set_option bootstrap.inductiveCheckResultingUniverse false in
inductive PUnit.{u} : Sort u where | unit : PUnit
inductive True : Prop where | intro : True
inductive Nat where | zero | succ (n : Nat)
def Nat.add (a b : Nat) : Nat := Nat.zero
theorem wrong (a b : Nat) : Eq (Nat.add a b) Nat.zero := Eq.refl _
theorem computed : Eq (Nat.add (nat_lit 1) (nat_lit 1)) (nat_lit 2) := Eq.refl _
theorem goal (p : Prop) : p :=
  have two : Eq (nat_lit 2) Nat.zero := computed.rec (motive := fun n _ => Eq n Nat.zero) (wrong _ _)
  have no : (n : Nat) → Eq n Nat.zero → Nat.rec (motive := fun _ => Prop) True (fun _ _ => p) n := fun n h => h.rec sorry
  no (nat_lit 2) two
