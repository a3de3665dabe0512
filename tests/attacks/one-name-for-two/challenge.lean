def A.limit : Nat := 2
def «A.limit» : Nat := 3
theorem goal : A.limit = 3 := sorry
