import Defs
def small._val : Nat := 2
theorem goal : big._val = 3 := rfl
