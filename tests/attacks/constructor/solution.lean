inductive Colour where | red
theorem goal : (c : Colour) → c = Colour.red
  | .red => rfl
