import Lean
theorem goal : (1 : Nat) = (2 : Nat) := sorry
open Lean Elab Command

run_cmd liftTermElabM do
  let type := mkApp3 (mkConst ``Eq [levelOne]) (mkConst ``Nat) (← Meta.mkNumeral (mkConst ``Nat) 1) (← Meta.mkNumeral (mkConst ``Nat) 2)
  let info := ConstantInfo.thmInfo { name := `goal, levelParams := [], type, value := mkConst ``True.intro }
  let data : ModuleData := { isModule := false, imports := (← getEnv).imports, constNames := #[`goal], constants := #[info], extraConstNames := #[], entries := #[] }
  for part in ["server", "private"] do
    saveModuleData s!"LeanbridgeCandidate.olean.{part}" `LeanbridgeCandidate data
