def deep : Nat := 3
def limit : Nat := deep
theorem goal : limit = 3 := rfl
