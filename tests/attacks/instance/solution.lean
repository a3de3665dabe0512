structure P where
  x : Nat
instance addP : Add P := ⟨fun _ _ => ⟨3⟩⟩
theorem goal : (P.mk 1 + P.mk 1).x = 3 := rfl
