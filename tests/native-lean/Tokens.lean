import Lean
/-! Prints how Lean reads texts: for each of those in the file, after a line with their number of bytes, a line with the byte where its
first error is (or `-`), and `KIND:BEGIN:END` for all that it has parsed. KIND is `c` for a command, `i` for an identifier, `s` for a
literal, `h` for a part of an interpolated string, `a` for any other token. Nothing is elaborated. -/
open Lean Parser Elab Command

namespace Tokens

partial def leaves (kind : SyntaxNodeKind) (stx : Syntax) (found : Array String) : Array String :=
  match stx with
  | .atom (.original _ first _ last) _ =>
    let letter := if kind == interpolatedStrLitKind then "h" else if kind == strLitKind || kind == charLitKind then "s" else "a"
    found.push s!"{letter}:{first.byteIdx}:{last.byteIdx}"
  | .ident (.original _ first _ last) .. => found.push s!"i:{first.byteIdx}:{last.byteIdx}"
  | .node _ kind children => children.foldl (fun found child => leaves kind child found) found
  | _ => found

def read (env : Environment) (options : Options) (text : String) : String := Id.run do
  let input := mkInputContext text "text"
  let mut state : ModuleParserState := {}
  let mut found : Array String := #[]
  let mut error := "-"
  for _ in [0:text.length + 1] do
    let (stx, next, messages) := parseCommand input { env, options } state {}
    for message in messages.toList do
      if error == "-" then error := toString (input.fileMap.ofPosition message.pos).byteIdx
    state := next
    if let some first := stx.getPos? then found := found.push s!"c:{first.byteIdx}:{first.byteIdx}"
    found := leaves .anonymous stx found
    if isTerminalCommand stx then break
  return s!"{error} {" ".intercalate found.toList}"

run_cmd do
  let bytes ← IO.FS.readBinFile "texts"
  let (env, options) := (← getEnv, ← getOptions)
  let mut at' := 0
  let mut lines : Array String := #[]
  while at' < bytes.size do
    let mut size := 0
    while bytes[at']! != 10 do
      size := size * 10 + (bytes[at']!.toNat - 48)
      at' := at' + 1
    let text := String.fromUTF8! (bytes.extract (at' + 1) (at' + 1 + size))
    at' := at' + 1 + size
    lines := lines.push (read env options text)
  IO.FS.writeFile "read" ("\n".intercalate lines.toList ++ "\n")

end Tokens
