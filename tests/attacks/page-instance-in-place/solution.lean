def answer : Nat := @OfNat.ofNat Nat 5 ⟨37⟩
theorem goal : answer < 50 := by decide
