noncomputable def answer : Nat := sorry
theorem goal : answer = answer := sorry
