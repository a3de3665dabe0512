structure P where
  x : Nat
instance addP : Add P := ⟨fun a b => ⟨a.x + b.x⟩⟩
theorem goal : (P.mk 1 + P.mk 1).x = 3 := sorry
