// lean_fill: what a machine can prove at the sorries of a file, what it refutes, and what it writes.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe } from 'node:test';
import { binary, cacheFolder } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { sharedSession, skip } from '../support/session.mjs';

const FILE = 'Skeleton.lean';
// What the first round closes, and a value, which nothing fills in.
const EASY = `/-! sorry: a word in a comment -/
def double (n : Nat) : Nat := n + n

theorem by_definition (n : Nat) : double n = 2 * n := by
  sorry

theorem in_parts (p q : Prop) (h : p ∧ q) : q ∧ p := by
  constructor
  · sorry
  · sorry

theorem terms : (1 + 1 = 2) ∧ (2 < 3) := ⟨sorry, sorry⟩

def data : Nat := sorry
`;
const DEEP = `theorem deep (f : Nat → Nat) (h : ∀ n, f (n + 1) = f n + 3) : f 2 = f 0 + 6 ∧ ∃ k, f k ≠ k := by
  sorry
`;
const SKELETON = `${EASY}
theorem false_one (a b : Nat) : a - b + b = a := sorry

theorem for_all : ∀ n : Nat, n * n = n := sorry

theorem several_goals (n : Nat) (h : 2 < n) : 1 < n ∧ n ≠ 0 := by
  constructor
  all_goals admit

theorem found (n m : Nat) (h : n ∣ m) (k : Nat) (g : m ∣ k) : n ∣ k := by
  sorry

${DEEP}`;

describe('filling sorries', { skip }, () => {
  const shared = sharedSession('basics');
  const { ask, close, file, read, refused, session } = shared;
  const put = text => fs.writeFileSync(file(FILE), text);
  const fill = (args = {}) => ask('lean_fill', { file_path: FILE, ...args });
  const closedBy = ({ places }) => Object.fromEntries(places.filter(one => one.closed_by).map(one => [`${one.declaration}:${one.line}:${one.column}`, one.closed_by]));

  session('what closes each, what refutes it, and what is left; nothing is written', async () => {
    put(SKELETON);
    const answer = await fill({ budget_s: 60 });
    const of = name => answer.places.filter(({ declaration }) => declaration === name);
    assert.deepEqual(Object.keys(closedBy(answer)).map(key => key.split(':')[0]), ['by_definition', 'in_parts', 'in_parts', 'terms', 'terms', 'several_goals', 'found'], JSON.stringify(answer));
    assert.match(of('by_definition')[0].closed_by, /double/);
    assert.match(of('found')[0].closed_by, /^(exact .*trans|grind|simp_all|.*exact)/);
    assert.equal(of('false_one')[0].refuted, 'a = 0, b = 1');
    assert.equal(of('for_all')[0].refuted, 'n = 2');
    assert.deepEqual(of('data')[0].goals, ['⊢ Nat'], 'a value is not filled in');
    assert.match(of('deep')[0].goals[0], /∃ k, f k ≠ k/);
    assert.deepEqual([answer.closed, answer.refuted, answer.left, answer.written], [7, 2, 4, false]);
    assert.ok(answer.cpu_s > 0.05 && answer.cpu_s < os.cpus().length * answer.seconds + 1, JSON.stringify([answer.cpu_s, answer.seconds]));
    assert.equal(read(FILE), SKELETON);
  });

  session('the budget is the processor time of a worker that does not end, which is allowed half as much next', async () => {
    const limits = file('limits.txt');
    const over = file('over.txt');   // nothing else ends the loop but the end of its worker
    const loop = `(run_tac (do
      let h ← IO.FS.Handle.mk ${JSON.stringify(limits)} .append
      h.putStrLn (toString (Lean.maxHeartbeats.get (← Lean.getOptions)))
      h.flush
      while !(← System.FilePath.pathExists ${JSON.stringify(over)}) do Lean.checkSystem "" : Lean.Elab.Tactic.TacticM Unit))`;
    const places = ['t', 'u'].map(name => `theorem ${name} (f : Nat → Nat) : f 1 = 2 := by\n  sorry\n`).join('');
    put(`import Lean\nopen Lean Elab Tactic in\nmacro_rules | \`(tactic| rfl) => \`(tactic| ${loop})\n${places}`);
    const answer = await fill({ budget_s: 4 });
    fs.writeFileSync(over, '');
    for (const { reason } of answer.places) assert.match(reason, /did not end in time/, JSON.stringify(answer));
    assert.ok(answer.cpu_s < 4 + 1, JSON.stringify([answer.cpu_s, answer.seconds]));
    const heartbeats = read('limits.txt').trim().split('\n').map(Number);
    assert.ok(heartbeats.at(-1) <= 0.55 * heartbeats[0], JSON.stringify(heartbeats));
  });

  session('a definition that makes tactics loop takes no time from another place', async () => {
    const walk = 'def walk (f : Nat → Nat) (n fuel : Nat) : Nat :=\n  if f n = n then n else if h : fuel = 0 then n else walk f (f n) (fuel - 1)\ntermination_by fuel\n';
    const tree = 'inductive Tree where\n  | leaf : Tree\n  | node : Tree → Nat → Tree → Tree\n\ndef Tree.mirror : Tree → Tree\n  | .leaf => .leaf\n  | .node l x r => .node r.mirror x l.mirror\n';
    put([walk, 'theorem loops (f : Nat → Nat) (n k : Nat) (h : ∀ m, f m ≤ m) : walk f n k ≤ n := by\n  sorry\n',
      tree, 'theorem twice (t : Tree) : t.mirror.mirror = t := by\n  sorry\n', 'def broken : Nat := "what comes after the last place does not matter to it"\n'].join('\n'));
    const answer = await fill({ budget_s: 6 });
    assert.match(answer.places.find(one => one.declaration === 'twice').closed_by ?? '', /induction t/, JSON.stringify(answer));
    assert.ok(answer.cpu_s < 6 + 2, JSON.stringify([answer.cpu_s, answer.seconds]));
  });

  session('definitions of the file are split and followed in their recursion, its lemmas used, its predicates taken apart', async () => {
    put([`inductive Tree where
  | leaf : Tree
  | node : Tree → Nat → Tree → Tree

def insert (x : Nat) : Tree → Tree
  | .leaf => .node .leaf x .leaf
  | .node l k r => if Nat.blt x k then .node (insert x l) k r else if Nat.blt k x then .node l k (insert x r) else .node l k r

def size : Tree → Nat
  | .leaf => 0
  | .node l _ r => size l + size r + 1

def twice (x : Nat) (t : Tree) : Tree := insert x (insert x t)

def top (a b c : Nat) : Nat := if Nat.blt a b then (if Nat.blt b c then c else b) else (if Nat.blt a c then c else a)

inductive All (p : Nat → Prop) : Tree → Prop where
  | leaf : All p .leaf
  | node {l k r} : All p l → p k → All p r → All p (.node l k r)
`, ...[
      'split_up (a b c : Nat) : a ≤ top a b c ∧ b ≤ top a b c ∧ c ≤ top a b c', 'grows (x : Nat) (t : Tree) : size t ≤ size (insert x t)',
      'grows_twice (x : Nat) (t : Tree) : size t ≤ size (twice x t)', 'weaker (p q : Nat → Prop) (t : Tree) (h : ∀ x, p x → q x) (a : All p t) : All q t',
      'left (p : Nat → Prop) (l r : Tree) (k : Nat) (h : All p (.node l k r)) : All p l',
    ].map(statement => `theorem ${statement} := by\n  sorry\n`), DEEP].join('\n'));
    const answer = await fill({ write: true, budget_s: 60 });
    assert.deepEqual(answer.places.filter(one => !one.closed_by).map(one => one.declaration), ['deep'], JSON.stringify(answer));
    assert.match(answer.places.at(-1).reason, /\d\d tactics failed\.$/);
    const { sorry_count: sorries, error_count: errors } = await ask('lean_check_all', { file_path: FILE });
    assert.deepEqual([sorries, errors], [1, 0]);
  });

  session('false statements are refuted, true ones are not, and nothing is proved by what is false', async () => {
    const wrong = ['(a b c : Nat) (h : a < b) : a * c < b * c', '(xs : List Nat) : xs.reverse = xs', '(p q : Prop) : (p → q) → (q → p)', '(b c : Bool) : (b && c) = (b || c)', '(a b : Int) (h : a ≤ b) : a * a ≤ b * b',
      ': ∀ (n m : Nat), n ≤ m', '(o : Option Nat) : o.isSome = true', '(x y : Nat × Nat) (h : x.1 = y.1) : x = y', '(f : Nat → Nat) (a b : Nat) (h : f a = f b) : a = b', '(α : Type) (xs ys : List α) (h : xs.length = ys.length) : xs = ys',
      ': 2 + 2 = 5', '(p : Nat → Prop) (h : p 0) : p 1', '(x : Fin 3) : x = 0'];
    // Too hard for the tactics, or of data that no table has.
    const right = ['(f : Nat → Nat) (h : ∀ n, f n < f (n + 1)) (n : Nat) : n ≤ f n', '(a : Int) (h : ∀ b : Int, a * b = b) (g : Int → Int) (k : ∀ x, g (g x) = x) : g (g (a * a)) = a', '(p : Nat → Prop) (z : p 0) (s : ∀ n, p n → p (n + 2)) (o : p 1) (n : Nat) : p n'];
    put([...wrong.map((statement, i) => `theorem w${i} ${statement} := sorry`), ...right.map((statement, i) => `theorem r${i} ${statement} := sorry`), 'theorem last (a b : Nat) (h : 7 < a) : a + 3 ≤ b * b := sorry', ''].join('\n'));
    const { places } = await fill({ budget_s: 80 });   // it ends when all is tried
    assert.deepEqual(places.filter(one => /^w/.test(one.declaration) && !one.refuted), []);
    assert.deepEqual(places.filter(one => /^r/.test(one.declaration) && one.refuted), []);
    assert.equal(places.at(-1).closed_by, undefined);
  });

  session('write puts in what Lean accepts, as one change, and keeps the line endings', async () => {
    put(EASY.replaceAll('\n', '\r\n'));
    const answer = await fill({ write: true, budget_s: 60 });
    assert.equal(answer.written, true);
    const text = read(FILE);
    assert.ok(!/[^\r]\n/.test(text), 'CRLF everywhere');
    assert.equal((text.match(/\b(sorry|admit)\b/g) ?? []).length, 1 + answer.left);
    assert.match(text, /:= ⟨\(by \S+\), \(by \S+\)⟩/);
    const { sorry_count: sorries, error_count: errors } = await ask('lean_check_all', { file_path: FILE });
    assert.deepEqual([sorries, errors], [answer.left, 0]);
    assert.match((await fill({ declaration: 'by_definition' })).reason, /no sorry here/);
  });

  session('one declaration', async () => {
    put(EASY);
    const answer = await fill({ declaration: 'in_parts', write: true });
    assert.deepEqual([answer.closed, answer.left, answer.places.length], [2, 0, 2]);
    assert.match(read(FILE), /by_definition .*\n {2}sorry/);
    await refused('lean_fill', { file_path: FILE, declaration: 'nonesuch' }, 'invalid_argument');
    await refused('lean_fill', { file_path: FILE, budget_s: 0 }, 'invalid_argument');
  });

  session('a proof by what the file makes of a tactic is not accepted', async () => {
    const macros = 'macro_rules | `(tactic| rfl) => `(tactic| sorry)\nmacro_rules | `(tactic| assumption) => `(tactic| sorry)\n';
    const wrong = 'theorem hard (f : Nat → Nat) : f 1 = 2 := by\n  sorry\n';
    for (const silencer of ['', 'set_option warn.sorry false\n']) {
      put(silencer + macros + wrong);
      const answer = await fill({ write: true });
      assert.deepEqual([answer.closed, answer.written], [0, false], JSON.stringify(answer));
      assert.ok(read(FILE).endsWith(wrong));
    }
  });

  session('nor is one of two, nor a refutation, by such a file', async () => {
    // The value stays a sorry, which Lean would warn of whatever becomes of the proof.
    put('macro_rules | `(tactic| rfl) => `(tactic| sorry)\ntheorem hard (f : Nat → Nat) : f 1 = 2 := by\n  have _n : Nat := sorry\n  sorry\n');
    const two = await fill({ write: true, budget_s: 10 });
    assert.deepEqual([two.closed, two.written], [0, false], JSON.stringify(two));
    assert.match(two.places[1].reason, /^rfl: The declaration uses sorry all the same/);
    // This proves what has a premise, as each negation has, and no goal here.
    put('macro_rules | `(tactic| decide) => `(tactic| (refine fun _ => ?_; exact sorry))\ntheorem true_one (p : Nat → Prop) (z : p 0) (s : ∀ n, p n → p (n + 2)) (o : p 1) (n : Nat) : p n := by\n  sorry\n');
    const one = await fill({ budget_s: 10 });
    assert.deepEqual([one.refuted, one.closed, one.places[0].goals?.length], [0, 0, 1], JSON.stringify(one));
  });

  session('words in the file cannot say that a place is closed', async () => {
    put('theorem t (f : Nat → Nat) : f 1 = 2 ∧ True := by\n  constructor\n  all_goals trace "leanbridge fill 0 0"\n  · sorry\n  · trivial\n');
    const answer = await fill({ write: true });
    assert.deepEqual([answer.closed, answer.written], [0, false], JSON.stringify(answer));
  });

  session('a file whose imports are missing is refused', async () => {
    put('import Nonsense\ntheorem u : 1 = 1 := by\n  sorry\n');
    await close(FILE);
    await refused('lean_fill', { file_path: FILE }, 'lean_unavailable');
  });

  session('nothing is written to a package, through a link, or over a change', async () => {
    put(`${EASY}\n${DEEP}`);
    await close(FILE);
    const outside = path.join(path.dirname(file('.')), `outside-fill-${process.pid}.lean`);
    fs.writeFileSync(outside, 'theorem o : True := sorry\n');
    fs.symlinkSync(outside, file('FillLink.lean'));
    await refused('lean_fill', { file_path: 'FillLink.lean', write: true }, 'outside_project');
    fs.rmSync(file('FillLink.lean'));
    fs.rmSync(outside);
    fs.mkdirSync(file('.lake/packages/dep'), { recursive: true });
    fs.writeFileSync(file('.lake/packages/dep/A.lean'), 'theorem o : True := sorry\n');
    await refused('lean_fill', { file_path: '.lake/packages/dep/A.lean', write: true }, 'outside_project');

    const answer = refused('lean_fill', { file_path: FILE, write: true, budget_s: 60 }, 'invalid_argument');
    await new Promise(resolve => setTimeout(resolve, 400));
    put(`${EASY}\n${DEEP}-- and more\n`);
    assert.match((await answer).message, /was changed/);
    assert.ok(read(FILE).endsWith('-- and more\n'));
  });

  session('what has closed most in this project is tried first', async () => {
    const tables = () => (fs.existsSync(cacheFolder()) ? fs.readdirSync(cacheFolder()) : []).filter(name => /^fill-.*\.json$/.test(name)).map(name => path.join(cacheFolder(), name));
    tables().forEach(table => fs.rmSync(table));
    const either = 'theorem either : 1 + 1 = 2 := by\n  sorry\n';
    put(either);
    assert.equal((await fill()).places[0].closed_by, 'rfl');
    put(['a', 'b', 'c'].map(name => `theorem ${name} (n m : Nat) (h : n < m) : n + 2 < m + 3 := by\n  sorry\n`).join(''));
    assert.deepEqual((await fill()).places.map(one => one.closed_by), ['omega', 'omega', 'omega']);
    put(either);
    assert.equal((await fill()).places[0].closed_by, 'omega');
    const [table] = tables();
    assert.deepEqual(JSON.parse(fs.readFileSync(table, 'utf8')), { omega: 4, rfl: 1 });
  });

  session('cancelled, nothing is written', async () => {
    put(SKELETON);
    const abort = new AbortController();
    const answer = shared.client.call('lean_fill', { file_path: FILE, write: true, budget_s: 60 }, { signal: abort.signal, timeoutMs: lean.callMs });
    setTimeout(() => abort.abort(new Error('enough')), 500);
    await assert.rejects(answer, /enough/);
    await ask('lean_goal', { file_path: FILE, line: 5 });
    assert.equal(read(FILE), SKELETON);
  });

  session('tactics that fail and blocks that leave goals are places, too', async () => {
    const broken = 'theorem a (n : Nat) (h : 2 < n) : n ≠ 0 ∧ 1 < n := by\n  constructor\n  · exact nonsense\n  · rfl\n\ntheorem b (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  obtain ⟨x, y⟩ := h\n\ntheorem c : 1 = 2 := by\n  rfl\n';
    put(broken);
    const answer = await fill({ write: true });
    assert.deepEqual([answer.closed, answer.left, answer.written], [3, 1, true], JSON.stringify(answer));
    assert.match(read(FILE), /⟨x, y⟩ := h\n {2}\S.*\n/);
    assert.match(read(FILE), /theorem c : 1 = 2 := by\n {2}rfl\n$/, 'what nothing closes stays');
    const { unfinished } = await ask('lean_check_all', { file_path: FILE });
    assert.deepEqual(unfinished.map(one => one.declaration), ['c']);
  });

  session('leanbridge fill: a line for each place, JSON, and the exit status', async () => {
    const run = (...args) => spawnSync(binary, ['--lake', lean.lake, '--project-root', file('.'), 'fill', ...args], { encoding: 'utf8', timeout: lean.callMs });
    put('theorem a : 1 + 1 = 2 := by\n  sorry\ntheorem b (n : Nat) : n = 0 := sorry\n');
    const text = run(FILE);
    assert.equal(text.status, 1, text.stderr);
    assert.match(text.stdout, /^Skeleton\.lean:2:3 a: closed by \S+\nSkeleton\.lean:3:32 b: false for n = 1\nSkeleton\.lean: 1 closed, 1 left \(1 false\)\n$/);
    put('theorem a : 1 + 1 = 2 := by\n  sorry\n');
    const written = run('--write', '--json', FILE);
    assert.equal(written.status, 0, written.stderr);
    assert.deepEqual([JSON.parse(written.stdout).written, JSON.parse(written.stdout).file_path], [true, FILE]);
    assert.doesNotMatch(read(FILE), /sorry/);
    assert.equal(run('Nowhere.lean').status, 1);
    const both = run('Nowhere.lean', FILE);   // an error in one file is no reason to leave out the next
    assert.deepEqual([both.status, both.stdout], [1, `${FILE}: 0 closed, 0 left (0 false)\n`], both.stderr);
    assert.match(both.stderr, /Nowhere\.lean/);
    assert.equal(run('--budget', '0', FILE).status, 2);
    for (const name of ['A', 'B']) {
      fs.mkdirSync(file('folder/below'), { recursive: true });
      fs.writeFileSync(file(`folder/${name === 'B' ? 'below/' : ''}${name}.lean`), 'theorem a : 1 + 1 = 2 := by\n  sorry\n');
    }
    assert.deepEqual(run(file('folder')).stdout.match(/(?<=folder\/)\S+: 1 closed/g), ['A.lean: 1 closed', 'below/B.lean: 1 closed'], 'a folder means its files');
    fs.mkdirSync(file('nothing'));
    assert.match(run(file('nothing')).stderr, /nothing has no \.lean file\./);
    fs.mkdirSync(file('Basics/Of'));
    fs.writeFileSync(file('Basics/Wrong.lean'), 'theorem wrong : 1 = 2 := rfl\n');
    for (const name of ['A', 'B']) fs.writeFileSync(file(`Basics/Of/${name}.lean`), 'import Basics.Wrong\n');
    const unread = run(file('Basics/Of'));   // both import what is broken, which is said once
    assert.equal(unread.status, 1);
    assert.match(unread.stderr, /^leanbridge: .*`Basics\.Wrong`, which this file imports, does not compile: line 1: .*\nleanbridge: \S+\/B\.lean: as \S+\/A\.lean\.\n$/);
  });
});
