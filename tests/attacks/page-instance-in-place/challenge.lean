def answer : Nat := sorry
theorem goal : answer < 50 := sorry
