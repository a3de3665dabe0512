variable (n m : Nat)
theorem goal : n = m := sorry
