import Defs
def g.match_1 (_ : Nat) : Nat := 3
theorem goal (n : Nat) : g.match_1 n = 3 := rfl
