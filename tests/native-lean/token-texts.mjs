// Texts for tokens.test.mjs: commands of pieces that two readers of Lean may read differently, mostly ones that Lean can parse.
import { randomFrom } from '../support/soak-files.mjs';

const TERMS = [
  '1', '0', '12', '1_000', '0b1', '0B10', '0o17', '0xFF', '0xfe', '1.5', '1.', '2.5e3', '1e5', '1E-3', '0x1g', 'xs[0]\'(by simp)', 'xs[0]\'h', "xs[0]'a'", '5#w', '0#8', '0b12', '1_', '1e', '0x', '.5', '00',
  'x', "x'", "f''", 'h₁', 'α', 'xs!', 'a?', '_', '«a b»', '«axiom»', '«»', 'Foo.«x y».z', 'foo.bar', '_root_.x', 'x.1', 'x.1.2', '(x).1', 'x.axiom', '(1, 2).2', '⟨1, 2⟩',
  'axiom', 'sorry', 'r', 's', 'by rfl', 'by exact (1)', 'fun x => x', 'λ x => x', '@f', '(· + 1)', '-1', '¬p', '!b', '←x', 'f <| x', 'x |> f', 'x |>.f', 'a ∧ b', 'a → b', 'a -> b', '∀ x, p', '∃ x, p',
  '[1, 2]', '#[1]', '#v[1]', '(1 : Nat)', '{ x := 1 }', '{x // p}', 'if a then 1 else 2', 'let x := 1; x', '`foo', '`axiom', '``foo', '`(1)', '`(command| axiom x : p)', '%[1 | 2]', 'a ▸ b', "(f '' s)",
  '"a"', '""', '"a b -- c"', '"/-"', '"-/"', '"\\"/-"', '"\\n\\x41\\u03b1"', '"\\q"', '"{"', '"}"', '"{}"', '"{1}"', '"{x} y"', '"{"/-"}"', '"\\{"', '"a\\\n   b"', '"it\'s"', '"{don\'t}"', '"«"',
  's!"a"', 's!"{1}"', 's!"{x}{y}"', 's!"{"}"}"', 's!"{"/-"}"', 's!"\\{"', 's! "{1}"', 'm!"{x}"', 'f!"{1 + 1}"', 's!"{s!"{1}"}"', 's!"{(fun x => {y := 1})}"', 'xs!"{"', 's!"{"a"} {\'}\'} "', 'toString!"{1}"',
  'panic! "{1}"', 'panic!"{"', 'dbg_trace "{1}"; 2', 'dbg_trace "{"/-"}"; 2', 'dbg_trace "{x}"; y', 'println! "{1}"', 'throwError "{x}"', 'throwError "{"a"}"', 'assert! b; 1', 'dbgTrace "a" f',
  'r"a"', 'r"\\"', 'r#"a"b"#', 'r##"a"# b"##', 'r"{"', 'r#"', 'xr"a"', "'a'", "'\\n'", "'\\''", "'\"'", "'{'", "'\\x41'", "' '", "'''", "'ab'", "'\\q'", "''", "'", "x'y'",
];
const PLAIN = ['1', 'x', 'f x', '(x)', '"a"', "'a'", 's!"{x}"', '1.5', 'x.1', '0b1', '«a b»', 'by rfl'];
const ENDS = ['', '', '', '', ' ', '\n', ' -- axiom\n', ' -- "\n', ' /- axiom -/', '/- " -/', '/- /- -/ -/ ', '--\n', '/--/', '-- /-\n', ' /- -', ' /-- doc -/', '/-!-/', '/-! -/'];
const COMMANDS = [
  t => `def a := ${t()}`, t => `def a : ${t()} := ${t()}`, t => `theorem b : ${t()} := ${t()}`, t => `example := ${t()}`, t => `instance : ${t()} := ${t()}`,
  t => `axiom c : ${t()}`, t => `#eval ${t()}`, t => `#eval!${t()}`, t => `#check ${t()}`, t => `#check${t()}`, t => `#reduce ${t()}`, () => '#exit', () => '#print a', () => '#printaxiom', () => '#evalx',
  () => 'namespace A', () => '  namespace B', () => 'end A', () => 'section', () => 'end', () => 'mutual', () => 'open A', t => `open A in\ndef x := ${t()}`, () => 'set_option pp.all true',
  t => `set_option pp.all true in example := ${t()}`, t => `variable (x : ${t()})`, t => `@[simp] theorem d : ${t()} := ${t()}`, t => `/-- doc -/\ndef e := ${t()}`, () => '/-! text -/', t => `private def f := ${t()}`,
  t => `example : p := by\n  exact ${t()}\n  iterate 1skip`, t => `example : p := by\n  have h := ${t()}\n  simp [h] at *`, t => `example : p := by iterate ${t()}sorry`, t => `def g := do\n  let x ← ${t()}\n  return ${t()}`,
  t => `notation "∑∑" => ${t()}`, t => `macro "foo" : term => \`(${t()})`, t => `syntax "bar" : term`, t => `infixl:65 " +++ " => ${t()}`, t => `structure S where\n  x : Nat := ${t()}`, t => `inductive T | a | b`,
  t => `def n : Nat := match x with\n  | 0 => ${t()}\n  | _ => ${t()}`, t => `attribute [simp] a`, t => `deriving instance Repr for T`, t => `run_cmd ${t()}`, t => `elab "e" : term => ${t()}`,
];
const KEYWORDS = ['axiom x : p', 'theorem x : p := rfl', 'sorry', 'def x := 1', 'instance : p := q', '#exit', 'namespace A', 'elab "e" : term => x', 'end', 'else 2', 'macro', 'example : p := q', 'set_option x true', '#eval 1'];
const PIECES = ['"', "'", '/-', '-/', '--', '\\', '{', '}', '«', '»', 's!"', 'r#"', '"#', '!"', '#', '`', '.', '..', '1', '0b', 'e', '_', '∑', "∑'", '⟩', '⟨', '→', '<', '-', '/', '|', ' ', '\n', 'x', '(', ')', ':=', '\\"', '₁', 'ℕ', '∣', '•'];

/** The same texts for a seed, whatever their number. */
export function textsOf(seed, count) {
  const texts = [];
  for (let i = 0; i < count; i++) {
    const random = randomFrom(seed * 1_000_003 + i);
    const operators = ['', '', '', '', '', '', ' + ', ' ', '+', '-', '*', '/', ' <', '<', '|', '//', ' ++ ', '=', ' = ', ',', '∘', '.', '^', '::', '%'];
    const term = () => {
      const one = () => random.pick(random.chance(0.7) ? TERMS : PLAIN);
      let text = one();
      while (random.chance(0.2)) text += random.pick(operators) + one();
      return text;
    };
    let text = '';
    for (let left = 1 + random.below(4); left > 0; left--) {
      const command = random.pick(COMMANDS)(term);
      text += command + random.pick(ENDS);
      if (random.chance(0.35)) text += random.pick(KEYWORDS);
      text += random.pick(['\n', '\n', '\n\n', '', ' ', '\n  ']);
    }
    for (let left = random.chance(0.3) ? 1 + random.below(2) : 0; left > 0; left--) {
      const points = [...text];
      points.splice(random.below(points.length + 1), random.chance(0.3) ? 1 : 0, random.pick(PIECES));
      text = points.join('');
    }
    texts.push(text);
  }
  return texts;
}
