structure Size where
  n : Nat
instance : Coe Size Nat := ⟨fun _ => 0⟩
theorem goal (s : Size) : (s : Nat) = 0 := rfl
