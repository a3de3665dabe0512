theorem goal : Nat.succ Nat.zero = (nat_lit 1) := rfl
