import Defs
theorem goal (n : Nat) : f.match_1 n = 3 := sorry
