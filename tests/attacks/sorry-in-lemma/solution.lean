theorem helper : 1 = 2 := sorry
theorem goal : 1 = 2 := helper
