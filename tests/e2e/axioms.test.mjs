// Exactly what theorems rest on, on a Lean whose library has its proofs, so that nothing in it counts as an axiom.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe } from 'node:test';
import { sharedSession, skip } from '../support/session.mjs';

const BASE = `theorem nothing : True := trivial
theorem extensional (p q : Prop) (h : p ↔ q) : p = q := propext h
axiom mine : 1 = 2
theorem byMine : 1 = 2 := mine
theorem unfinished (p : Prop) : p ∨ True := by
  have h : p := sorry
  exact Or.inl h
`;
const ABOVE = `import Scratch.Base

theorem nothingAbove : True ∧ True := ⟨nothing, nothing⟩
theorem both (p q : Prop) (h : p ↔ q) : p = q ∧ 1 = 2 := ⟨extensional p q h, byMine⟩
theorem restsOnIt (p : Prop) : p ∨ True := unfinished p
axiom mixed._native.native_decide.ax_1 : 2 = 3
theorem mixed : 1 = 2 ∧ 2 = 3 := ⟨byMine, mixed._native.native_decide.ax_1⟩
namespace Odd
theorem «two words».x₁ : 1 = 2 := byMine
end Odd
`;

const BASE_FILE = 'Scratch/Base.lean';
const MANY_FILE = 'Scratch/Many.lean';
const MANY = `${Array.from({ length: 21 }, (_, i) => `axiom a${i} : ${i} = ${i + 1}\n`).join('')}
theorem twice21 : ${Array.from({ length: 21 }, (_, i) => `${i} = ${i + 1}`).join(' ∧ ')} := ⟨${Array.from({ length: 21 }, (_, i) => `a${i}`).join(', ')}⟩
theorem extensionalToo : (∀ p q : Prop, (p ↔ q) → p = q) ∧ 0 = 1 ∧ 1 = 2 := ⟨fun _ _ => propext, twice21.1, twice21.2.1⟩
`;
// In versions from 4.30 on, Lean's own list leaves out `secret` (lean4#15226), depending on the names.
const HIDING_FILE = 'Scratch/Hiding.lean';
const HIDING = `axiom secret : Nat
noncomputable def pick : Nat := secret
inductive Fam : Nat → Type
structure S9 where
  x : Fam (pick + 1)
theorem hiddenHere (s : S9) : s = s := rfl
`;
const HIDDEN_FILE = 'Scratch/Hidden.lean';
const HIDDEN = `import Scratch.Hiding

theorem hidden (s : S9) : s = s := rfl
`;
const ABOVE_FILE = 'Scratch/Above.lean';
const FUNCTIONS_FILE = 'Scratch/Functions.lean';
const FUNCTIONS = `def down : Nat → Nat
  | .zero => .zero
  | .succ n => down n
partial def forever (n : Nat) : Nat := forever n
`;

describe('axioms', { skip }, () => {
  const shared = sharedSession({ [BASE_FILE]: BASE, [ABOVE_FILE]: ABOVE, [MANY_FILE]: MANY, [HIDING_FILE]: HIDING, [HIDDEN_FILE]: HIDDEN, [FUNCTIONS_FILE]: FUNCTIONS });
  const { ask, edit, file, refused, session } = shared;
  const verify = async (file_path, theorem_name, more) => {
    const { axioms, trust, trusted, uses_sorry, non_standard_axioms: others } = await ask('lean_verify', { file_path, theorem_name, scan_source: false, ...more });
    return { axioms, trust, trusted, uses_sorry, others };
  };
  const STANDARD = { trust: 'standard', trusted: true, uses_sorry: false, others: [] };

  for (const [theorem, expected] of [
    ['nothing', { axioms: [], ...STANDARD }],
    ['extensional', { axioms: ['propext'], ...STANDARD }],
    ['byMine', { axioms: ['mine'], trust: 'custom', trusted: false, uses_sorry: false, others: ['mine'] }],
    ['unfinished', { axioms: ['sorryAx'], trust: 'incomplete', trusted: false, uses_sorry: true, others: ['sorryAx'] }],
  ])
    session(`of ${theorem}`, async () => assert.deepEqual(await verify(BASE_FILE, theorem), expected));

  session('through an import, and all of them', async () => {
    assert.deepEqual(await verify(ABOVE_FILE, 'nothingAbove'), { axioms: [], ...STANDARD });
    assert.deepEqual(await verify(ABOVE_FILE, 'both'), { axioms: ['mine', 'propext'], trust: 'custom', trusted: false, uses_sorry: false, others: ['mine'] });
    assert.deepEqual(await verify(ABOVE_FILE, 'restsOnIt'), { axioms: ['sorryAx'], trust: 'incomplete', trusted: false, uses_sorry: true, others: ['sorryAx'] });
    assert.deepEqual(await verify(ABOVE_FILE, 'Odd.«two words».x₁'), { axioms: ['mine'], trust: 'custom', trusted: false, uses_sorry: false, others: ['mine'] });
  });
  session('the same, whether Lean is asked or the compiled terms are read', async () => {
    for (const [file_path, theorem] of [[BASE_FILE, 'extensional'], [BASE_FILE, 'unfinished'], [ABOVE_FILE, 'nothingAbove'], [ABOVE_FILE, 'both'], [ABOVE_FILE, 'restsOnIt'], [ABOVE_FILE, 'Odd.«two words».x₁']]) {
      edit(file_path, '\n', ' \n');   // a text that has not been compiled yet
      const asked = await verify(file_path, theorem);
      assert.deepEqual(await verify(file_path, theorem, { compile: true }), asked, theorem);
    }
  });
  session('only a function that may not terminate is called partial', async () => {
    for (const how of [{}, { compile: true }]) {
      const look = async theorem_name => { const { trusted, reason } = await ask('lean_verify', { file_path: FUNCTIONS_FILE, theorem_name, scan_source: false, ...how }); return { trusted, reason }; };
      assert.deepEqual(await look('down').then(({ trusted }) => trusted), true, JSON.stringify([how, await look('down')]));
      const forever = await look('forever');
      assert.equal(forever.trusted, false);
      assert.match(forever.reason, /partial/);
    }
  });
  session('through the name of an imported type alone', async () => {
    const expected = { axioms: ['secret'], trust: 'custom', trusted: false, uses_sorry: false, others: ['secret'] };
    assert.deepEqual(await verify(HIDDEN_FILE, 'hidden'), expected);
    assert.deepEqual(await verify(HIDDEN_FILE, 'hiddenHere'), expected);
    assert.deepEqual(await verify(HIDDEN_FILE, 'hidden', { compile: true }), expected);
    for (const name of ['S9', 'hiddenHere']) assert.equal((await ask('lean_about', { file_path: HIDDEN_FILE, name })).is_axiom_free, false, name);
    assert.equal((await ask('lean_about', { file_path: HIDDEN_FILE, name: 'hidden' })).is_axiom_free ?? null, null);
    assert.equal((await ask('lean_about', { file_path: ABOVE_FILE, name: 'nothing' })).is_axiom_free, true);
    const code = HIDDEN.replace('hidden', 'hiddenToo');
    const { items } = await ask('lean_check_batch', { items: [{ id: 'a', code }], axioms: true });
    assert.deepEqual(items[0].axioms, ['secret'], JSON.stringify(items));
  });
  session('of mixed axioms: the worst of them, in the order of lean-lsp-mcp', async () => {
    const axioms = ['mine', 'mixed._native.native_decide.ax_1'];
    assert.deepEqual(await verify(ABOVE_FILE, 'mixed'), { axioms, trust: 'native', trusted: false, uses_sorry: false, others: axioms });
  });
  session('in brief: what is said already is not said again, and what is cut is said', async () => {
    const brief = (file_path, theorem_name) => ask('lean_verify', { file_path, theorem_name, scan_source: false, verbose: false });
    const of = ({ theorem_name, axioms, non_standard_axioms, warnings, compiled, total, truncated }) => ({ theorem_name, axioms, non_standard_axioms, warnings, compiled, total, truncated });
    const absent = { theorem_name: undefined, non_standard_axioms: undefined, warnings: [], total: undefined, truncated: undefined };
    assert.deepEqual(of({ compiled: true, ...await brief(BASE_FILE, 'byMine') }), { ...absent, axioms: ['mine'], compiled: true });
    assert.deepEqual((await brief(ABOVE_FILE, 'both')).non_standard_axioms, ['mine']);
    const many = await brief(MANY_FILE, 'twice21');
    assert.deepEqual([many.axioms.length, many.total, many.truncated, many.trusted, many.uses_sorry], [20, 21, true, false, false]);
    const { axioms, total, non_standard_axioms: others } = await brief(MANY_FILE, 'extensionalToo');
    assert.deepEqual([axioms[0], axioms.length, total, others], ['propext', 20, 22, undefined]);
    assert.match(many.reason, /not Lean's own.*compile: true/);
    assert.equal((await ask('lean_verify', { file_path: MANY_FILE, theorem_name: 'twice21' })).axioms.length, 21);
  });
  session('as the text is now', async () => {
    edit(BASE_FILE, 'have h : p := sorry\n  exact Or.inl h', 'exact Or.inr trivial');
    assert.deepEqual(await verify(BASE_FILE, 'unfinished'), { axioms: [], ...STANDARD });
    assert.deepEqual(await verify(ABOVE_FILE, 'restsOnIt'), { axioms: [], ...STANDARD });
  });

  // --- of files

  const whole = more => ask('lean_verify', { ...more });
  const write = (name, text) => {
    fs.mkdirSync(file('Scratch/Whole'), { recursive: true });
    fs.writeFileSync(file(`Scratch/Whole/${name}`), text);
  };
  const exceptions = answer => answer.exceptions.map(({ file_path, declaration, axioms, own_sorry }) => [file_path.replace('Scratch/Whole/', ''), declaration, axioms.join(), own_sorry]);

  const writeAll = () => {
    write('Clean.lean', 'theorem clean (p q : Prop) (h : p ↔ q) : p = q := propext h\ndef two := 2\nexample : two = 2 := rfl\n');
    write('Base.lean', BASE);
    write('Above.lean', ABOVE.replaceAll('Scratch.', 'Scratch.Whole.'));
  };

  session('of a file: each declaration that rests on more than the three', async () => {
    writeAll();
    const clean = await whole({ file_path: 'Scratch/Whole/Clean.lean', verbose: false });
    assert.deepEqual(clean, { trusted: true, compiled: true, axioms: [], reason: 'No sorry, and no axiom beyond propext, Classical.choice and Quot.sound in 1 file with 3 declarations.', files: 1, declarations: 3, exceptions: [], warnings: [] });
    const base = await whole({ file_path: 'Scratch/Whole/Base.lean' });
    assert.equal(base.trusted, false);
    const named = exceptions(base).map(([, name]) => name);
    for (const name of ['mine', 'byMine', 'unfinished']) assert.ok(named.includes(name), JSON.stringify(base.exceptions));
    for (const name of ['nothing', 'extensional']) assert.ok(!named.includes(name), JSON.stringify(base.exceptions));
    assert.deepEqual([base.exceptions.find(one => one.declaration === 'unfinished').own_sorry, base.axioms.includes('mine')], [true, true]);
  });

  session('of a folder: through imports, against a baseline', async () => {
    writeAll();
    const all = await whole({ file_path: 'Scratch/Whole' });
    assert.equal(all.trusted, false);
    const found = exceptions(all);
    for (const one of [['Above.lean', 'restsOnIt', 'sorryAx', false], ['Above.lean', 'both', 'mine', false], ['Base.lean', 'unfinished', 'sorryAx', true]])
      assert.ok(found.some(each => JSON.stringify(each) === JSON.stringify(one)), `${one} in ${JSON.stringify(found)}`);
    const order = found.map(([name]) => name);
    assert.ok(order.lastIndexOf('Base.lean') < order.indexOf('Above.lean'), order.join());
    fs.writeFileSync(file('baseline.json'), JSON.stringify(all));
    const known = await whole({ file_path: 'Scratch/Whole', baseline: 'baseline.json' });
    assert.deepEqual([known.trusted, known.as_baseline, known.exceptions, known.in_baseline], [false, true, [], all.exceptions.length]);
    edit('Scratch/Whole/Clean.lean', 'propext h', 'sorry');
    const worse = await whole({ file_path: 'Scratch/Whole', baseline: 'baseline.json' });
    assert.deepEqual([worse.trusted, worse.as_baseline, exceptions(worse)], [false, false, [['Clean.lean', 'clean', 'sorryAx', true]]]);
    edit('Scratch/Whole/Base.lean', 'byMine : 1 = 2 := mine', 'byMine : 1 = 2 := sorry');
    const otherwise = exceptions(await whole({ file_path: 'Scratch/Whole', baseline: 'baseline.json' }));
    assert.deepEqual(otherwise.find(([, declaration]) => declaration === 'byMine'), ['Base.lean', 'byMine', 'sorryAx', true], JSON.stringify(otherwise));
    write('Broken.lean', 'theorem broken : 1 = 2 := rfl\n');
    const broken = await whole({ file_path: 'Scratch/Whole/Broken.lean' });
    fs.writeFileSync(file('baseline.json'), JSON.stringify(broken));
    const still = await whole({ file_path: 'Scratch/Whole/Broken.lean', baseline: 'baseline.json' });
    assert.deepEqual([still.trusted, still.as_baseline, still.exceptions], [false, false, broken.exceptions], 'as_baseline of Broken.lean');
    fs.rmSync(file('Scratch/Whole/Broken.lean'));
  });

  session('of files, in brief: each reason once, and what Lean generates under the declaration that it is for', async () => {
    const partial = Array.from({ length: 30 }, (_, i) => `partial def loop${i} (n : Nat) : List Nat → Nat\n  | [] => n\n  | x :: xs => loop${i} (n + x) xs\n`).join('\n');
    const files = ['Scratch/Whole/Loops.lean', 'Scratch/Whole/Open.lean', 'Scratch/Whole/More.lean', 'Scratch/Whole/Fine.lean'];
    write('Loops.lean', partial);
    write('Open.lean', Array.from({ length: 4 }, (_, i) => `theorem open${i} : ${i} = ${i} := sorry\n`).join(''));
    write('More.lean', 'import Scratch.Whole.Open\n\ntheorem more : 0 = 0 := open0\n');
    write('Fine.lean', 'theorem fine : 1 = 1 := rfl\n');
    const verbose = await whole({ files }), brief = await whole({ files, verbose: false });
    for (const { file_path, declaration } of verbose.exceptions.filter(one => one.file_path.endsWith('Loops.lean')))
      assert.match(declaration, /^loop\d+$/, file_path);
    assert.equal(verbose.exceptions.length, 35, JSON.stringify(verbose.exceptions.map(one => one.declaration)));
    assert.ok(Buffer.byteLength(JSON.stringify(brief)) <= 1024, JSON.stringify(brief));
    assert.equal(brief.exceptions.reduce((sum, { count }) => sum + (count ?? 1), 0), 35);
    assert.deepEqual(brief.exceptions[0], { file_path: files[1], line: 1, declaration: 'open0', axioms: ['sorryAx'], own_sorry: true, count: 4, also: [2, 3, 4].map(line => `${line} open${line - 1}`) });
    fs.writeFileSync(file('baseline.json'), JSON.stringify(brief));
    const cut = await shared.client.call('lean_verify', { files, baseline: 'baseline.json' });
    assert.match(cut.error?.message ?? '', /only the first of its exceptions/);
    fs.writeFileSync(file('baseline.json'), JSON.stringify(await whole({ files: files.slice(1), verbose: false })));
    const known = await whole({ files: files.slice(1), baseline: 'baseline.json' });
    assert.deepEqual([known.as_baseline, known.in_baseline], [true, 5]);
    for (const name of ['Loops', 'Open', 'More', 'Fine']) fs.rmSync(file(`Scratch/Whole/${name}.lean`));
  });

  session('of files that hide it: no silence, macro or error counts as a proof', async () => {
    const reasons = async text => {
      write('Sly.lean', text);
      const answer = await whole({ files: ['Scratch/Whole/Sly.lean'] });
      assert.equal(answer.trusted, false, text);
      return answer.exceptions.map(one => one.axioms.join() || one.reason).join('\n');
    };
    assert.match(await reasons('set_option warn.sorry false\ntheorem a : 1 = 2 := sorry\n'), /sorryAx/);
    assert.match(await reasons('#guard_msgs (drop all) in\ntheorem a : 1 = 2 := sorry\n'), /sorryAx/);
    assert.match(await reasons('#guard_msgs (drop all) in\ntheorem a : 1 = 2 := rfl\n'), /does not have it|sorryAx/);
    assert.match(await reasons('theorem a : 1 = 1 := rfl\n#exit\ntheorem b : 1 = 2 := sorry\n'), /#exit/);
    assert.match(await reasons('set_option debug.skipKernelTC true\ntheorem a : 1 = 1 := rfl\n'), /kernel/);
    assert.match(await reasons('theorem a : 1 = 2 := rfl\n'), /\S/);
    assert.match(await reasons('example : 1 = 2 := sorry\n'), /word sorry/);
    assert.match(await reasons('axiom a : 1 = 2\n'), /^a$/);
    assert.match(await reasons('unsafe def a : 1 = 2 := a\n'), /It is unsafe: the kernel did not check it/);
    fs.rmSync(file('Scratch/Whole/Sly.lean'));
  });

  session('bad input is refused', async () => {
    await refused('lean_verify', { theorem_name: 'nothing' }, 'invalid_argument');
    await refused('lean_verify', { files: ['Scratch/Whole/Base.lean'], theorem_name: 'nothing' }, 'invalid_argument');
    await refused('lean_verify', { file_path: 'Scratch/Whole/Base.lean', baseline: 'Scratch/Whole/Base.lean' }, 'invalid_argument');
    await refused('lean_verify', { file_path: 'Scratch/Whole/Base.lean', baseline: '../b.json' }, 'outside_project');
    await refused('lean_verify', { file_path: 'nowhere/X.lean' }, 'file_not_found');
  });
});
