partial def forever (n : Nat) : IO Unit := forever (n + 1)
#eval forever 0
theorem goal : 1 = 2 := rfl
