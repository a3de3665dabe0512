import Defs
theorem goal : f.match_1 := sorry
