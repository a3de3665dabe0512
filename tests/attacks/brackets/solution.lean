theorem goal {n : Nat} : n = n := rfl
