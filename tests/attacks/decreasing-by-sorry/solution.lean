theorem loop (n : Nat) : n = n + 1 := loop n
termination_by n
decreasing_by sorry
theorem goal : 1 = 2 := loop 1
