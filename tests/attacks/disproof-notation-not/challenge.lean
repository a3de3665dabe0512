theorem goal : True := sorry
