theorem goal (p : Nat → Prop) : p 0 := sorry
theorem other : 1 = 1 := sorry
