abbrev goal : 1 = 1 := rfl
