partial def forever (n : Nat) : IO Unit := do
  IO.sleep 100
  forever (n + 1)
#eval forever 0
theorem goal : 1 = 2 := rfl
