theorem goal.{v, u} (α : Sort u) (β : Sort v) (a : α) (b : β) : a = a ∧ b = b := ⟨rfl, rfl⟩
