def answer : Prop := False
theorem goal.disproof : ¬ answer := fun h => h
