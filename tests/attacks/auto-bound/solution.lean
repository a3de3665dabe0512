set_option relaxedAutoImplicit true
set_option autoImplicit true
theorem goal (h : top = 4) (g : top = 5) : top = 5 := g
