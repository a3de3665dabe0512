import Defs
theorem goal : small._val = 3 := sorry
