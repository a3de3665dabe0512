private theorem goal.disproof : ¬ ∀ (p : Nat → Prop), p 0 := fun h => h (fun _ => False)
