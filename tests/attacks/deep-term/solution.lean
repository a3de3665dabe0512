import Lean
open Lean Elab Command

run_cmd liftTermElabM do
  let step (value : Expr) := mkApp2 (mkConst ``id [levelZero]) (mkConst ``True) value
  let value := Nat.repeat step 300000 (mkConst ``True.intro)
  let info := ConstantInfo.thmInfo { name := `goal, levelParams := [], type := mkConst ``True, value }
  let data : ModuleData := { isModule := false, imports := (← getEnv).imports, constNames := #[`goal], constants := #[info], extraConstNames := #[], entries := #[] }
  saveModuleData "LeanbridgeCandidate.olean" `LeanbridgeCandidate data
  (IO.Process.exit 0 : IO Unit)
