theorem goal : @HAdd.hAdd Nat Nat Nat ⟨fun a b => Nat.mul a b⟩ 2 3 = 6 := sorry
