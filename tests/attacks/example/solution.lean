example : 1 = 1 := rfl
