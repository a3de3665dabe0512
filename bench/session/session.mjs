// A session of 100 calls, as agents work: twelve theorems in four files proved in small steps, with the mistakes that are usual. Only tools that
// lean-lsp-mcp has too, and no services. scripts/bench replay plays it on both servers.
//
// A step is an edit, {edit: FILE, text}, or a call, {tool, args, facts, failing?}:
//   facts    texts that the answer must hold somewhere in its strings, whoever gives it: what the agent needed from this call
//   failing  whether it must report an error in the text

export const FILES = {
  'Bench/Logic.lean': `theorem and_swap (p q : Prop) (h : p ∧ q) : q ∧ p := by
  sorry

theorem or_swap (p q : Prop) (h : p ∨ q) : q ∨ p := by
  sorry

theorem imp_chain (p q r : Prop) (hpq : p → q) (hqr : q → r) : p → r := by
  sorry

theorem not_both (p : Prop) : ¬(p ∧ ¬p) := by
  sorry
`,
  'Bench/Double.lean': `def double (n : Nat) : Nat := n + n

theorem double_add (a b : Nat) : double (a + b) = double a + double b := by
  sorry

theorem sub_add_self (m n : Nat) (h : m ≤ n) : n - m + m = n := by
  sorry

theorem lt_of_double_lt (a b : Nat) (h : double a < double b) : a < b := by
  sorry
`,
  'Bench/Lists.lean': `theorem length_both (xs ys : List Nat) : (xs ++ ys).length = xs.length + ys.length := by
  sorry

theorem append_none (xs : List Nat) : xs ++ [] = xs := by
  sorry

theorem length_map_double (xs : List Nat) : (xs.map fun x => x + x).length = xs.length := by
  sorry
`,
  'Bench/Tree.lean': `inductive Tree where
  | leaf : Tree
  | node : Tree → Nat → Tree → Tree

def Tree.mirror : Tree → Tree
  | .leaf => .leaf
  | .node l x r => .node r.mirror x l.mirror

def Tree.size : Tree → Nat
  | .leaf => 0
  | .node l _ r => l.size + 1 + r.size

theorem Tree.mirror_mirror (t : Tree) : t.mirror.mirror = t := by
  sorry

theorem Tree.size_mirror (t : Tree) : t.mirror.size = t.size := by
  sorry
`,
};

class Recorder {
  steps = [];
  #texts = new Map(Object.entries(FILES));

  edit(file, from, to) {
    const text = this.#texts.get(file);
    if (text.split(from).length !== 2) throw new Error(`${file} does not hold exactly one ${from}`);
    this.#texts.set(file, text.replace(from, () => to));
    this.steps.push({ edit: file, text: this.#texts.get(file) });
  }
  /** Replaces the proof of a theorem, up to the next blank line. */
  prove(file, theorem, proof) {
    const text = this.#texts.get(file);
    const start = text.indexOf(':= by\n', text.indexOf(`theorem ${theorem} `)) + ':= by\n'.length;
    const blank = text.indexOf('\n\n', start);
    const end = blank < 0 ? text.length : blank + 1;
    this.#texts.set(file, `${text.slice(0, start)}${proof.split('\n').map(line => `  ${line}\n`).join('')}${text.slice(end)}`);
    this.steps.push({ edit: file, text: this.#texts.get(file) });
  }
  /** The line and column of `needle` after the beginning of the theorem; with `end`, behind it. */
  at(file, theorem, needle, { end = false } = {}) {
    const text = this.#texts.get(file);
    const from = text.indexOf(`theorem ${theorem} `);
    const index = text.indexOf(needle, from);
    if (from < 0 || index < 0) throw new Error(`${file}: no ${needle} in ${theorem}`);
    const before = text.slice(0, index + (end ? needle.length : 0));
    return { file_path: file, line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') };
  }
  call(tool, args, facts = [], failing = undefined) { this.steps.push({ tool, args, facts, ...(failing !== undefined && { failing }) }); }

  goal(file, theorem, needle, facts, options) { this.call('lean_goal', this.at(file, theorem, needle, options), facts); }
  /** Without a column: before and after the line. */
  line(file, theorem, needle, facts) { const { column, ...args } = this.at(file, theorem, needle); this.call('lean_goal', args, facts); }
  check(file, failing, facts = []) { this.call('lean_diagnostic_messages', { file_path: file }, facts, failing); }
  errors(file, failing, facts = []) { this.call('lean_diagnostic_messages', { file_path: file, severity: 'error' }, facts, failing); }
  /** On a whole line, as agents do. */
  attempt(file, theorem, needle, snippets, facts = []) { const { column, ...args } = this.at(file, theorem, needle); this.call('lean_multi_attempt', { ...args, snippets }, facts); }
  /** In the middle of a line. */
  attemptAt(file, theorem, needle, snippets, facts = []) { this.call('lean_multi_attempt', { ...this.at(file, theorem, needle), snippets }, facts); }
}

function record() {
  const s = new Recorder();
  const [logic, double, lists, tree] = Object.keys(FILES);

  s.call('lean_file_outline', { file_path: logic }, ['and_swap', 'or_swap', 'imp_chain']);
  s.check(logic, false, ['sorry']);

  // 1. A conjunction: a wrong projection, then the right ones.
  s.goal(logic, 'and_swap', 'sorry', ['h : p ∧ q', '⊢ q ∧ p']);
  s.attempt(logic, 'and_swap', 'sorry', ['constructor', 'exact h', 'trivial'], ['⊢ q', '⊢ p']);
  s.prove(logic, 'and_swap', 'constructor\n· exact h.left\n· exact h.left');
  s.errors(logic, true, ['h.left']);
  s.goal(logic, 'and_swap', 'exact h.left', ['⊢ q']);
  s.call('lean_hover_info', s.at(logic, 'and_swap', 'h.left'));
  s.prove(logic, 'and_swap', 'constructor\n· exact h.right\n· exact h.left');
  s.errors(logic, false);
  s.goal(logic, 'and_swap', 'exact h.left', [], { end: true });

  // 2. A disjunction: cases with a wrong side first.
  s.goal(logic, 'or_swap', 'sorry', ['h : p ∨ q', '⊢ q ∨ p']);
  s.attempt(logic, 'or_swap', 'sorry', ['exact Or.symm h', 'exact h', 'cases h', 'constructor'], ['h✝ : p', 'h✝ : q']);
  s.prove(logic, 'or_swap', 'cases h with\n| inl hp => exact Or.inl hp\n| inr hq => exact Or.inl hq');
  s.errors(logic, true, ['Or.inl hp']);
  s.goal(logic, 'or_swap', 'exact Or.inl hp', ['hp : p', '⊢ q ∨ p']);
  s.call('lean_term_goal', s.at(logic, 'or_swap', 'Or.inl hp'), ['q ∨ p']);
  s.prove(logic, 'or_swap', 'cases h with\n| inl hp => exact Or.inr hp\n| inr hq => exact Or.inl hq');
  s.errors(logic, false);
  s.line(logic, 'or_swap', '| inr hq', ['hq : q']);

  // 3. Implications: a forgotten intro.
  s.goal(logic, 'imp_chain', 'sorry', ['hpq : p → q', '⊢ p → r']);
  s.prove(logic, 'imp_chain', 'exact hqr (hpq hp)');
  s.errors(logic, true, ['hp']);
  s.prove(logic, 'imp_chain', 'intro hp\nsorry');
  s.line(logic, 'imp_chain', 'intro hp', ['⊢ p → r', 'hp : p', '⊢ r']);
  s.attempt(logic, 'imp_chain', 'sorry', ['exact hqr hp', 'exact hqr (hpq hp)', 'assumption', 'simp_all'], ['exact hqr (hpq hp)']);
  s.prove(logic, 'imp_chain', 'intro hp\nexact hqr (hpq hp)');
  s.check(logic, false);
  s.call('lean_verify', { file_path: logic, theorem_name: 'imp_chain' });

  // A negation: introduced too far.
  s.goal(logic, 'not_both', 'sorry', ['⊢ ¬(p ∧ ¬p)']);
  s.attempt(logic, 'not_both', 'sorry', ['intro h', 'rintro h', 'contradiction', 'exact fun h => h.2 h.1'], ['h : p ∧ ¬p', '⊢ False']);
  s.prove(logic, 'not_both', 'intro h k\nexact h.2 h.1');
  s.errors(logic, true, ['intro']);
  s.prove(logic, 'not_both', 'intro h\ncases h with\n| intro hp hn => exact hn h');
  s.errors(logic, true, ['h']);
  s.goal(logic, 'not_both', 'exact hn h', ['hp : p', 'hn : ¬p', '⊢ False']);
  s.call('lean_term_goal', s.at(logic, 'not_both', 'hn h'), ['False']);
  s.prove(logic, 'not_both', 'intro h\ncases h with\n| intro hp hn => exact hn hp');
  s.line(logic, 'not_both', 'exact hn hp', []);
  s.check(logic, false);
  s.call('lean_file_outline', { file_path: logic }, ['not_both']);

  // 4. A definition to unfold: omega does not see through it.
  s.call('lean_file_outline', { file_path: double }, ['double', 'lt_of_double_lt']);
  s.goal(double, 'double_add', 'sorry', ['⊢ double (a + b) = double a + double b']);
  s.attempt(double, 'double_add', 'sorry', ['omega', 'rfl', 'simp', 'unfold double'], ['a + b + (a + b) = a + a + (b + b)']);
  s.prove(double, 'double_add', 'omega');
  s.errors(double, true, ['omega']);
  s.call('lean_hover_info', s.at(double, 'double_add', 'double (a'), ['double (n : Nat) : Nat']);
  s.prove(double, 'double_add', 'unfold double\nsorry');
  s.line(double, 'double_add', 'unfold double', ['⊢ double (a + b) = double a + double b', 'a + b + (a + b) = a + a + (b + b)']);
  s.attempt(double, 'double_add', 'sorry', ['omega', 'rfl', 'simp'], ['omega']);
  s.prove(double, 'double_add', 'unfold double\nomega');
  s.call('lean_diagnostic_messages', { file_path: double, declaration_name: 'double_add' }, [], false);
  s.goal(double, 'double_add', 'omega', [], { end: true });
  s.errors(double, false);

  // 5. Truncated subtraction: a lemma by name, with the argument forgotten.
  s.goal(double, 'sub_add_self', 'sorry', ['h : m ≤ n', '⊢ n - m + m = n']);
  s.call('lean_run_code', { code: '#check @Nat.sub_add_cancel\n' }, ['Nat.sub_add_cancel', 'n - m + m = n'], false);
  s.prove(double, 'sub_add_self', 'exact Nat.sub_add_cancel');
  s.errors(double, true, ['Nat.sub_add_cancel']);
  s.call('lean_hover_info', s.at(double, 'sub_add_self', 'Nat.sub_add_cancel'), ['Nat.sub_add_cancel']);
  s.prove(double, 'sub_add_self', 'exact Nat.sub_add_cancel h');
  s.errors(double, false);
  s.goal(double, 'sub_add_self', 'Nat.sub_add_cancel h', [], { end: true });

  // 6. A hypothesis to unfold: at the goal, where it does nothing.
  s.goal(double, 'lt_of_double_lt', 'sorry', ['h : double a < double b', '⊢ a < b']);
  s.prove(double, 'lt_of_double_lt', 'unfold double\nomega');
  s.errors(double, true, ['unfold']);
  s.attempt(double, 'lt_of_double_lt', 'unfold double', ['unfold double at h', 'simp [double] at h', 'simp only [double] at h'], ['a + a < b + b']);
  s.prove(double, 'lt_of_double_lt', 'unfold double at h\nomega');
  s.line(double, 'lt_of_double_lt', 'unfold double at h', ['h : double a < double b', 'h : a + a < b + b']);
  s.check(double, false);
  s.call('lean_references', s.at(double, 'double_add', 'double_add'), ['Bench/Double.lean']);
  s.call('lean_verify', { file_path: double, theorem_name: 'lt_of_double_lt' });

  // 7. Lists: an induction whose step is left open.
  s.goal(lists, 'length_both', 'sorry', ['⊢ (xs ++ ys).length = xs.length + ys.length']);
  s.attempt(lists, 'length_both', 'sorry', ['rfl', 'omega', 'induction xs'], ['([] ++ ys).length = [].length + ys.length']);
  s.prove(lists, 'length_both', 'induction xs with\n| nil => simp\n| cons x xs ih => rw [ih]');
  s.errors(lists, true, ['rewrite']);
  s.goal(lists, 'length_both', 'rw [ih]', ['ih : (xs ++ ys).length = xs.length + ys.length', '⊢ (x :: xs ++ ys).length = (x :: xs).length + ys.length']);
  s.attemptAt(lists, 'length_both', 'rw [ih]', ['simp', 'omega', 'simp only [List.cons_append, List.length_cons, ih]; omega']);
  s.call('lean_hover_info', s.at(lists, 'length_both', 'ih]'), ['(xs ++ ys).length = xs.length + ys.length']);
  s.prove(lists, 'length_both', 'induction xs with\n| nil => simp\n| cons x xs ih => simp only [List.cons_append, List.length_cons, ih]; omega');
  s.errors(lists, false);
  s.line(lists, 'length_both', '| nil => simp', []);
  s.line(lists, 'length_both', '| cons x xs ih', ['ih : (xs ++ ys).length = xs.length + ys.length']);

  // 8. A search for the lemma by exact?.
  s.goal(lists, 'append_none', 'sorry', ['⊢ xs ++ [] = xs']);
  s.prove(lists, 'append_none', 'rfl');
  s.errors(lists, true);
  s.prove(lists, 'append_none', 'exact?');
  s.check(lists, false, ['Try this', 'List.append_nil']);
  s.call('lean_code_actions', { file_path: lists, line: s.at(lists, 'append_none', 'exact?').line }, ['List.append_nil']);
  s.prove(lists, 'append_none', 'exact List.append_nil xs');
  s.check(lists, false);
  s.goal(lists, 'append_none', 'List.append_nil xs', [], { end: true });

  // A map: found by simp, then by its lemma.
  s.goal(lists, 'length_map_double', 'sorry', ['.length = xs.length']);
  s.attempt(lists, 'length_map_double', 'sorry', ['rfl', 'omega', 'simp', 'induction xs']);
  s.prove(lists, 'length_map_double', 'rw [List.length_map_double]');
  s.errors(lists, true, ['List.length_map_double']);
  s.call('lean_run_code', { code: 'open List in\n#check @length_map\n' }, ['length_map'], false);
  s.prove(lists, 'length_map_double', 'exact List.length_map xs');
  s.errors(lists, true, ['List.length_map']);
  s.call('lean_hover_info', s.at(lists, 'length_map_double', 'List.length_map'), ['List.length_map']);
  s.prove(lists, 'length_map_double', 'exact List.length_map _');
  s.check(lists, false);
  s.call('lean_verify', { file_path: lists, theorem_name: 'length_map_double' });
  s.goal(lists, 'length_map_double', 'List.length_map _', ['.length = xs.length']);

  s.call('lean_declaration_file', { file_path: tree, symbol: 'Tree.size' }, ['l.size + 1 + r.size']);

  // 9. A tree: an induction with a wrong lemma, then by rewriting.
  s.call('lean_file_outline', { file_path: tree }, ['Tree', 'mirror_mirror', 'size_mirror']);
  s.goal(tree, 'Tree.mirror_mirror', 'sorry', ['⊢ t.mirror.mirror = t']);
  s.attempt(tree, 'Tree.mirror_mirror', 'sorry', ['rfl', 'simp', 'simp [Tree.mirror]', 'induction t'], ['Tree.leaf.mirror.mirror = Tree.leaf']);
  s.prove(tree, 'Tree.mirror_mirror', 'induction t with\n| leaf => rfl\n| node l x r ihl ihr => simp [Tree.mirror]');
  s.errors(tree, true, ['l.mirror.mirror = l']);
  s.goal(tree, 'Tree.mirror_mirror', 'simp [Tree.mirror]', ['ihl : l.mirror.mirror = l', 'ihr : r.mirror.mirror = r', '⊢ (l.node x r).mirror.mirror = l.node x r']);
  s.attemptAt(tree, 'Tree.mirror_mirror', 'simp [Tree.mirror]', ['simp [Tree.mirror, ihl, ihr]', 'rw [ihl, ihr]']);
  s.prove(tree, 'Tree.mirror_mirror', 'induction t with\n| leaf => rfl\n| node l x r ihl ihr => simp [Tree.mirror, ihl, ihr]');
  s.errors(tree, false);
  s.goal(tree, 'Tree.mirror_mirror', '| leaf', []);
  s.goal(tree, 'Tree.mirror_mirror', 'simp [Tree.mirror, ihl', ['ihr : r.mirror.mirror = r']);
  s.call('lean_hover_info', s.at(tree, 'Tree.size_mirror', 't.mirror.size'), ['Tree']);

  // 10. Its size: the sum is in another order.
  s.goal(tree, 'Tree.size_mirror', 'sorry', ['⊢ t.mirror.size = t.size']);
  s.prove(tree, 'Tree.size_mirror', 'induction t with\n| leaf => rfl\n| node l x r ihl ihr => simp only [Tree.mirror, Tree.size, ihl, ihr]');
  s.errors(tree, true, ['l.size']);
  s.line(tree, 'Tree.size_mirror', '| node l x r ihl ihr', ['ihl : l.mirror.size = l.size']);
  s.attemptAt(tree, 'Tree.size_mirror', 'simp only', ['simp [Tree.mirror, Tree.size, ihl, ihr]', 'simp only [Tree.mirror, Tree.size, ihl, ihr]; rfl', 'simp only [Tree.mirror, Tree.size, ihl, ihr]; omega']);
  s.prove(tree, 'Tree.size_mirror', 'induction t with\n| leaf => rfl\n| node l x r ihl ihr => simp only [Tree.mirror, Tree.size, ihl, ihr]; omega');
  s.errors(tree, false);
  s.goal(tree, 'Tree.size_mirror', 'omega', ['r.size + 1 + l.size = l.size + 1 + r.size']);
  s.goal(tree, 'Tree.size_mirror', 'omega', [], { end: true });
  s.check(tree, false);
  s.call('lean_verify', { file_path: tree, theorem_name: 'Tree.size_mirror' });
  s.call('lean_run_code', { code: 'theorem t (a b : Nat) : a + b = b + a := by\n  omega\n' }, [], false);
  s.call('lean_completions', s.at(double, 'lt_of_double_lt', 'unfold doub', { end: true }), ['double']);
  return s.steps;
}

export const STEPS = record();
