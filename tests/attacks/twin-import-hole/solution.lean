import Defs
noncomputable def answer : Nat := 4
theorem goal : answer = big._val + 1 := rfl
