namespace Nat.Internal
axiom cheat : 1 = 2
end Nat.Internal
theorem goal : 1 = 2 := Nat.Internal.cheat
