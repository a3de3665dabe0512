theorem goal (p : Nat → Prop) : p 0 := sorry
