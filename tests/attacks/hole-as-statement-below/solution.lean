def even (k : Nat) : Prop := ∃ l : Nat, Nat.add l l = k
def answer (n : Nat) : Prop := even n
theorem goal (n : Nat) : (∃ m : Nat, Nat.add m m = n) ↔ answer n := ⟨fun h => h, fun h => h⟩
