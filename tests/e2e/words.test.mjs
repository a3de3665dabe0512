// Texts whose words mislead: what Lean reads of them is another thing than what a search for words finds. No verdict may rest on the words.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { binary, realLake, scratchProject, spawnBridge } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { skip } from '../support/session.mjs';

const timeout = 120_000;
const LAKEFILE = 'name = "words"\ndefaultTargets = ["Words"]\n\n[[lean_lib]]\nname = "Words"\nglobs = ["Words.+"]\n';
/** A macro that sets any option, and one whose option is named nowhere. */
const QUIETLY = 'macro "quietly " n:ident c:command : command => do\n  let o ← `(command| set_option linter.all false)\n  let o := ⟨o.raw.setArg 1 n.raw⟩\n  `(command| $o:command in $c)\n';
const FAST = 'macro "fast " c:command : command => do\n  let o ← `(command| set_option linter.all true)\n' +
  '  let o := ⟨o.raw.setArg 1 (Lean.mkIdentFrom c.raw (.str `debug ("skip" ++ "KernelTC"))).raw⟩\n  `(command| $o:command in $c)\n';

const HIDE = 'elab "hide " n:ident c:command : command => do\n  let o ← `(command| set_option linter.all false)\n  let o := ⟨o.raw.setArg 1 n.raw⟩\n  elabCommand (← `(command| $o:command in $c))\n';

/** Files of which nothing may be called proved as a whole; `wrong`: whether they have a theorem of that name. */
const WRONG = {
  // What is an example, or the end of the file, only to Lean.
  'Number.lean': { text: 'set_option warn.sorry false\ndef a : Nat := 0b1example : 1 = 2 := by sorry\n' },
  'Decimal.lean': { text: 'set_option warn.sorry false\ntheorem right : 1 = 1 := by iterate 1rfl example : 1 = 2 := by sorry\n' },
  'Braces.lean': { text: 'set_option warn.sorry false\ndef a : Nat := dbg_trace "{"/-"}"; 1\nexample : 1 = 2 := by sorry -- -/\n' },
  'Exit.lean': { text: 'def a : Nat := dbg_trace "{"/-"}"; 1\n#exit -- -/\ntheorem wrong : 1 = 2 := by decide\n' },
  'Exit2.lean': { text: 'def a : Nat := dbg_trace "{"a" ++ "/-"}"; 1 #exit -- -/\ntheorem wrong : 1 = 2 := by decide\n' },
  'Exit3.lean': { text: 'def a : String := s!"{1}"\n#exitwrong\ntheorem wrong : 1 = 2 := by decide\n' },
  // A plain macro that writes the command.
  'Quietly.lean': { text: `${QUIETLY}quietly warn.sorry theorem wrong : (1:Nat) = 2 := by sorry\n`, wrong: true },
  'Quietly2.lean': { text: `${QUIETLY}macro "done'" : tactic => \`(tactic| admit)\nquietly warn.sorry theorem wrong : (1:Nat) = 2 := by done'\n`, wrong: true },
  'Quietly3.lean': { text: `import Words.Hush\nquietly warn.sorry theorem wrong : (1:Nat) = 2 := by sorry\n`, wrong: true },
  'Example.lean': { text: 'set_option warn.sorry false\nmacro "ex" : command => `(example : 1 = 2 := by sorry)\nex\n' },
  'Example2.lean': { text: 'import Words.Ex\nset_option warn.sorry false\nex\n' },
  'Example3.lean': { text: `${QUIETLY}macro "ex" : command => \`(example : 1 = 2 := by sorry)\nquietly warn.sorry ex\n` },
  'Kernel.lean': { text: `${FAST}fast theorem wrong : 1 = 2 := by decide +kernel\n`, wrong: true },
  'Kernel2.lean': { text: `import Words.Fast\nfast theorem wrong : 1 = 2 := by decide +kernel\n`, wrong: true },
  'Kernel3.lean': { text: `${FAST}fast theorem lemma' : 1 = 2 := by decide +kernel\ntheorem wrong : 1 = 2 := lemma'\n`, wrong: true },
  // A program directly behind a symbol or a number.
  'Behind.lean': { text: `import Lean\nopen Lean Elab Command\ndef a : Nat × Nat := ⟨1, 2⟩${HIDE}hide warn.sorry theorem wrong : 1 = 2 := by sorry\n`, wrong: true },
  'Behind2.lean': { text: `import Lean\nopen Lean Elab Command\ndef a : Nat := 0b1${HIDE}hide warn.sorry theorem wrong : 1 = 2 := by sorry\n`, wrong: true },
  'Behind3.lean': { text: `import Lean\nopen Lean Elab Command\ndef a : Char := 'a'${HIDE}hide warn.sorry theorem wrong : 1 = 2 := by sorry\n`, wrong: true },
};

describe('words that mislead', { skip }, () => {
  let project, client;
  const ask = async (tool, args) => {
    const answer = await client.call(tool, args, { timeoutMs: lean.callMs });
    assert.ok(answer.structured, `${tool} ${JSON.stringify(args)}: ${JSON.stringify(answer.error)}`);
    return answer.structured;
  };
  const write = (name, text) => { fs.writeFileSync(path.join(project, name), text); return name; };
  before(async () => {
    const files = Object.fromEntries(Object.entries(WRONG).map(([name, { text }]) => [`Words/${name}`, text]));
    project = scratchProject({
      'lakefile.toml': LAKEFILE, ...files, 'Words/Hush.lean': QUIETLY, 'Words/Fast.lean': FAST,
      'Words/Ex.lean': 'macro "ex" : command => `(example : 1 = 2 := by sorry)\n',
    });
    client = spawnBridge({ project, lake: realLake, label: 'words' });
    await client.connect();
  }, { timeout: 60_000 });
  after(async () => {
    try { await client?.close({ timeoutMs: 8000 }); } finally { await client?.destroy(); }
  }, { timeout: 30_000 });

  for (const [name, { wrong }] of Object.entries(WRONG))
    test(`${name}: not proved`, { timeout }, async () => {
      const file_path = `Words/${name}`;
      const all = await ask('lean_check_all', { file_path });
      assert.equal(all.error_count ?? 0, 0, JSON.stringify(all));
      assert.equal(all.success, false, JSON.stringify(all));
      if (!wrong && all.state === 'unknown') assert.ok(all.reason, JSON.stringify(all));
      assert.equal((await ask('lean_verify', { file_path })).trusted, false, 'of the file');
      if (!wrong) return;
      const { proofs } = await ask('lean_document_proofs', { file_path });
      for (const proof of proofs.filter(({ declaration }) => declaration === 'wrong')) assert.notEqual(proof.state, 'proved', JSON.stringify(proof));
      for (const how of [{}, { compile: true }]) {
        const verified = await ask('lean_verify', { file_path, theorem_name: 'wrong', ...how });
        assert.equal(verified.trusted, false, JSON.stringify(verified));
        assert.ok(verified.reason || verified.uses_sorry, JSON.stringify(verified));
        assert.doesNotMatch(verified.reason ?? '', /^No sorry/);
      }
    });

  test('an honest program is trusted, once a kernel has been asked again', { timeout }, async () => {
    const file_path = write('Words/Honest.lean', 'import Lean\nopen Lean Elab Tactic\nelab "done\'" : tactic => do (← getMainGoal).assign (mkConst ``True.intro)\ntheorem right : True := by done\'\n');
    const verified = await ask('lean_verify', { file_path, theorem_name: 'right', compile: true });
    assert.deepEqual([verified.trusted, verified.kernel_replayed], [true, true], JSON.stringify(verified));
    assert.equal((await ask('lean_check_all', { file_path })).success, true);
  });

  for (const [what, text, snippets] of [
    ['admit itself', QUIETLY, ['admit', 'sorry', 'exact «sorryAx» _ true']],
    ['a macro for it', `${QUIETLY}macro "done'" : tactic => \`(tactic| admit)\n`, ["done'", "first | done' | rfl", "iterate 1done'"]],
    ['a macro of an import', `import Words.Hush\nmacro "done'" : tactic => \`(tactic| admit)\n`, ["done'"]],
  ])
    test(`${what}: no attempt is complete`, { timeout }, async () => {
      const file_path = write('Words/Attempt.lean', `${text}quietly warn.sorry theorem wrong : (1:Nat) = 2 := by\n  skip\n`);
      const { items } = await ask('lean_multi_attempt', { file_path, line: text.split('\n').length + 1, snippets });
      for (const item of items) assert.ok(!item.proof_complete && item.proof_status !== 'proof_complete', JSON.stringify(item));
    });

  for (const [what, added] of [
    ['behind a number', 'def z : Nat := 1axiom cheat : ∀ p : Prop, p'],
    ['behind a binary number', 'def z : Nat := 0b1axiom cheat : ∀ p : Prop, p'],
    ['behind a string that has code', 'def z : Nat := dbg_trace "{"/-"}"; 1\naxiom cheat : ∀ p : Prop, p -- -/'],
  ])
    test(`${what}: an axiom is not written, nor overlooked by diff`, { timeout }, async () => {
      const GOAL = 'theorem goal : (1:Nat) = 2 := by\n  sorry\n';
      const file_path = write('Words/Write.lean', GOAL);
      const answer = await ask('lean_write_proof', { file_path, start_line: 1, end_line: 2, new_text: `${added}\ntheorem goal : (1:Nat) = 2 := by\n  exact cheat _` });
      assert.equal(answer.written, false, JSON.stringify(answer));
      const cwd = scratchProject({ 'A.lean': 'theorem one : 1 = 1 := rfl\n' });
      const git = (...args) => assert.equal(spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd }).status, 0);
      git('init', '-q');
      git('add', '-A');
      git('commit', '-qm', 'a');
      fs.appendFileSync(path.join(cwd, 'A.lean'), `${added}\n`);
      const { status, stdout } = spawnSync(binary, ['diff'], { cwd, encoding: 'utf8', env: { ...process.env, LEAN_PROJECT_PATH: '' } });
      assert.notEqual(status, 0, stdout);
      assert.match(stdout, /NEW AXIOM|Lean may read other words/);
    });

  test('a sorry behind a number is told by diff', { timeout }, () => {
    for (const proof of ['by iterate 1sorry', 'f 0b1sorry', '⟨1, 2⟩.2sorry']) {
      const cwd = scratchProject({ 'A.lean': 'theorem one : 1 = 1 := rfl\n' });
      const git = (...args) => assert.equal(spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd }).status, 0);
      git('init', '-q');
      git('add', '-A');
      git('commit', '-qm', 'a');
      fs.writeFileSync(path.join(cwd, 'A.lean'), `theorem one : 1 = 1 := ${proof}\n`);
      const { status, stdout } = spawnSync(binary, ['diff'], { cwd, encoding: 'utf8', env: { ...process.env, LEAN_PROJECT_PATH: '' } });
      assert.equal(status, 1, stdout);
      assert.match(stdout, /NEW SORRY/);
    }
  });

  test('a blank before `namespace` hides no other theorem', { timeout }, async () => {
    const file_path = write('Words/Space.lean', 'theorem goal : (1:Nat) = 1 := by\n  sorry\n');
    for (const opened of [' namespace Alt', '/- -/ namespace Alt', 'theorem before : True := trivial namespace Alt']) {
      const answer = await ask('lean_write_proof', { file_path, start_line: 1, end_line: 2, new_text: `${opened}\ntheorem goal : (1:Nat) = 1 := by\n  rfl` });
      assert.equal(answer.written, false, JSON.stringify(answer));
    }
  });
});
