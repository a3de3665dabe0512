noncomputable def answer (n : Nat) : Prop := sorry
theorem goal (n : Nat) : (∃ m : Nat, Nat.add m m = n) ↔ answer n := sorry
