def Deep : Prop := ∀ p : Prop, p
noncomputable def answer : Prop := sorry
theorem goal : Deep ↔ answer := sorry
