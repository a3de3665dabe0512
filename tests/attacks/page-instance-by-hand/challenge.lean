class Less (α : Type) where
  less : α → α → Prop
infix:50 " ≺ " => Less.less
instance up : Less Nat := ⟨(· < ·)⟩
def down : Less Nat := ⟨fun a b => b < a⟩
theorem goal : (@Less.less Nat down 2 1) := sorry
