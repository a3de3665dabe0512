structure Pair where
  left : Unit
theorem goal (p q : Pair) : p = q := rfl
