theorem loop (n : Nat) : 1 = 2 := loop (n + 1)
termination_by n
decreasing_by sorry
theorem goal : 1 = 2 := loop 0
