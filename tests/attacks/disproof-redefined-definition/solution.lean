def limit : Prop := False
theorem goal.disproof : ¬ limit := fun h => h
