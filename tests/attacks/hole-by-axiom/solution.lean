axiom answer : Nat
axiom so : answer = 38
theorem goal (p : Nat → Prop) (h : p 38) : p answer := so ▸ h
