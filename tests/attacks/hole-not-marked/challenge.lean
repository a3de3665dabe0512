def answer : Nat := 30
theorem goal (p : Nat → Prop) (h : p 38) : p answer := sorry
