theorem goal : (a b : Nat) → Eq a b := sorry
