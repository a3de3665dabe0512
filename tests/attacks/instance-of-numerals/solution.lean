instance (priority := 5000) two : OfNat Nat 2 := ⟨1⟩
theorem goal : (1 : Nat) = (2 : Nat) := rfl
