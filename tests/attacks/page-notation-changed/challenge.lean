theorem goal : (@HAdd.hAdd Nat Nat Nat _ 2 3 : Nat) = 5 := sorry
macro_rules | `($a + $b) => `(Nat.mul $a $b)
