import Lean
open Lean IO PrettyPrinter.Delaborator

def mark : Nat := 1
@[delab app.mark] def shown : Delab := do
  let type := mkApp3 (mkConst ``Eq [levelOne]) (mkConst ``Nat) (← Meta.mkNumeral (mkConst ``Nat) 1) (← Meta.mkNumeral (mkConst ``Nat) 2)
  let info := ConstantInfo.thmInfo { name := `goal, levelParams := [], type, value := mkConst ``True.intro }
  saveModuleData "LeanbridgeCandidate.olean" `LeanbridgeCandidate { isModule := false, imports := (← getEnv).imports, constNames := #[`goal], constants := #[info], extraConstNames := #[], entries := #[] }
  Process.exit 0
#check (mark)
theorem goal : (1 : Nat) = (2 : Nat) := rfl
