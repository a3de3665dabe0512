axiom goal : 1 = 2
