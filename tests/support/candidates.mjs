// Candidates with known verdicts, for `leanbridge check`: honest proofs, wrong ones, sorries in the open and in disguise, runaways, crashes.
import { randomFrom } from './soak-files.mjs';

/** Never ends. Lean can interrupt each round, and mostly sleeps. */
export const ENDLESS = 'set_option maxHeartbeats 0 in\ntheorem NAME : 1 = 2 := by\n  repeat\' (sleep 20; refine id ?_)\n';
/** The same, computing: it takes exponentially many steps. */
export const RUNAWAY = 'def branch : Nat → Nat → Bool\n  | 0, _ => true\n  | n + 1, k => branch n (2 * k) && branch n (2 * k + 1)\n' +
  'set_option maxRecDepth 100000 in\nset_option maxHeartbeats 0 in\ntheorem endless : branch 60 0 = true := by decide\n';
export const CRASH = '#eval (IO.Process.exit 7 : IO Unit)\n';

/** "Proofs" of 1 = 2, about which Lean reports nothing. */
export const HIDDEN = [
  'set_option warn.sorry false\ntheorem NAME : 1 = 2 := sorry\n',
  'set_option warn.sorry false in\ntheorem NAME : 1 = 2 := by sorry\n',
  'macro "qed" : tactic => `(tactic| set_option warn.sorry false in as_aux_lemma => sorry)\ntheorem NAME : 1 = 2 := by qed\n',
  'macro "quietly " "theorem " n:ident : command => `(command| set_option warn.sorry false in theorem $n : 1 = 2 := sorry)\nquietly theorem NAME\n',
];
const HONEST = [
  'theorem NAME : VALUE + 1 = 1 + VALUE := Nat.add_comm _ _\n',
  'theorem NAME (p q : Prop) (hp : p) (hq : q) : p ∧ q := by\n  constructor\n  · exact hp\n  · exact hq\n',
  'theorem NAME (a b : Nat) (h : a < b) : a + VALUE < b + VALUE := by\n  omega\n',
  'theorem NAME (xs : List Nat) : (xs ++ []).length = xs.length := by\n  simp\n',
  // These look like a sorry, but are not.
  'theorem NAME : "sorry".length = 5 := by\n  -- sorry, this is all\n  rfl\n',
];
const WRONG = ['theorem NAME : VALUE = VALUE + 1 := rfl\n', 'theorem NAME (p q : Prop) : p → q := by\n  intro h\n  exact h\n', 'theorem NAME : True := by\n  exact unknown_VALUE\n', 'theorem NAME (p q : Prop) (hp : p) : p ∧ q := by\n  constructor\n  · exact hp\n'];
const OPEN = ['theorem NAME : 1 = 2 := sorry\n', 'theorem NAME : 1 = 2 := by\n  have h : 1 = 2 := by sorry\n  exact h\n'];

/** How many of each kind are among a hundred candidates. */
const MIX = { timeout: 10, crash: 5, hidden: 10, sorry: 10, error: 15, ok: 50 };
const HEADERS = ['', 'import Std.Data.HashMap\n', 'import Init.Data.List.Lemmas\nset_option autoImplicit false\n'];

/**
 * `count` candidates in random order: {id, header, body, timeout_s, verdict}. Kinds occur in the proportions of MIX, headers in turn. All
 * declare the same name, so that a candidate fails if it sees the declarations of another.
 */
export function candidates(count, { seed = 1, timeoutS = 1.5, mix = MIX } = {}) {
  const random = randomFrom(seed);
  const kinds = Object.entries(mix).flatMap(([kind, share]) => Array.from({ length: Math.round(count * share / 100) }, () => kind));
  while (kinds.length < count) kinds.push('ok');
  kinds.length = count;
  const all = kinds.map((kind, i) => {
    const of = { timeout: [ENDLESS], crash: [CRASH], hidden: HIDDEN, sorry: OPEN, error: WRONG, ok: HONEST }[kind];
    const body = of[i % of.length].replaceAll('NAME', 'candidate').replaceAll('VALUE', String(i));
    return {
      id: `${kind}-${i}`, header: HEADERS[i % HEADERS.length], body, ...(kind === 'timeout' ? { timeout_s: timeoutS } : {}),
      verdict: kind === 'hidden' ? 'sorry' : kind,
    };
  });
  for (let i = all.length - 1; i > 0; i--) { const j = random.below(i + 1); [all[i], all[j]] = [all[j], all[i]]; }
  return all;
}

/** The candidates as `leanbridge check` reads them. */
export const asLines = list => list.map(({ verdict: _, ...item }) => `${JSON.stringify(item)}\n`).join('');
export const expected = list => Object.fromEntries(list.map(({ id, verdict }) => [id, verdict]));

/** The output as {id: verdict}. Each id must occur once, and each line must be complete. */
export function verdictsIn(output) {
  const found = {};
  if (output !== '' && !output.endsWith('\n')) throw new Error(`the output ends in the middle of a line: …${output.slice(-80)}`);
  for (const line of output.split('\n').filter(Boolean)) {
    const { id, verdict } = JSON.parse(line);
    if (id in found) throw new Error(`${id} is there twice`);
    found[id] = verdict;
  }
  return found;
}
