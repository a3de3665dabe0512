import Scratch.Other
theorem goal : limit = 3 := rfl
