def answer : Nat × Nat := (38, 0)
theorem goal (p : Nat → Prop) (h : p 38) : p answer.1 := h
