/-
Lean's own kernel as a checker, for toolchains without leanchecker, such as those of the tests:

    leanbridge certify … --kernel ".../bin/lean --run Replay.lean"

For each module it reads the parts of the `.olean`, imports what they import, and has the kernel check every declaration again.
-/
import Lean.Replay
open Lean

def partsOf (module : Name) : IO (Array System.FilePath) := do
  let file ← findOLean module
  let mut files := #[file]
  for extension in ["server", "private"] do
    let part := file.addExtension extension
    if ← part.pathExists then files := files.push part
  return files

def replay (module : Name) : IO Nat := do
  let parts ← readModuleDataParts (← partsOf module)
  let some (first, _) := parts[0]? | throw <| IO.userError s!"{module} is empty"
  let imported ← importModules first.imports Options.empty 0
  let mut constants : Std.HashMap Name ConstantInfo := {}
  for (part, _) in parts do   -- later parts hold more of the same declarations
    for name in part.constNames, constant in part.constants do
      if name != constant.name then throw <| IO.userError s!"{module} lists {constant.name} as {name}"
      constants := constants.insert name constant
  discard <| imported.replay constants
  return constants.size

def main (modules : List String) : IO UInt32 := do
  let some sysroot ← IO.getEnv "LEAN_SYSROOT" | throw <| IO.userError "LEAN_SYSROOT is not set"
  let path := System.SearchPath.parse ((← IO.getEnv "LEAN_PATH").getD "")
  searchPathRef.set (path ++ [System.FilePath.mk sysroot / "lib" / "lean"])
  for module in modules do
    IO.println s!"{module}: {← replay module.toName} declarations"
  return 0
