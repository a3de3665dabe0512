import Init.Prelude
theorem goal : 1 = 1 := rfl
