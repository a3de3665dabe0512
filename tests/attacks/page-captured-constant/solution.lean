def limit : Nat := 5
theorem goal (limit : Nat) (h : limit = 5) : _root_.limit = 5 := sorry
