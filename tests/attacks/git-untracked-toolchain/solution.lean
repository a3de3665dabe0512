import Defs
theorem goal : limit = 3 := rfl
