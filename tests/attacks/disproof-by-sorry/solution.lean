theorem goal.disproof : ¬ ∀ (p : Nat → Prop), p 0 := sorry
