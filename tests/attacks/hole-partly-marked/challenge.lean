noncomputable def answer : Nat × Nat := (30, sorry)
theorem goal (p : Nat → Prop) (h : p 38) : p answer.1 := sorry
