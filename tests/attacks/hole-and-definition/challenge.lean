def limit : Nat := 37
noncomputable def answer : Nat := sorry
theorem goal (p : Nat → Nat → Prop) (h : ∀ n, p n n) : p limit answer := sorry
