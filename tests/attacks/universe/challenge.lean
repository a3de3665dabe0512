theorem goal.{u} (α : Type u) (a : α) : a = a := sorry
