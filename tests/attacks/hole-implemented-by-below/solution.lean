def other : Nat := 0
@[implemented_by other] def deep : Nat := 38
def answer : Nat := deep
theorem goal (p : Nat → Prop) (h : p 38) : p answer := h
