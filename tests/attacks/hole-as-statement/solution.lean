def Deep : Prop := ∀ p : Prop, p
def answer : Prop := Deep
theorem goal : Deep ↔ answer := ⟨fun h => h, fun h => h⟩
