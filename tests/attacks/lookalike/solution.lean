theorem gοal : 1 = 1 := rfl
