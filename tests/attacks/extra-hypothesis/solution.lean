theorem goal (h : 1 = 2) : 1 = 2 := h
