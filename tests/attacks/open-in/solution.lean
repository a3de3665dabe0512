def A.x : Nat := 1
def B.x : Nat := 2
open B in
theorem goal : x = 2 := rfl
