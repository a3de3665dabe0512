noncomputable def answer : Nat := sorry
theorem goal (p : Nat → Prop) (h : p 38) : p answer := sorry
