import Scratch.Defs
theorem goal : limit = 2 := sorry
