unsafe def answer : Nat := 38
theorem goal (p : Nat → Prop) (h : p 38) : p 38 := h
