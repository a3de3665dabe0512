// What is written unasked changes no statement: each disguise in which an edit can prove something else, and honest edits beside them.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe } from 'node:test';
import { lean } from '../support/leans.mjs';
import { sharedSession, skip } from '../support/session.mjs';

/** Where numerals and names mean something else. */
const EVIL = 'def limit : Nat := 5\n\nnamespace Evil\nscoped instance five : OfNat Nat 5 := ⟨6⟩\nscoped notation "six" => (5 : Nat)\ndef limit : Nat := 6\nend Evil\n\nnotation "six" => (6 : Nat)\n\n';
const HOLDS = 'class Holds (p : Prop) : Prop where\n  out : p\n\n';

/** name: [text of the file, what is replaced in it, by what, what the refusal names]. `goal` is false, or not what it says, after the edit. */
const ATTACKS = {
  // The first := is not the end of the statement.
  'let in a statement': ['theorem goal :\n    let n := 5; n = 6 := by\n  sorry\n', 'n = 6 := by\n  sorry', 'True := by\n  trivial', /goal/],
  'have in a statement': ['theorem goal :\n    have n : Nat := 5; n = 6 := by\n  sorry\n', 'n = 6 := by\n  sorry', 'n = n := by\n  intro n\n  rfl', /goal/],
  'letI in a statement': ['theorem goal : letI : Inhabited Nat := ⟨7⟩; (default : Nat) = 8 := by\n  sorry\n', '8 := by\n  sorry', '7 := by\n  rfl', /goal/],
  'match over lines': ['theorem goal : match 5 with\n    | n => n = 6 := by\n  sorry\n', 'n = 6 := by\n  sorry', 'n = 5 := by\n  rfl', /goal/],
  'a line that begins with a bar': ['notation "|" x "|₀" => Int.natAbs x\ntheorem goal : ∀ x : Int,\n  |x|₀ = 0 := by\n  sorry\n', '|₀ = 0 := by\n  sorry', '|₀ = |x|₀ := by\n  intro x\n  rfl', /goal/],
  'a proof in a statement': ['theorem goal : (let n : Nat := (by exact 5); n) = 6 ∧ let m := 1; m = 1 := by\n  sorry\n', 'let m := 1; m = 1 := by\n  sorry', 'let m := 1; m = 1 ∨ True := by\n  exact ⟨sorry, Or.inr trivial⟩', /goal/, { allow_sorry: true }],
  // Another environment for the same words.
  'open … in': [`${EVIL}theorem goal : (5 : Nat) = 6 := by\n  sorry\n`, 'theorem goal : (5 : Nat) = 6 := by\n  sorry', 'open Evil in\ntheorem goal : (5 : Nat) = 6 := by\n  rfl', /goal/],
  'open … in, on one line': [`${EVIL}theorem goal : (5 : Nat) = 6 := by\n  sorry\n`, 'theorem goal : (5 : Nat) = 6 := by\n  sorry', 'open Evil in theorem goal : (5 : Nat) = 6 := by rfl', /goal/],
  'open scoped … in': [`${EVIL}theorem goal : (5 : Nat) = 6 := by\n  sorry\n`, 'theorem goal : (5 : Nat) = 6 := by\n  sorry', 'open scoped Evil in theorem goal : (5 : Nat) = 6 := by\n  rfl', /goal/],
  'open above': [`${EVIL}theorem goal : (5 : Nat) = 6 := by\n  sorry\n`, 'theorem goal : (5 : Nat) = 6 := by\n  sorry', 'open Evil\ntheorem goal : (5 : Nat) = 6 := by\n  rfl', /goal/],
  'include … in': ['variable (h : (1 : Nat) = 2)\n\ntheorem goal : (1 : Nat) = 2 := by\n  sorry\n', 'theorem goal : (1 : Nat) = 2 := by\n  sorry', 'include h in\ntheorem goal : (1 : Nat) = 2 := by\n  exact h', /goal/],
  'include above': ['variable (h : (1 : Nat) = 2)\n\ntheorem goal : (1 : Nat) = 2 := by\n  sorry\n', 'theorem goal : (1 : Nat) = 2 := by\n  sorry', 'include h\ntheorem goal : (1 : Nat) = 2 := by\n  exact h', /goal/],
  'a variable that is included by itself': [`${HOLDS}theorem goal : (1 : Nat) = 2 := by\n  sorry\n`, 'theorem goal : (1 : Nat) = 2 := by\n  sorry', 'variable [it : Holds ((1 : Nat) = 2)] in\ntheorem goal : (1 : Nat) = 2 := by\n  exact it.out', /goal/],
  'a namespace around, and _root_': [`${EVIL}theorem goal : limit = 6 := by\n  sorry\n`, 'theorem goal : limit = 6 := by\n  sorry', 'namespace Evil\ntheorem _root_.goal : limit = 6 := by\n  rfl\nend Evil', /goal/],
  'a new namespace around, and _root_': ['def limit : Nat := 5\ntheorem goal : limit = 6 := by\n  sorry\n', 'theorem goal : limit = 6 := by\n  sorry', 'namespace Alt\ndef limit : Nat := 6\ntheorem _root_.goal : limit = 6 := by\n  rfl\nend Alt', /goal/],
  'namespaces in one word, and _root_': ['def limit : Nat := 5\ntheorem goal : limit = 6 := by\n  sorry\n', 'theorem goal : limit = 6 := by\n  sorry', 'def Alt.Deep.limit : Nat := 6\nnamespace Alt.Deep\ntheorem _root_.goal : limit = 6 := by\n  rfl\nend Alt.Deep', /goal/],
  'the end of a section below': [`${HOLDS}section\nvariable [it : Holds ((1 : Nat) = 2)]\nend\ntheorem goal : (1 : Nat) = 2 := by\n  sorry\n`, 'end\ntheorem goal : (1 : Nat) = 2 := by\n  sorry\n', 'theorem goal : (1 : Nat) = 2 := by\n  exact it.out\nend\n', /goal/],
  'the end of a namespace below': [`${EVIL}namespace Evil\nend Evil\ntheorem goal : (5 : Nat) = 6 := by\n  sorry\n`, 'end Evil\ntheorem goal : (5 : Nat) = 6 := by\n  sorry\n', 'theorem _root_.goal : (5 : Nat) = 6 := by\n  rfl\nend Evil\n', /goal/],
  'a section around': [`${EVIL}theorem goal : (5 : Nat) = 6 := by\n  sorry\n`, 'theorem goal : (5 : Nat) = 6 := by\n  sorry', 'section open Evil\ntheorem goal : (5 : Nat) = 6 := by\n  rfl\nend', /goal/],
  'autoImplicit': ['set_option autoImplicit false\ntheorem goal : k = k := by\n  sorry\n', 'theorem goal : k = k := by\n  sorry', 'set_option autoImplicit true\ntheorem goal : k = k := by\n  rfl', /goal|not known/],
  'autoImplicit … in': ['set_option autoImplicit false\ntheorem goal (n : Nat) : k = n → k = n := by\n  sorry\n', 'theorem goal (n : Nat) : k = n → k = n := by\n  sorry', 'set_option autoImplicit true in\ntheorem goal (n : Nat) : k = n → k = n := by\n  exact id', /goal|not known/],
  'relaxedAutoImplicit': ['set_option autoImplicit true\nset_option relaxedAutoImplicit false\ntheorem goal : limit = limit := by\n  sorry\n', 'set_option relaxedAutoImplicit false\ntheorem goal : limit = limit := by\n  sorry', 'set_option relaxedAutoImplicit true\ntheorem goal : limit = limit := by\n  rfl', /goal|not known/],
  // Another meaning for a name.
  'a lemma named as what is bound by itself': ['set_option autoImplicit true\ntheorem goal : k = k := by\n  sorry\n', 'theorem goal : k = k := by\n  sorry', 'theorem k : True := trivial\n\ntheorem goal : k = k := by\n  rfl', /goal/],
  'a nearer definition': ['def limit : Nat := 5\nnamespace Own\ntheorem goal : limit = 6 := by\n  sorry\nend Own\n', 'theorem goal : limit = 6 := by\n  sorry', 'def limit : Nat := 6\ntheorem goal : limit = 6 := by\n  rfl', /goal/],
  'an instance above': ['theorem goal : (5 : Nat) = 6 := by\n  sorry\n', 'theorem goal : (5 : Nat) = 6 := by\n  sorry', 'instance : OfNat Nat 5 := ⟨6⟩\n\ntheorem goal : (5 : Nat) = 6 := by\n  rfl', /goal/],
  'a notation above': ['theorem goal : (5 : Nat) + 1 = 5 := by\n  sorry\n', 'theorem goal : (5 : Nat) + 1 = 5 := by\n  sorry', 'local macro_rules | `($a + $_) => `($a)\n\ntheorem goal : (5 : Nat) + 1 = 5 := by\n  rfl', /goal/],
  'a definition reread by what is opened above it': [`${EVIL}def bound : Nat := 5\n\ntheorem goal : bound = 6 := by\n  sorry\n`, 'def bound : Nat := 5\n\ntheorem goal : bound = 6 := by\n  sorry', 'open Evil\ndef bound : Nat := 5\n\ntheorem goal : bound = (fun n => n) 6 := by\n  rfl', /goal|bound/],
  // What only Lean sees.
  'a command behind a number': ['def z : Nat := 1\n\ntheorem goal : (5 : Nat) = 6 := by\n  sorry\n', '1\n\ntheorem goal : (5 : Nat) = 6 := by\n  sorry', '1instance : OfNat Nat 5 := ⟨6⟩\n\ntheorem goal : (5 : Nat) = 6 := by\n  rfl', /goal/],
  'an axiom behind a number': ['def z : Nat := 1\n\ntheorem goal : (5 : Nat) = 6 := by\n  sorry\n', '1\n\ntheorem goal : (5 : Nat) = 6 := by\n  sorry', '1axiom cheat : ∀ p : Prop, p\n\ntheorem goal : (5 : Nat) = 6 := by\n  exact cheat _', /cheat|axiom/],
  'a command behind a proof': ['theorem one : (1 : Nat) = 1 := by\n  sorry\n\ntheorem goal : (5 : Nat) = 6 := by\n  sorry\n', 'by\n  sorry\n\ntheorem goal : (5 : Nat) = 6 := by\n  sorry', 'by\n  exact rfl instance : OfNat Nat 5 := ⟨6⟩\n\ntheorem goal : (5 : Nat) = 6 := by\n  rfl', /goal/],
  'a macro that is a command, behind a proof': ['macro "ex" : command => `(axiom cheat : ∀ p : Prop, p)\ntheorem one : (1 : Nat) = 1 := by\n  sorry\n', 'by\n  sorry', 'by\n  exact rfl ex', /cheat|axiom/],
  'a program in a proof': ['import Lean\ntheorem one : (1 : Nat) = 1 := by\n  sorry\n', 'by\n  sorry', 'by\n  run_tac Lean.addDecl (.axiomDecl { name := `one.cheat, levelParams := [], type := Lean.mkConst ``False, isUnsafe := false })\n  exact rfl', /cheat|axiom/],
  'a program of the file in a proof': ['import Lean\nelab "boom" : tactic => Lean.addDecl (.axiomDecl { name := `one.cheat, levelParams := [], type := Lean.mkConst ``False, isUnsafe := false })\ntheorem one : (1 : Nat) = 1 := by\n  sorry\n', '  sorry', '  boom\n  exact rfl', /cheat|axiom/],
  'a modifier behind a proof': ['theorem one : (1 : Nat) = 1 := by\n  sorry\ntheorem goal : (2 : Nat) = 2 := by\n  sorry\n', 'by\n  sorry\ntheorem goal : (2 : Nat) = 2 := by\n  sorry', 'by\n  exact rfl private\ntheorem goal : (2 : Nat) = 2 := rfl', /goal/],
  'a namespace behind a blank': [`${EVIL}theorem goal : limit = 6 := by\n  sorry\n`, 'theorem goal : limit = 6 := by\n  sorry', ' namespace Evil\ntheorem _root_.goal : limit = 6 := by\n  rfl\n end Evil', /goal/],
  'a namespace behind a tab of blanks': [`${EVIL}theorem goal : (5 : Nat) = 6 := by\n  sorry\n`, 'theorem goal : (5 : Nat) = 6 := by\n  sorry', '    open Evil\ntheorem goal : (5 : Nat) = 6 := by\n  rfl', /goal/],
  'a namespace behind a proof': [`${EVIL}theorem one : (1 : Nat) = 1 := by\n  sorry\n\ntheorem goal : limit = 6 := by\n  sorry\n`, 'by\n  sorry\n\ntheorem goal : limit = 6 := by\n  sorry', 'by\n  exact rfl namespace Evil\n\ntheorem _root_.goal : limit = 6 := by\n  rfl\nend Evil', /goal/],
};

/** name: [text, what is replaced, by what]: written without being asked twice. */
const HONEST = {
  'a proof': ['theorem goal (n : Nat) : n + 0 = n := by\n  sorry\n', '  sorry', '  rfl'],
  'a proof with let, have and match': ['theorem goal (n : Nat) : n + 0 = n := by\n  sorry\n', '  sorry', '  let m := n\n  have h : m = n := rfl\n  match m, h with\n  | _, rfl => rfl'],
  'a proof of a statement with let': ['theorem goal : let n := 5; n = 5 := by\n  sorry\n', '  sorry', '  rfl'],
  'a lemma above others': ['theorem goal (n : Nat) : n + 0 = n := by\n  rfl\n', 'theorem goal', 'theorem before (n : Nat) : n = n := rfl\n\ntheorem goal'],
  'a definition and its theorem': ['def two : Nat := 3\n\ntheorem goal : two = two := by\n  rfl\n', 'def two : Nat := 3', 'def two : Nat := 2'],
  'open, where it changes nothing': [`${EVIL}theorem goal : (7 : Nat) = 7 := by\n  sorry\n`, 'theorem goal : (7 : Nat) = 7 := by\n  sorry', 'open Nat in\ntheorem goal : (7 : Nat) = 7 := by\n  rfl'],
  'a lemma below an error': ['theorem wrong : (1 : Nat) = 2 := by\n  rfl\n\ntheorem goal : (7 : Nat) = 7 := by\n  rfl\n', 'theorem goal', 'theorem before : True := trivial\n\ntheorem goal'],
  'a field of a structure': ['structure Two where\n  one : Nat\n\ntheorem goal : (7 : Nat) = 7 := by\n  rfl\n', '  one : Nat', '  one : Nat\n  two : Nat := 2'],
};

// On the embedded Lean each file is a module, so that a theorem is private already; and its kernel, asked again, lacks constants of Lean's own.
const EMBEDDED = lean.kind === 'wasm';
const CHANGES_NOTHING = EMBEDDED ? ['a modifier behind a proof'] : [];
const KERNEL_REFUSES = EMBEDDED ? ['a program in a proof', 'a program of the file in a proof'] : [];

describe('statements', { skip }, () => {
  const { ask, file, read, session } = sharedSession('basics');

  /** Replaces in whole lines. */
  const write = async (text, from, to, more) => {
    fs.writeFileSync(file('Edited.lean'), text);
    const at = text.indexOf(from);
    assert.ok(at >= 0, `${text} has ${from}`);
    const lineOf = offset => text.slice(0, offset).split('\n').length;
    const after = text.replace(from, () => to);
    const start_line = lineOf(at), end_line = lineOf(at + from.length - (from.endsWith('\n') ? 1 : 0));
    const below = text.split('\n').length - end_line;
    const lines = after.split('\n');
    const answer = await ask('lean_write_proof', { file_path: 'Edited.lean', start_line, end_line, new_text: lines.slice(start_line - 1, lines.length - below).join('\n'), ...more });
    if (answer.written) assert.equal(read('Edited.lean').trimEnd(), after.trimEnd());
    else assert.equal(read('Edited.lean'), text);
    return answer;
  };

  for (const [name, [text, from, to, named, more]] of Object.entries(ATTACKS))
    session(`not written unasked: ${name}`, async () => {
      const answer = await write(text, from, to, more);
      assert.equal(answer.written, false, JSON.stringify(answer));
      if (KERNEL_REFUSES.includes(name)) return assert.match(answer.reason, /^The kernel may not have checked it: .*allow_sorry/);
      assert.match(answer.reason, /allow_statement_change/, JSON.stringify(answer));
      assert.match(answer.reason, named);
      const asked = await write(text, from, to, { allow_statement_change: true, ...more });
      assert.equal(asked.written, true, `Lean takes it: ${JSON.stringify(asked)}`);
    }, { skip: CHANGES_NOTHING.includes(name) });

  for (const [name, [text, from, to]] of Object.entries(HONEST))
    session(`written: ${name}`, async () => {
      const answer = await write(text, from, to);
      assert.equal(answer.written, true, JSON.stringify(answer));
    });
});
