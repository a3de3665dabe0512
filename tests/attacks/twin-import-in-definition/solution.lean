import Defs
noncomputable def limit : Nat := Config.big._default
theorem goal : limit = 3 := rfl
