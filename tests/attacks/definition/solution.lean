def limit : Nat := 3
theorem goal : limit = 3 := rfl
