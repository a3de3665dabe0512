def goal : 1 = 1 := rfl
