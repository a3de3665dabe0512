class Helps : Prop where
  helps : 1 = 2
theorem goal [Helps] : 1 = 2 := Helps.helps
