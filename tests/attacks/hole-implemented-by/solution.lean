def other : Nat := 0
@[implemented_by other] def answer : Nat := 38
theorem goal (p : Nat → Prop) (h : p 38) : p answer := h
