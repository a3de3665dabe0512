def Number : Type := Nat
instance times : HAdd Number Number Number := ⟨Nat.mul⟩
theorem goal (f : Nat → Number) (h : @Eq Nat (f 0) 2) :
    @Eq Nat (@HAdd.hAdd Number Number Number times (2 : Nat) (3 : Nat)) 6 ∧ @HAdd.hAdd Nat Nat Nat instHAdd (f 0) (f 0) = 4 := sorry
