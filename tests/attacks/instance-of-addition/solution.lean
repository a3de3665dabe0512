instance (priority := 5000) trivialAdd : HAdd Nat Nat Nat := ⟨fun _ _ => 3⟩
theorem goal : (1 : Nat) + (1 : Nat) = (3 : Nat) := rfl
