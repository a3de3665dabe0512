def limit : Nat := 38
def answer : Nat := 38
theorem goal (p : Nat → Nat → Prop) (h : ∀ n, p n n) : p limit answer := h 38
