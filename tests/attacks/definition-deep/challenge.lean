def deep : Nat := 2
def limit : Nat := deep
theorem goal : limit = 3 := sorry
