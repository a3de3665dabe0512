axiom number : Nat
noncomputable def answer : Nat := number
theorem goal : answer = answer := rfl
