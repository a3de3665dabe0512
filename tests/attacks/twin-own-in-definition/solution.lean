structure Config where
  small : Nat := 2
  big : Nat := 3
noncomputable def limit : Nat := Config.big._default
theorem goal : limit = 3 := rfl
