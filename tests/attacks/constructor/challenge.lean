inductive Colour where | red | blue
theorem goal : (c : Colour) → c = Colour.red := sorry
