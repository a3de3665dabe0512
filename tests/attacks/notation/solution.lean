local infix:50 (priority := high) " = " => fun (_ _ : Nat) => True
theorem goal : 1 = 2 := trivial
