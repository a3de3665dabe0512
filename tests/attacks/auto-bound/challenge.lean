def top : Nat := 3
theorem goal (h : top = 4) : top = 5 := sorry
