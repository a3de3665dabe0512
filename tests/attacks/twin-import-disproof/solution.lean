import Defs
theorem goal.disproof : ¬ g.match_1 := fun h => h
