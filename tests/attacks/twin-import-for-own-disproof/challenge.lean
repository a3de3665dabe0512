import Defs
def small.eq_1 : Prop := True
theorem goal : small.eq_1 := sorry
