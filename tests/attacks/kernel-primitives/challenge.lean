theorem goal (p : Prop) : p := sorry
