theorem goal : ("a\" ∧ 1 = 1 ∧ \"b" : String) = "a" := sorry
