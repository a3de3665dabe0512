#exit
theorem goal : 1 = 2 := by rfl
