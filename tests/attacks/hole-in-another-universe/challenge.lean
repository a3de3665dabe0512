noncomputable def answer.{u} : Type u := sorry
theorem goal.{u} (p : Type u → Prop) (h : ∀ t, p t) : p answer.{u} := sorry
