axiom cheat : False
theorem goal : 1 = 2 := cheat.elim
