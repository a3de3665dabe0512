theorem easy : 1 = 1 := sorry
theorem goal : 1 = 2 := sorry
