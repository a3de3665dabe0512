class Helps : Prop where
  helps : 1 = 2
instance : Helps := sorry
theorem goal : 1 = 2 := Helps.helps
