private axiom cheat : 1 = 2
theorem goal : 1 = 2 := cheat
