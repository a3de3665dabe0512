import Dep
theorem goal : limit = 3 := sorry
