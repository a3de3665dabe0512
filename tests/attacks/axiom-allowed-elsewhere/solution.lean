axiom given : 1 = 2
theorem goal : 1 = 2 := given
