// The native Lean with the library of Init, Std and Lean: what tests and demos may rely on.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lean, skip, temporaryFolder } from './support.mjs';

/** Checks that Lean accepts the file and prints exactly this. */
function prints(text, expected) {
  const { status, output } = lean('full', text);
  assert.equal(output, expected);
  assert.equal(status, 0);
}
const isAccepted = text => prints(text, '');

describe('the native Lean with the full library', { skip }, () => {
  test('says which one it is', () => prints('#eval Lean.versionString', '"4.35.0"'));

  test('Init, Std and Lean load', () => prints('import Std\nimport Lean\n#eval (Std.HashMap.ofList [(1, 2), (3, 4)]).size\n#check Lean.Meta.MetaM',
    '2\nLean.Meta.MetaM (α : Type) : Type'));

  test('tactics: simp, omega, rw, induction, rcases, calc, decide, split, grind on equations', () => isAccepted(`
example (xs : List Nat) : (xs ++ []).length = xs.length := by simp
example (x y : Int) (h : x < y) : ¬ (y ≤ x) := by omega
example (a b c : Nat) (h : a = b) : b + c = a + c := by rw [h]
theorem zero_add' (n : Nat) : 0 + n = n := by
  induction n with
  | zero => rfl
  | succ n ih => rw [← Nat.add_assoc, ih]
example (p q : Prop) : p ∨ q → q ∨ p := by
  rintro (h | h)
  · exact Or.inr h
  · exact .inl h
example (a b c : Nat) (h : a < b) (h' : b = c) : a < c := calc
  a < b := h
  _ = c := h'
example : 2 + 2 = 4 := by decide
example (n : Nat) : (if n < 3 then 1 else 2) ≤ 2 := by split <;> decide
example (p : Prop) [Decidable p] (h : ¬p) : (if _ : p then 1 else 2) = 2 := by simp [h]
example (a b : Nat) (h : a = b) (f : Nat → Nat) : f a = f b := by grind
example (xs : List Nat) : xs.map id = xs := by induction xs <;> simp_all
example (a b c : Nat) : a + b + c = c + b + a := by ac_rfl
`));

  test('types without fields: match, cases, what is derived, decide', () => prints(`
inductive Colour | red | green | blue deriving DecidableEq, Repr, Inhabited
def Colour.next : Colour → Colour
  | .red => .green | .green => .blue | .blue => .red
theorem Colour.next_thrice (c : Colour) : c.next.next.next = c := by cases c <;> rfl
example : Colour.red ≠ Colour.blue := by decide
example : Colour.red ≠ Colour.blue := fun h => by cases h
#eval Colour.red.next
`, 'Colour.green'));

  test('the ASCII forms of ≤, ≥, ∧ and ∨ have one meaning', () => isAccepted(`
theorem turned (a b : Nat) (h : a <= b) : b >= a := h
theorem swapped (p q : Prop) (h : p /\\ q) : q /\\ p \\/ p := Or.inl ⟨h.2, h.1⟩
`));

  test('equalities between types that turn out to be one', () => isAccepted(`
example (a b : Nat) (h : HEq a b) : a = b := by cases h; rfl
example (a b : Nat) (h : HEq a b) : b = a := match b, h with | _, .refl _ => rfl
`));

  test('grind by the lemmas of a file, with each way to mark them', () => isAccepted(`
def f (n : Nat) : Nat := n + 1
@[grind =] theorem f_eq (n : Nat) : f n = n + 1 := rfl
example : f 3 = 4 := by grind
opaque g : Nat → Nat
@[grind ←] axiom g_le : ∀ n, g n = n → g (g n) = n
@[grind →] axiom g_inj : ∀ n, g n = 3 → n = 2
@[grind .] axiom g_ne : ∀ n, g n ≠ 0
example (a : Nat) (h : g a = 3) : a = 2 := by grind
example (a : Nat) (h : g a = a) : g (g a) = a := by grind
example : g 2 ≠ 0 := by grind
inductive Even : Nat → Prop where
  | zero : Even 0
  | add2 : Even x → Even (x + 2)
attribute [grind intro] Even
example : Even 0 := by grind
def h (n : Nat) : Nat := n + 2
theorem h_eq (n : Nat) : h n = n + 2 := rfl
example : h 7 = 9 := by grind [= h_eq]
@[grind =_] theorem h_back (n : Nat) : n + 2 = h n := rfl
example : h 8 = 10 := by grind
`));

  test('exact? and simp? search the library', () => prints(`
example (a b : Nat) : a * b = b * a := by exact?
example (xs : List Nat) : xs.reverse.reverse = xs := by simp?
`, 'Try this:\n  [apply] exact Nat.mul_comm a b\nTry this:\n  [apply] simp only [List.reverse_reverse]'));

  test('what is wrong is rejected', () => {
    const { status, output } = lean('full', 'theorem wrong (n : Nat) : n + 1 = n := by omega\ntheorem open_end : 1 = 1 ∧ 2 = 2 := by\n  constructor\n  · rfl\n');
    assert.equal(status, 1);
    assert.match(output, /Test\.lean:1:42: error: omega could not prove the goal/);
    assert.match(output, /Test\.lean:2:36: error: unsolved goals\ncase right\n⊢ 2 = 2/);
  });

  test('programs run in the interpreter', () => prints(`
def fac : Nat → Nat
  | 0 => 1
  | n + 1 => (n + 1) * fac n
#eval fac 30
#eval #[1, 2, 3].foldl (· + ·) 0
#eval ("abc" ++ toString 5, 'x'.toNat, 1.5 + 2.0, (10 : Fin 3), (255 : UInt8) + 1)
def sum (xs : List Nat) : Nat := Id.run do
  let mut s := 0
  for x in xs do s := s + x
  return s
#eval sum [1, 2, 3]
#eval show IO Unit from do
  let cell ← IO.mkRef 0
  let tasks ← (List.range 4).mapM fun i => IO.asTask (for _ in [0:100] do cell.modify (· + i))
  for task in tasks do let _ ← IO.ofExcept (← IO.wait task)
  IO.println s!"{← cell.get}"
`, '265252859812191058636308480000000\n6\n("abc5", 120, 3.500000, 1, 0)\n6\n600'));

  test('do notation: loops, and jumps out of try', () => prints(`
def walk (n : Nat) : ExceptT String (StateM Nat) Nat := do
  let mut s := 0
  for i in [0:10] do
    try
      if i == 3 then continue
      if i == n then break
      if i == 8 then return 100
      if i == 5 then throw "five"
      s := s + i
    catch _ => s := s + 1000
  return s
#eval ((walk 7).run.run' 0, (walk 20).run.run' 0)
def count : Nat := Id.run do
  let mut i := 0
  while i < 10 do i := i + 3
  repeat
    i := i + 1
    if i > 20 then break
  return i
#eval count
#eval show IO Unit from do
  let some x := some 3 | return
  match x with
  | 3 => IO.println "three"
  | _ => pure ()
`, '(Except.ok 1013, Except.ok 100)\n21\nthree'));

  test('match on literals, and equations about it', () => prints(`
def name (n : Nat) : String := match n with
  | 3 => "three" | 5 => "five" | _ => "many"
#eval (name 3, name 5, name 6)
example : name 3 = "three" := by simp [name]
example (n : Nat) : name n ≠ "" := by unfold name; split <;> simp
`, '("three", "five", "many")'));

  test('macros, notation, syntax, deriving', () => prints(`
macro "close" : tactic => \`(tactic| first | trivial | omega)
example (a b : Nat) (h : a < b) : a ≤ b := by close
notation:65 a " ⊞ " b => a + b * 2
#eval 1 ⊞ 2
declare_syntax_cat arith
syntax num : arith
syntax arith "+" arith : arith
syntax "[arith|" arith "]" : term
macro_rules
  | \`([arith| $n:num]) => \`($n)
  | \`([arith| $a + $b]) => \`([arith| $a] + [arith| $b])
#eval [arith| 1 + 2 + 3]
inductive Tree | leaf | node (l r : Tree)
  deriving Repr, BEq, DecidableEq, Hashable, Inhabited, Ord
#eval Tree.node .leaf .leaf
#eval Tree.node .leaf .leaf == .leaf
`, '5\n6\nTree.node (Tree.leaf) (Tree.leaf)\nfalse'));

  test('recursion that ends for a reason: structure, a measure, pairs', () => prints(`
set_option linter.unusedVariables false
def ack : Nat → Nat → Nat
  | 0, n => n + 1
  | m + 1, 0 => ack m 1
  | m + 1, n + 1 => ack m (ack (m + 1) n)
termination_by m n => (m, n)
def gcd' (a b : Nat) : Nat := if h : b = 0 then a else gcd' b (a % b)
termination_by b
decreasing_by exact Nat.mod_lt a (Nat.pos_of_ne_zero h)
#eval (ack 2 3, gcd' 12 18)
`, '(9, 6)'));

  test('import Lean: elaborators, messages, MetaM, JSON', () => {
    const { status, output } = lean('full', `
import Lean
open Lean Elab Meta Command Tactic
run_cmd logInfo "hello"
elab "#hi" : command => logInfo "hi"
#hi
elab "assume_it" : tactic => do
  let goal ← getMainGoal
  logInfo m!"goal {goal}"
  goal.assumption
example (p : Prop) (h : p) : p := by assume_it
elab "fail_me" : tactic => do throwError "no {← getMainTarget}"
example (p : Prop) (h : p) : p := by first | fail_me | exact h
run_meta do
  let e ← mkAppM \`\`Nat.add #[mkNatLit 1, mkNatLit 2]
  logInfo m!"{e} : {← inferType e} = {← whnf e}"
syntax "swap_and " ident : tactic
elab_rules : tactic
  | \`(tactic| swap_and $h:ident) => do evalTactic (← \`(tactic| exact ⟨And.right $h, And.left $h⟩))
example (p q : Prop) (h : p ∧ q) : q ∧ p := by swap_and h
def asSyntax (h : TSyntax \`ident) : Syntax := h
run_cmd elabCommand (← \`(def fromMeta := 5))
#eval Json.parse "{\\"a\\": 1}"
`.trimStart());
    assert.equal(status, 0, output);
    for (const wanted of ['hello', 'hi', 'goal p : Prop\nh : p\n⊢ p', 'Nat.add 1 2 : Nat = 3', 'ok: {"a": 1}']) assert.ok(output.includes(wanted), output);
  });

  test('modules are compiled and imported', () => {
    const folder = temporaryFolder();
    const first = lean('full', 'theorem two : 1 + 1 = 2 := rfl\ndef double (n : Nat) := 2 * n\n', { folder, name: 'First', options: ['-o', 'First.olean', '-i', 'First.ilean'] });
    assert.deepEqual([first.status, first.output], [0, '']);
    const second = lean('full', 'import First\n#eval double 21\n#print axioms two\n', { folder, name: 'Second' });
    assert.equal(second.output, '42\n\'two\' does not depend on any axioms');
  });
});

// What does not work, as the README says. A test that fails here is good news: correct the README, and move the test up.
describe('limits of the full library', { skip }, () => {
  test('#print axioms names library theorems, whose proofs are not in the package', () => {
    const { output } = lean('full', 'theorem t (a b : Nat) : a + b = b + a := Nat.add_comm a b\n#print axioms t\n');
    assert.equal(output, '\'t\' depends on axioms: [Nat.add_comm]');
  });

  test('files with a `module` header cannot import the library', () => {
    assert.match(lean('full', 'module\ndef x := 1\n').output, /cannot import non-`module` Init from `module`/);
  });

  test('grind knows no lemmas of the library, and its arithmetic has no certificates', () => {
    assert.match(lean('full', 'example (xs ys : List Nat) : (xs ++ ys).length = xs.length + ys.length := by grind').output, /`grind` failed/);
    assert.match(lean('full', 'example (a b : Nat) (h : a < b) : a ≠ b := by grind').output, /unknown constant 'Int\.Internal\.Linear/);
  });

  test('declarations of the library have no positions', () => {
    const { output } = lean('full', `import Lean
open Lean
run_cmd do
  logInfo m!"{(← findDeclarationRanges? \`\`Nat.add).isSome}"
`);
    assert.equal(output, 'false');
  });

  test('a function of Lean whose parameters changed ends the process', () => {
    const { status } = lean('full', 'import Lean\nopen Lean\nrun_cmd do let _ ← findDocString? (← getEnv) ``Nat.add\n');
    assert.ok(status === 'SIGSEGV' || status > 1, `${status}`);
  });
});
