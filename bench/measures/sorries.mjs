// Ten files of sorries, from start to whole: what an agent calls, reads and writes with lean_fill and lean_check_all, and with questions about
// one place at a time. It knows a proof of each theorem, which it writes where no tactic of its own and no tool closes the goal. And 40 false
// statements, of which lean_fill should refute most, between true ones.
import { Project } from '../lib/project.mjs';
import { Leanbridge, Peer } from '../lib/sides.mjs';
import { formatNumber } from '../lib/statistics.mjs';

export const onRealLean = true;
export const title = 'ten files of sorries, from start to whole';
export const goal = 'with the tools for whole files fewer calls and bytes than without; at least 30 of 40 false statements refuted, no true one';

const FILES = 10, PER_FILE = 5, BUDGET_S = 20, FALSE_BUDGET_S = 120, ENOUGH_REFUTED = 30;
const SNIPPETS = ['rfl', 'simp', 'omega', 'decide', 'assumption', 'simp_all'];   // that an agent tries before it thinks

const DEFINITIONS = `def double (n : Nat) : Nat := n + n

def sumTo : Nat → Nat
  | 0 => 0
  | n + 1 => n + 1 + sumTo n

inductive Tree where
  | leaf : Tree
  | node : Tree → Nat → Tree → Tree

def Tree.mirror : Tree → Tree
  | .leaf => .leaf
  | .node l x r => .node r.mirror x l.mirror

def Tree.size : Tree → Nat
  | .leaf => 0
  | .node l _ r => l.size + 1 + r.size
`;
/** [statement, proof]: some for any tactic, some for the right one, some for nobody but an author. */
const TRUE = [
  ['(p q : Prop) (h : p ∧ q) : q ∧ p', 'exact ⟨h.2, h.1⟩'],
  ['(a b : Nat) : double (a + b) = double a + double b', 'unfold double; omega'],
  ['(xs ys : List Nat) : (xs ++ ys).length = ys.length + xs.length', 'rw [List.length_append, Nat.add_comm]'],
  ['(t : Tree) : t.mirror.mirror = t', 'induction t with\n  | leaf => rfl\n  | node l x r ihl ihr => simp [Tree.mirror, ihl, ihr]'],
  ['(n : Nat) : 2 * sumTo n = n * (n + 1)', 'induction n with\n  | zero => rfl\n  | succ n ih => rw [sumTo, Nat.mul_add, ih, ← Nat.add_mul, Nat.mul_comm, Nat.add_comm 2 n]'],
  ['(p q r : Prop) (f : p → q) (g : q → r) : p → r', 'exact fun h => g (f h)'],
  ['(t : Tree) : t.mirror.size = t.size', 'induction t with\n  | leaf => rfl\n  | node l x r ihl ihr => simp only [Tree.mirror, Tree.size, ihl, ihr]; omega'],
  ['(p : Nat → Prop) (z : p 0) (o : p 1) (s : ∀ n, p n → p (n + 2)) (n : Nat) : p n',
    'induction n using Nat.strongRecOn with\n  | _ n ih => match n with\n    | 0 => exact z\n    | 1 => exact o\n    | n + 2 => exact s n (ih n (by omega))'],
  ['(a b : Nat) (h : a < b) : ∃ c, b = a + 1 + c', 'exact ⟨b - a - 1, by omega⟩'],
  ['(f : Nat → Nat) (h : ∀ n, f (n + 1) = f n + 3) : f 4 = f 0 + 12', 'rw [h, h, h, h]'],
  ['(n : Nat) (xs : List Nat) (h : n ∈ xs) : 0 < xs.length', 'exact List.length_pos_of_mem h'],
  [': ∃ n : Nat, n * n = 49', 'exact ⟨7, rfl⟩'],
];
/** As they are written by mistake: a hypothesis is missing, a number is off by one, an implication goes the other way. */
const FALSE = `(a b : Nat) : a - b + b = a; (a b : Nat) : a + b = a; (a b c : Nat) (h : a < b) : a * c < b * c; (n : Nat) : n < n * n + n; (a b : Nat) (h : a ∣ b) : a ≤ b
(a b c : Nat) (h : a ∣ b * c) : a ∣ b ∨ a ∣ c; (a b : Nat) : (a + b) / 2 = a / 2 + b / 2; (n : Nat) (h : n % 2 = 1) : n * n % 4 = 3; (a b : Nat) (h : a * b = 0) : a = 0
(a b : Nat) (h : a ≤ b) : b - a < b; (a b : Int) (h : a ≤ b) : a * a ≤ b * b; (a : Int) : a / 2 * 2 = a; (a b : Int) (h : a * a = b * b) : a = b; (a : Int) : 0 ≤ a * a * a
(xs : List Nat) : xs.reverse = xs; (xs ys : List Nat) : xs ++ ys = ys ++ xs; (xs : List Nat) : xs.tail.length < xs.length; (xs ys : List Nat) (h : xs.length = ys.length) : xs = ys
(x : Nat) (xs : List Nat) : x ∈ xs; (xs : List Nat) (n : Nat) : (xs.take n).length = n; (xs : List Nat) (n : Nat) : (xs.drop n).length = n
(f : Nat → Nat) (xs : List Nat) : xs.map f = xs; (xs : List Nat) : xs.filter (· < 2) = xs; (f g : Nat → Nat) (a : Nat) : f (g a) = g (f a)
(f : Nat → Nat) (a b : Nat) (h : f a = f b) : a = b; (p q : Prop) : (p → q) → (q → p); (p q : Prop) (h : p ∨ q) : p ∧ q; (p q r : Prop) (h : p ∧ q → r) : p → r
(p : Nat → Prop) (h : p 0) : p 1; (p : Nat → Prop) (h : ∃ n, p n) : ∀ n, p n; (p q : Nat → Prop) (h : ∀ n, p n ∨ q n) : (∀ n, p n) ∨ (∀ n, q n)
(b c : Bool) : (b && c) = (b || c); (b c : Bool) : (b ^^ c) = true → b = true; (o : Option Nat) : o.isSome = true; (x y : Nat × Nat) (h : x.1 = y.1) : x = y; (i : Fin 3) : i = 0
: ∀ n : Nat, n * n = n; : ∃ n : Nat, n * n = 2; (s t : String) : s ++ t = t ++ s; (α : Type) (xs : List α) : xs = []`.split(/; |\n/);

const theoremsOf = file => Array.from({ length: PER_FILE }, (_, i) => TRUE[(file + 2 * i) % TRUE.length]);
const nameOf = file => `Bench/F${file}.lean`;
const theorem = (name, [statement]) => `theorem ${name} ${statement} := by\n  sorry\n`;
const skeleton = file => [DEFINITIONS, ...theoremsOf(file).map((one, i) => theorem(`t${i}`, one))].join('\n');

/** What both servers say of an attempt that closes the goal. */
const isClosing = ({ closes_goal: says, goals, diagnostics }) => says ?? (goals?.length === 0 && !diagnostics?.some(({ severity }) => severity === 'error'));

/** Calls the tools and writes as an agent would, and counts. */
class Agent {
  calls = 0;
  read = 0;
  wrote = 0;   // arguments and proofs

  constructor(project, mcp) { Object.assign(this, { project, mcp }); }

  async ask(tool, args) {
    const { value, text } = await this.mcp.ask(tool, args);
    this.calls++;
    this.read += Buffer.byteLength(text);
    this.wrote += Buffer.byteLength(JSON.stringify(args));
    return value;
  }
  prove(file, number, proof) {
    const text = this.project.read(file);
    const at = text.indexOf('sorry', text.indexOf(`theorem t${number} `));
    this.project.write(file, text.slice(0, at) + proof + text.slice(at + 'sorry'.length));
    this.wrote += Buffer.byteLength(proof);
  }

  async byFile(file) {
    const { places } = await this.ask('lean_fill', { file_path: nameOf(file), write: true, budget_s: BUDGET_S });
    for (const { declaration, closed_by: by } of places)
      if (!by) this.prove(nameOf(file), Number(declaration.slice(1)), theoremsOf(file)[Number(declaration.slice(1))][1]);
    return places.filter(one => one.closed_by).length;
  }
  async byPlace(file) {
    const name = nameOf(file);
    await this.ask('lean_diagnostic_messages', { file_path: name });
    let closed = 0;
    for (const [i, [, own]] of theoremsOf(file).entries()) {
      const text = this.project.read(name), at = text.slice(0, text.indexOf('sorry', text.indexOf(`theorem t${i} `)));
      const line = at.split('\n').length;
      await this.ask('lean_goal', { file_path: name, line });
      const { items } = await this.ask('lean_multi_attempt', { file_path: name, line, snippets: SNIPPETS });
      const closing = items.find(isClosing);
      if (closing) closed++;
      this.prove(name, i, closing?.snippet ?? own);
    }
    await this.ask('lean_diagnostic_messages', { file_path: name });
    return closed;
  }
}

/** Everything, and whether Lean has nothing to say about it in the end. */
async function play(Side, files, isByFile) {
  const project = new Project(Object.fromEntries(files.map(file => [nameOf(file), skeleton(file)])));
  const side = await Side.start(project), agent = new Agent(project, side.mcp), started = performance.now();
  let closed = 0;
  for (const file of files) closed += await (isByFile ? agent.byFile(file) : agent.byPlace(file));
  if (isByFile) await agent.ask('lean_check_all', { file_path: 'Bench' });
  const ms = performance.now() - started;
  for (const file of files) {
    const { items } = await side.messages(nameOf(file));
    if (items.length) throw new Error(`${Side.title}: ${nameOf(file)} is not whole: ${JSON.stringify(items).slice(0, 500)}`);
  }
  await side.end();
  return { ...agent, closed, ms };
}

async function refute() {
  const project = new Project({ 'Bench/False.lean': [DEFINITIONS, ...FALSE.map((statement, i) => theorem(`false${i}`, [statement])), ...TRUE.map((one, i) => theorem(`true${i}`, one))].join('\n') });
  const side = await Leanbridge.start(project), started = performance.now();
  const { places } = (await side.mcp.ask('lean_fill', { file_path: 'Bench/False.lean', budget_s: FALSE_BUDGET_S })).value;
  const of = kind => places.filter(({ declaration }) => declaration.startsWith(kind));
  await side.end();
  return { refuted: of('false').filter(one => one.refuted).length, left: of('false').filter(one => !one.refuted).map(({ declaration }) => FALSE[Number(declaration.slice(5))]),
    proved: of('false').filter(one => one.closed_by).length, wrongly: of('true').filter(one => one.refuted).length, ms: performance.now() - started };
}

export async function run({ quick, peer }) {
  const files = Array.from({ length: quick ? 2 : FILES }, (_, i) => i);
  const own = await play(Leanbridge, files, true), loop = await play(Leanbridge, files, false), other = peer && await play(Peer, files, false);
  const shown = of => of && `${of.calls} calls, ${formatNumber(of.read, 'bytes')} read, ${formatNumber(of.wrote, 'bytes')} written, ${formatNumber(of.ms, 'ms')}; ${of.closed} closed without thought`;
  const fewer = key => own[key] < loop[key] && !(other && own[key] >= other[key]);
  const answers = await refute();
  const lines = [
    { what: `${files.length} files with ${files.length * PER_FILE} sorries: \`lean_fill\` each, then \`lean_check_all\` of the folder`, leanbridge: shown(own), met: ['calls', 'read', 'wrote'].every(fewer) },
    { what: 'the same by `lean_goal` and `lean_multi_attempt` at each, `lean_diagnostic_messages` before and after', leanbridge: shown(loop), peer: shown(other) },
    { what: `${FALSE.length} false statements: refuted`, leanbridge: `${answers.refuted}, ${answers.proved} proved, of ${TRUE.length} true ones ${answers.wrongly} refuted, ${formatNumber(answers.ms, 'ms')}`,
      met: answers.refuted >= ENOUGH_REFUTED && !answers.proved && !answers.wrongly },
  ];
  return { lines, notes: [`Written are arguments and proofs. Attempts: ${SNIPPETS.map(text => `\`${text}\``).join(', ')}.`, `Not refuted: ${answers.left.map(text => `\`${text}\``).join('; ')}.`], data: { own, loop, other: other || undefined, answers } };
}
