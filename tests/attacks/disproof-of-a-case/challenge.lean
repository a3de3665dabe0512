theorem goal (p : Prop) (h : p) : p := sorry
