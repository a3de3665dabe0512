def limit : Nat := 2
theorem goal : limit = 3 := sorry
