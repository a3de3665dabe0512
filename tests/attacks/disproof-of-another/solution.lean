theorem goal.disproof : ¬ ∀ (p : Nat → Prop), p 1 := fun h => h (fun _ => False)
