unsafe def goal : 1 = 2 := goal
