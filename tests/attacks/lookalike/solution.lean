theorem gоal : 1 = 1 := rfl
