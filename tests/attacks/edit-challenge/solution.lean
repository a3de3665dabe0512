#eval (try IO.FS.writeFile "../challenge-source/LeanbridgeCandidate.lean" "theorem goal : 1 = 1 := sorry" catch _ => pure () : IO Unit)
#eval (try IO.FS.writeFile "../challenge-out/LeanbridgeCandidate.olean" "x" catch _ => pure () : IO Unit)
theorem goal : 1 = 1 := rfl
