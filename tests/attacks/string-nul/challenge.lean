theorem goal : "a\x00b" = "a\x00c" := sorry
