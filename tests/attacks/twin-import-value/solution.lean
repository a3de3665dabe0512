import Defs
theorem goal : big._val = 3 := rfl
