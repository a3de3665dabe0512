theorem goal : (1 : Nat) + (1 : Nat) = (3 : Nat) := sorry
