theorem goal.{u} (α : Sort u) : ∃ a : α, a = a := sorry
