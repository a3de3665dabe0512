def small._val : Nat := 2
def big._val : Nat := 3
theorem goal : big._val = 3 := rfl
