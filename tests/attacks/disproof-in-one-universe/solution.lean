theorem goal.disproof : ¬ ∀ (α : Prop), ∃ a : α, a = a := fun h => match h False with | ⟨a, _⟩ => a
