theorem goal : (a b : Nat) → a = b := sorry
