import Defs
def small._val : Nat := 2
theorem goal : small._val = 3 := sorry
