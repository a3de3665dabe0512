import LeanbridgeCandidate
theorem goal : limit = 3 := rfl
