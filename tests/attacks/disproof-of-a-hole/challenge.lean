noncomputable def answer : Prop := sorry
theorem goal : answer := sorry
