def answer.{u, v} : Type u := (fun (_ : Type v) => PUnit.{u + 1}) PUnit.{v + 1}
theorem goal.{u} (p : Type u → Prop) (h : ∀ t, p t) : p answer.{u, 0} := h _
