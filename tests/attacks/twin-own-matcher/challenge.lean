def f.match_1 (n : Nat) : Nat := n
def f.match_2 (_ : Nat) : Nat := 3
theorem goal (n : Nat) : f.match_1 n = 3 := sorry
