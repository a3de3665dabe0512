structure Pair where
  left : Unit
theorem goal (p q : Pair) : p = q := by cases p; cases q; rfl
