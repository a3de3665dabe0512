theorem goal : 1 = 2 ∨ True := Or.inr trivial
