axiom given : 1 = 1
theorem goal : 1 = 2 := sorry
