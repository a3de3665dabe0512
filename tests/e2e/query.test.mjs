// Queries about names, types, positions and proofs, on a real Lean.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe } from 'node:test';
import { lean } from '../support/leans.mjs';
import { sharedSession, skip } from '../support/session.mjs';

const BASE = 'Multi/Base.lean';
const LEMMAS = 'Multi/Lemmas.lean';
const SHAPES = 'Multi/Shapes.lean';
const USE = 'Multi/Use.lean';
const MINE = 'Multi/Mine.lean';
const MINE_TEXT = `import Multi.Base

open Multi
variable (k : Nat)

/-- Doc of mine. -/
@[simp] theorem mine (a b : Nat) (h : a = b) : b = a ∧ True := by
  constructor
  · exact h.symm
  · trivial

theorem cased (p q r : Prop) (h : p ∨ q) (hp : p → r) (hq : q → r) : r := by
  cases h with
  | inl h1 =>
    apply hp
    exact h1
  | inr h2 => exact hq h2

def «the name» : Nat := 1
theorem x₁ : «the name» = 1 := rfl

#check Nat.succ_l
theorem wrong : 1 = 2 := by
  decide

theorem later : 1 = 2 := sorry
`;

describe('questions across files', { skip }, () => {
  const { session, ask, refused, locate, file, read, edit, close, workers } = sharedSession('multi');
  const short = items => items.map(item => `${item.file_path.split('/').at(-1)}:${item.line}:${item.column}`);

  session('lean_hover_info: signature, symbol, and null where there is nothing', async () => {
    const hover = await ask('lean_hover_info', locate(USE, 'twice (twice'));
    assert.equal(hover.symbol, 'twice');
    assert.match(hover.info, /^Multi\.twice \(n : Nat\) : Nat/);
    assert.deepEqual(hover.diagnostics, []);
    const nothing = await ask('lean_hover_info', { file_path: USE, line: 7, column: 1 });
    assert.deepEqual([nothing.symbol, nothing.info], [null, null]);
    await refused('lean_hover_info', { file_path: USE, line: 700, column: 1 }, 'invalid_argument');
  });
  session('lean_references: declaration and uses in all files', async () => {
    const found = await ask('lean_references', locate(USE, 'scale_x'));
    assert.deepEqual(short(found.items), ['Shapes.lean:9:9', 'Use.lean:9:7', 'Use.lean:9:16']);
    assert.deepEqual([found.total, found.truncated, found.index_complete, found.partial], [3, false, true, false]);
    const twice = await ask('lean_references', { ...locate(USE, 'twice (twice'), max_results: 2 });
    assert.deepEqual([twice.items.length, twice.truncated], [2, true]);
    assert.deepEqual(new Set((await ask('lean_references', locate(USE, 'twice (twice'))).items.map(item => item.file_path)),
      new Set([BASE, LEMMAS, SHAPES, USE].map(file)));
    // A trial has its own document, in which Lean finds the name too.
    await ask('lean_multi_attempt', { file_path: USE, line: 12, snippets: ['exact twice_eq (twice n)'] });
    const afterTrial = await ask('lean_references', locate(USE, 'twice (twice'));
    assert.deepEqual(new Set(afterTrial.items.map(item => item.file_path)), new Set([BASE, LEMMAS, SHAPES, USE].map(file)));
    const none = await ask('lean_references', { file_path: USE, line: 7, column: 1 });
    assert.deepEqual([none.items, none.total], [[], 0]);
    await refused('lean_references', { file_path: USE, line: 1, column: 99 }, 'invalid_argument');
  });
  session('lean_declaration_file: the source in another file', async () => {
    const found = await ask('lean_declaration_file', { file_path: USE, symbol: 'twice', context_lines: 1 });
    assert.equal(found.file_path, file(BASE));
    assert.match(found.content, /^\n\/-- Twice a number\. -\/\ndef twice .*\n$/);
    assert.deepEqual([found.start_line, found.end_line, found.total_lines], [4, 7, 14]);
    // The second answer uses what was built for the first.
    const again = await ask('lean_declaration_file', { file_path: USE, symbol: 'twice', context_lines: 1 });
    assert.deepEqual([again.start_line, again.end_line], [4, 7]);
    const whole = await ask('lean_declaration_file', { file_path: USE, symbol: 'scale', full_file: true });
    assert.equal(whole.file_path, file(SHAPES));
    assert.equal(whole.content, read(SHAPES).trimEnd());
    const unused = await ask('lean_declaration_file', { file_path: USE, symbol: 'twice_zero', context_lines: 0 });
    assert.equal(unused.content, 'theorem twice_zero : twice 0 = 0 := rfl');
    for (const symbol of ['nonesuch', '']) await refused('lean_declaration_file', { file_path: USE, symbol }, 'invalid_argument');
    await refused('lean_declaration_file', { file_path: USE, symbol: 'rw [x]\n#eval 1' }, 'invalid_argument');
  });
  session('lean_declaration_file: no sources, and it says so', async () => {
    const error = await refused('lean_declaration_file', { file_path: USE, symbol: 'Nat.add_comm' }, 'not_supported');
    assert.match(error.message, /Init\.Data\.Nat/);
  }, { skip: lean.hasLibrarySources ? 'this toolchain has its sources' : false });
  session('lean_file_outline: imports, namespaces, types', async () => {
    const outline = await ask('lean_file_outline', { file_path: USE });
    assert.deepEqual(outline.imports, ['Multi.Lemmas', 'Multi.Shapes']);
    assert.deepEqual([outline.total_declarations, outline.truncated], [2, false]);
    const [{ name, kind, children }] = outline.declarations;
    assert.deepEqual([name, kind], ['Multi', 'Ns']);
    assert.deepEqual(children.map(child => [child.name, child.kind, child.start_line, child.end_line, child.type_signature]), [
      ['Multi.scale_twice', 'Thm', 8, 9, '(p : Point) : p.scale.scale.x = twice (twice p.x)'],
      ['Multi.four', 'Thm', 11, 12, '(n : Nat) : twice (twice n) = twice n + twice n'],
    ]);
    const base = await ask('lean_file_outline', { file_path: BASE, max_declarations: 1 });
    assert.deepEqual([base.total_declarations, base.truncated, base.declarations[0].children.map(child => child.kind)], [3, true, ['Def']]);
    await refused('lean_file_outline', { file_path: 'Multi/None.lean' }, 'file_not_found');
  });
  session('lean_locate: by its last part, imported or not', async () => {
    const one = ({ candidates }) => candidates.map(({ name, module, file_path, line, in_environment }) => [name, module, file_path, line, in_environment]);
    assert.deepEqual(one(await ask('lean_locate', { file_path: USE, name: 'twice' })), [['Multi.twice', 'Multi.Base', file(BASE), 6, true]]);
    assert.deepEqual(one(await ask('lean_locate', { file_path: BASE, name: 'scale_twice' })), [['Multi.scale_twice', 'Multi.Use', file(USE), 8, false]]);
    const comm = await ask('lean_locate', { file_path: USE, name: 'add_comm' });
    assert.ok(comm.candidates.some(({ name, module }) => name === 'Nat.add_comm' && module.startsWith('Init.')), JSON.stringify(comm));
    assert.deepEqual((await ask('lean_locate', { file_path: USE, name: 'nonesuch' })).candidates, []);
    const misspelt = await ask('lean_locate', { file_path: USE, name: 'Multi.scale_twicee' });
    assert.deepEqual([misspelt.candidates, misspelt.similar?.includes('Multi.scale_twice')], [[], true], JSON.stringify(misspelt));
    await refused('lean_locate', { file_path: USE, name: '' }, 'invalid_argument');
  });
  session('lean_search: what the file can use', async () => {
    const here = await ask('lean_search', { file_path: USE, pattern: 'twice_' });
    assert.deepEqual(here.items.map(item => [item.name, item.module]).sort(), [['Multi.twice_add', 'Multi.Lemmas'], ['Multi.twice_eq', 'Multi.Lemmas'], ['Multi.twice_zero', 'Multi.Base']]);
    assert.equal(here.items.find(item => item.name === 'Multi.twice_eq').type, '∀ (n : Nat), Multi.twice n = n + n');
    assert.ok(!(await ask('lean_search', { file_path: BASE, pattern: 'twice_eq' })).items.some(item => item.name === 'Multi.twice_eq'), 'not imported there');
    const own = await ask('lean_search', { file_path: USE, pattern: 'four' });
    assert.deepEqual([own.items[0]?.name, own.items[0]?.module], ['Multi.four', 'Multi.Use'], 'its own names, first, also without a line');
    assert.deepEqual((await ask('lean_locate', { file_path: USE, name: 'four' })).candidates.map(({ name, file_path, line, in_environment }) => [name, file_path, line, in_environment])[0], ['Multi.four', file(USE), 11, true]);
    const few = await ask('lean_search', { file_path: USE, pattern: 'Nat.add_c', limit: 2 });
    assert.deepEqual([few.items.length, few.truncated, few.items[0].name], [2, true, 'Nat.add_comm']);
    await refused('lean_search', { file_path: USE, pattern: '_ + _' }, 'invalid_argument');
  });
  session('lean_print and lean_about: in the header\'s context, in a place\'s, and of the file itself', async () => {
    assert.match((await ask('lean_print', { file_path: USE, name: 'Multi.twice' })).text, /def Multi\.twice : Nat → Nat :=\nfun n => n \+ n/);
    assert.match((await ask('lean_print', { file_path: USE, name: 'twice', line: 8 })).text, /def Multi\.twice/);
    assert.match((await ask('lean_print', { file_path: USE, name: 'four' })).text, /theorem Multi\.four/);
    assert.match((await refused('lean_print', { file_path: USE, name: 'twice' }, 'invalid_argument')).message, /Unknown/);
    const about = await ask('lean_about', { file_path: USE, name: 'twice_add', line: 11 });
    assert.deepEqual([about.name, about.kind, about.module, about.type], ['Multi.twice_add', 'theorem', 'Multi.Lemmas', '∀ (a b : Nat), twice (a + b) = twice a + twice b']);
    assert.deepEqual(about.defined_at, { file_path: file(LEMMAS), line: 9 });
    assert.deepEqual((await ask('lean_about', { file_path: USE, name: 'List.map' })).implicit_arguments.length, 2);
    await refused('lean_about', { file_path: USE, name: 'nonesuch' }, 'invalid_argument');
    for (const name of ['x\n#eval 1', '«x\n#eval 1»', 'x #eval 1', '«', 'a..b', '.', '@'])
      await refused('lean_about', { file_path: USE, name }, 'invalid_argument');
  });

  session('lean_check_type: in a proof with its hypotheses, outside with variables', async () => {
    fs.writeFileSync(file(MINE), MINE_TEXT);
    const type = async (expression, ...where) => {
      const answer = await ask('lean_check_type', { expression, ...locate(MINE, ...where) });
      return [answer.type, answer.in_proof];
    };
    assert.deepEqual(await type('h.symm', 'exact h.symm'), ['b = a', true]);
    assert.deepEqual(await type('h.symm', 'constructor'), ['b = a', true]);
    assert.deepEqual(await type('h', 'constructor', { end: true }), ['a = b', true]);
    assert.deepEqual(await type('hp h1', 'exact h1'), ['r', true]);
    assert.deepEqual(await type('hq h2', 'exact hq'), ['r', true]);
    assert.deepEqual(await type('k + 1', 'theorem cased'), ['Nat', false]);
    assert.deepEqual(await type('twice k', 'theorem cased'), ['Nat', false]);
    assert.deepEqual(await type('«the name»', 'theorem x₁'), ['Nat', false]);
    assert.equal((await ask('lean_check_type', { file_path: MINE, expression: '#[1, 2]' })).type, 'Array Nat');
    assert.equal((await ask('lean_check_type', { file_path: MINE, expression: 'fun n : Nat => -- a remark\n  n + 1' })).type, 'Nat → Nat');
    assert.equal(read(MINE), MINE_TEXT, 'the file is untouched');
  });
  session('lean_check_type: errors, at positions of the expression', async () => {
    const wrong = await ask('lean_check_type', { ...locate(MINE, 'exact h.symm'), expression: 'h.trans\n  nonsense' });
    assert.equal(wrong.type, null);
    assert.deepEqual(wrong.diagnostics.map(({ severity, line, column }) => [severity, line, column]), [['error', 2, 3]]);
    const unknown = await ask('lean_check_type', { file_path: MINE, expression: 'fun x =>\n  nonsense' });
    assert.deepEqual([unknown.type, unknown.diagnostics.map(({ line, column }) => [line, column])], [null, [[2, 3]]]);
  });
  session('lean_check_type: an expression cannot end and start a command', async () => {
    for (const expression of ['1) #eval (2', '1 #eval 5', '1\n#eval 5', '1 #eval[5]', '«a\n#eval 5\n»', '1 # eval', ')\ndef a := (1', '1 /- ', '"a', '', '-- only', '(', '1 theorem t : 1 = 1 := rfl', '⟨1, (2⟩'])
      await refused('lean_check_type', { file_path: MINE, expression }, 'invalid_argument');
    assert.ok((await ask('lean_check_type', { file_path: MINE, expression: '1 +' })).diagnostics.length > 0);
  });
  session('names that need care', async () => {
    assert.match((await ask('lean_print', { file_path: MINE, name: '«the name»' })).text, /the name/);
    assert.match((await ask('lean_print', { file_path: MINE, name: 'the name' })).text, /the name/);
    const about = await ask('lean_about', { file_path: MINE, name: 'x₁' });
    assert.deepEqual([about.name, about.kind, about.defined_at], ['x₁', 'theorem', { file_path: file(MINE), line: locate(MINE, 'theorem x₁').line }]);
    assert.match((await ask('lean_about', { file_path: MINE, name: 'mine' })).docstring, /Doc of mine/);
  });
  session('lean_completions: the best first, with types', async () => {
    const place = locate(MINE, 'Nat.succ_l', { end: true });
    const offered = await ask('lean_completions', { ...place, max_completions: 3, resolve_details: 1 });
    assert.deepEqual([offered.items.length, offered.truncated], [3, true]);
    assert.equal(offered.items[0].label, 'succ_le');
    assert.match(offered.items[0].detail, /≤/);
    assert.equal(offered.items[1].detail, null);
    await refused('lean_completions', { ...place, max_completions: 0 }, 'invalid_argument');
  });
  session('lean_document_proofs: proved, error, sorry', async () => {
    const { proofs } = await ask('lean_document_proofs', { file_path: MINE });
    assert.deepEqual(proofs.map(proof => [proof.declaration, proof.state]), [['mine', 'proved'], ['cased', 'proved'], ['x₁', 'proved'], ['wrong', 'error'], ['later', 'sorry']]);
    assert.deepEqual(proofs[0].proof_start, (({ line, column }) => ({ line, column }))(locate(MINE, 'constructor')));
    assert.ok(proofs[0].steps >= 3);
    assert.deepEqual([proofs[2].proof_start, proofs[2].steps], [null, 0]);
    await refused('lean_document_proofs', { file_path: 'Multi/None.lean' }, 'file_not_found');
  });
  session('the end of a line behind the brackets around a proof', async () => {
    fs.writeFileSync(file('Multi/Closed.lean'), 'theorem closed : ∃ n, n = 4 ∧ True := ⟨4, by rfl, by\n  trivial⟩\n\ntheorem open_ : ∃ n, n = 4 ∧ True := ⟨4, by rfl, by\n  skip ⟩\n');
    const status = async (tool, line) => (await ask(tool, { file_path: 'Multi/Closed.lean', line })).status;
    for (const tool of ['lean_goal', 'lean_check']) assert.equal(await status(tool, 2), 'proof_complete', tool);
    for (const tool of ['lean_goal', 'lean_check']) assert.notEqual(await status(tool, 5), 'proof_complete', tool);
  });
  session('the verdict is the first member, and what was before stands in front of what came after', async () => {
    const goal = Object.keys(await ask('lean_goal', { file_path: USE, line: 9 }));
    assert.equal(goal[0], 'status');
    assert.ok(goal.indexOf('goals_before') < goal.indexOf('goals_after'), goal.join());
    assert.deepEqual(Object.keys(await ask('lean_check_all', { file_path: USE, verbose: false })), ['success', 'state']);
    assert.deepEqual(Object.keys(await ask('lean_verify', { file_path: USE, theorem_name: 'Multi.four', scan_source: false, verbose: false })).slice(0, 1), ['trusted']);
  });
  session('lean_document_proofs: definitions of a mutual block, together accepted or not; an instance without a name', async () => {
    const block = last => `mutual\ndef even' : Nat → Bool\n  | 0 => true\n  | n + 1 => odd' n\ntermination_by n => n\ndecreasing_by ${last}\n\n`
      + `def odd' : Nat → Bool\n  | 0 => false\n  | n + 1 => even' n\ntermination_by n => n\ndecreasing_by ${last}\nend\n\nstructure P where\n  x : Nat\n\ninstance : Inhabited P := ⟨by exact ⟨3⟩⟩\n`;
    const states = async () => (await ask('lean_document_proofs', { file_path: 'Multi/Mutual.lean' })).proofs.map(({ declaration, state }) => [declaration, state]);
    fs.writeFileSync(file('Multi/Mutual.lean'), block('all_goals simp_wf'));
    assert.deepEqual(await states(), [["even'", 'proved'], ["odd'", 'proved'], ['instance : Inhabited P', 'proved']]);
    fs.writeFileSync(file('Multi/Mutual.lean'), block('exact noSuchThing'));
    assert.deepEqual((await states()).slice(0, 2), [["even'", 'error'], ["odd'", 'error']]);
  });
  session('lean_check_type waits for what stands above', async () => {
    edit(MINE, '    exact h1', '    sleep 1000; exact h1');
    const type = await ask('lean_check_type', { ...locate(MINE, 'theorem x₁'), expression: 'cased' });
    assert.match(type.type, /p ∨ q/);
    fs.writeFileSync(file(MINE), MINE_TEXT);
  });
  session('the user\'s worker goes on through all of it', async () => {
    const own = workers().filter(process => process.command.includes('Mine.lean')).map(process => process.pid);
    assert.equal(own.length, 1);
    await ask('lean_check_type', { file_path: MINE, expression: 'True' });
    assert.deepEqual(workers().filter(process => process.command.includes('Mine.lean')).map(process => process.pid), own);
    assert.ok(!fs.readdirSync(file('.')).some(name => name.includes('scratch')), 'nothing on disk');
  });
  session('what takes too long to be answered is partial', async () => {
    const type = await ask('lean_check_type', { file_path: MINE, expression: '(by sleep 5000; trivial : True)', timeout_s: 1 });
    assert.deepEqual([type.type, type.partial, type.timed_out], [null, true, true]);
    assert.equal((await ask('lean_check_type', { file_path: MINE, expression: 'True' })).type, 'Prop');
    await close(MINE);
  });
  session('a context that does not load', async () => {
    fs.writeFileSync(file('Multi/Broken.lean'), 'import Multi.Nowhere\n\ndef a := 1\n');
    await refused('lean_check_type', { file_path: 'Multi/Broken.lean', expression: '1' }, 'lean_unavailable');
    await refused('lean_print', { file_path: 'Multi/Broken.lean', name: 'Nat' }, 'lean_unavailable');
    await close('Multi/Broken.lean');
  });
  session('widgets', async () => {
    const W = 'Multi/W.lean';
    fs.writeFileSync(file(W), 'import Lean.Widget.Commands\nopen Lean Widget\n@[widget_module]\npublic meta def hello : Widget.Module where\n  javascript := "export default 1"\n\n#widget hello\n');
    const { widgets } = await ask('lean_get_widgets', locate(W, 'widget hello'));
    assert.equal(widgets.length, 1);
    const { source } = await ask('lean_get_widget_source', { file_path: W, javascript_hash: widgets[0].javascriptHash });
    assert.equal(source.sourcetext, 'export default 1');
    assert.deepEqual((await ask('lean_get_widgets', { file_path: W, line: 2, column: 1 })).widgets, []);
    await refused('lean_get_widgets', { file_path: W, line: 99, column: 1 }, 'invalid_argument');
    await refused('lean_get_widget_source', { file_path: W, javascript_hash: '123' }, 'invalid_argument');
    await close(W);
  });
});

describe('suggestions', { skip }, () => {
  const { session, ask, file, refused, locate } = sharedSession('basics');
  const TRY = 'Basics/TryThis.lean';

  session('lean_code_actions: what Try this would put there', async () => {
    const { actions } = await ask('lean_code_actions', { file_path: TRY, line: locate(TRY, 'exact?').line });
    const { line, column } = locate(TRY, 'exact?');
    assert.deepEqual(actions, [{ title: 'Try this: exact Nat.add_comm a b', is_preferred: false,
      edits: [{ start_line: line, start_column: column, end_line: line, end_column: column + 6, new_text: 'exact Nat.add_comm a b' }] }]);
    assert.deepEqual((await ask('lean_code_actions', { file_path: TRY, line: 2 })).actions, []);
    await refused('lean_code_actions', { file_path: TRY, line: 99 }, 'invalid_argument');
  });
  session('lean_code_actions: those of the line alone, whatever a message covers', async () => {
    fs.writeFileSync(file('Lines.lean'), 'theorem lines (a b : Nat) : (a + b = b + a) ∧ (a * b = b * a) ∧ False := by\n  refine ⟨?_, ?_, ?_⟩\n  · exact?\n  · exact?\n');
    const titles = async line => (await ask('lean_code_actions', { file_path: 'Lines.lean', line })).actions.map(one => one.title);
    assert.deepEqual(await titles(2), []);
    assert.deepEqual(await titles(3), ['Try this: exact Nat.add_comm a b']);
    assert.deepEqual(await titles(4), ['Try this: exact Nat.mul_comm a b']);
  });
  session('interactive diagnostics: Lean\'s own, beside the plain ones', async () => {
    const line = locate(TRY, 'exact?').line;
    const { diagnostics, items } = await ask('lean_diagnostic_messages', { file_path: TRY, interactive: true, start_line: line, end_line: line });
    assert.ok(diagnostics.length > 0 && items.length > 0, JSON.stringify(diagnostics));
    for (const diagnostic of diagnostics) assert.ok(['tag', 'append', 'text'].some(part => part in diagnostic.message), JSON.stringify(diagnostic));
  });
  session('a name from a file with other letters than ASCII', async () => {
    const UNICODE = 'Basics/Unicode.lean';
    const found = await ask('lean_references', locate(UNICODE, 'x₁', { from: 'afterEmoji' }));
    assert.ok(found.items.some(item => item.line === locate(UNICODE, 'afterEmoji').line && item.column === locate(UNICODE, 'x₁', { from: 'afterEmoji' }).column), JSON.stringify(found.items));
    const proofs = (await ask('lean_document_proofs', { file_path: UNICODE })).proofs;
    assert.ok(proofs.every(proof => proof.state === 'proved'), JSON.stringify(proofs));
    assert.equal((await ask('lean_check_type', { ...locate(UNICODE, 'rw [h₁]'), expression: 'h₁' })).type, 'x₁ = 2');
  });
});
