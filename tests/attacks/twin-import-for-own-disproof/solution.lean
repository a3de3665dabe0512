import Defs
def small.eq_1 : Prop := True
theorem goal.disproof : ¬ big.eq_1 := fun h => h
