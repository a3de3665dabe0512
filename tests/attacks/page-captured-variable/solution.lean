macro "larger " t:term : term => `(∃ y, y < $t)
theorem goal : ∀ y : Nat, larger y := sorry
