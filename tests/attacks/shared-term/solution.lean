import Lean
open Lean Elab Command

run_cmd liftTermElabM do
  let mut type := mkConst ``True
  for _ in [0 : 500] do type := mkApp2 (mkConst ``And) type type
  let info := ConstantInfo.thmInfo { name := `goal, levelParams := [], type, value := mkConst ``True.intro }
  let data : ModuleData := { isModule := false, imports := (← getEnv).imports, constNames := #[`goal], constants := #[info], extraConstNames := #[], entries := #[] }
  saveModuleData "LeanbridgeCandidate.olean" `LeanbridgeCandidate data
  (IO.Process.exit 0 : IO Unit)
