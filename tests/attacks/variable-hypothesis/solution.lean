variable (h : 1 = 2)
include h
theorem goal : 1 = 2 := h
