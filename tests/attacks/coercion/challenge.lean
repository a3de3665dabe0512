structure Size where
  n : Nat
instance : Coe Size Nat := ⟨Size.n⟩
theorem goal (s : Size) : (s : Nat) = 0 := sorry
