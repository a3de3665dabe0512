def small._val : Nat := 2
def big._val : Nat := 3
theorem goal : small._val = 3 := sorry
