theorem goal.disproof : ¬ ∀ (p : Prop), p := fun h => h False
