variable (n m : Unit)
theorem goal : n = m := rfl
