// lean_minimal_imports and `leanbridge imports`: what a file does without, and what it lacks.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { describe } from 'node:test';
import { binary } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { sharedSession, skip } from '../support/session.mjs';

const FILE = 'Scratch/File.lean';
const SMALL = 'Scratch/Small.lean';
const USER = 'Scratch/User.lean';
const LACKING = 'Scratch/Lacking.lean';
const TEXT = `-- as the file counts its lines
import Scratch.Base
import Scratch.Lemmas -- for one_eq
import Scratch.Spare
import Scratch.Choice
import Scratch.Kept -- shake: keep

#check Nat
theorem one (n : Nat) : Scratch.one + n = 1 + n := by rw [Scratch.one_eq]
def chosen : Nat := default
theorem later : 1 = 2 := sorry
`;
const SMALL_TEXT = `-- what is above stays
import Scratch.Base
import Scratch.Lemmas -- for one_eq
import Scratch.Spare

theorem small (n : Nat) : Scratch.one + n = 1 + n := by rw [Scratch.one_eq]
`;
const SMALL_MINIMAL = SMALL_TEXT.replace('import Scratch.Base\n', '').replace('import Scratch.Spare\n', '');

describe('minimal imports', { skip }, () => {
  const shared = sharedSession({
    'lakefile.toml': 'name = "scratch"\ndefaultTargets = ["Scratch"]\n\n[[lean_lib]]\nname = "Scratch"\nglobs = ["Scratch.+"]\n',
    'Scratch/Base.lean': 'def Scratch.one : Nat := 1\n',
    'Scratch/Lemmas.lean': 'import Scratch.Base\ntheorem Scratch.one_eq : Scratch.one = 1 := rfl\n',
    'Scratch/Spare.lean': 'def Scratch.spare : Nat := 1\n',
    'Scratch/Choice.lean': 'instance (priority := high) chosenByScratch : Inhabited Nat := ⟨7⟩\n',
    'Scratch/Kept.lean': 'def Scratch.kept : Nat := 1\n',
    'Scratch/All.lean': 'import Scratch.Base\nimport Scratch.Lemmas\n',
    [FILE]: TEXT,
    [SMALL]: SMALL_TEXT,
    [LACKING]: '-- no import\nnamespace Scratch\ntheorem lacking : Scratch.one = 1 := one_eq\nend Scratch\n',
  });
  const { ask, file, read, refused, session } = shared;
  const minimal = (args = {}) => ask('lean_minimal_imports', { file_path: FILE, ...args }, { timeoutMs: lean.callMs * 4 });
  const statuses = ({ imports }) => Object.fromEntries(imports.map(({ module, status }) => [module.replace('Scratch.', ''), status]));
  const reason = ({ imports }, module) => imports.find(one => one.module === `Scratch.${module}`).reason;

  session('each import by itself: what stays the same, what breaks, what would mean something else', async () => {
    assert.equal((await ask('lean_build', {}, { timeoutMs: lean.callMs * 4 })).success, false, 'one file does not compile');
    const answer = await minimal();
    assert.deepEqual(statuses(answer), { Base: 'unneeded', Lemmas: 'needed', Spare: 'unneeded', Choice: 'needed', Kept: 'needed' }, JSON.stringify(answer));
    assert.match(reason(answer, 'Lemmas'), /^line 9: .*one_eq/, 'as the file counts its lines');
    assert.equal(reason(answer, 'Choice'), '`chosen` would mean something else');
    assert.match(reason(answer, 'Kept'), /shake: keep/);
    assert.deepEqual([answer.written, answer.importers, answer.importers_compiled], [false, 0, false]);
    assert.equal(read(FILE), TEXT);
  });

  session('a file that needs it by way of this one: nothing is written', async () => {
    fs.writeFileSync(file(USER), 'import Scratch.Small\ndef user : Nat := Scratch.spare\n');
    const answer = await minimal({ file_path: SMALL, write: true });
    assert.deepEqual([answer.written, answer.importers, answer.importers_compiled], [false, 1, false], JSON.stringify(answer));
    assert.match(answer.reason, /User\.lean would not compile.*Scratch\.spare/s);
    assert.equal(read(SMALL), SMALL_TEXT);
  });

  session('written, if all that imports it compiles; with the line endings that it has', async () => {
    fs.writeFileSync(file(USER), 'import Scratch.Small\nimport Scratch.Spare\ndef user : Nat := Scratch.spare\n');
    fs.writeFileSync(file(SMALL), SMALL_TEXT.replaceAll('\n', '\r\n'));
    const answer = await minimal({ file_path: SMALL, write: true });
    assert.deepEqual([answer.written, answer.importers, answer.importers_compiled], [true, 1, true], JSON.stringify(answer));
    assert.equal(read(SMALL), SMALL_MINIMAL.replaceAll('\n', '\r\n'));
    fs.writeFileSync(file(SMALL), SMALL_MINIMAL);
    assert.deepEqual(statuses(await minimal({ file_path: SMALL, write: true })), { Lemmas: 'needed' });
    assert.equal(read(SMALL), SMALL_MINIMAL);
  });

  session('missing imports are those that Lean offers, and no more than needed', async () => {
    const answer = await minimal({ file_path: LACKING, write: true });
    assert.deepEqual(answer.imports.map(({ module, status }) => [module, status]), [['Scratch.Lemmas', 'missing']], JSON.stringify(answer));
    assert.deepEqual([answer.written, answer.respelt], [true, [{ line: 3, old_text: 'Scratch.one', new_text: 'one' }]]);
    assert.match(read(LACKING), /^import Scratch\.Lemmas\n-- no import\n/);
    assert.equal((await ask('lean_check_all', { file_path: LACKING })).success, true);
  });

  session('bad input, time that runs out, and cancellation: nothing is written', async () => {
    fs.writeFileSync(file('Scratch/Broken.lean'), 'import Scratch.Base\ntheorem broken : 1 = 2 := rfl\n');
    assert.match((await refused('lean_minimal_imports', { file_path: 'Scratch/Broken.lean', write: true }, 'invalid_argument')).message, /does not compile: line 2/);
    await refused('lean_minimal_imports', { file_path: 'Scratch/None.lean' }, 'file_not_found');
    const all = await minimal({ file_path: 'Scratch/All.lean', write: true });
    assert.deepEqual([all.imports, all.written], [[], false]);
    assert.match(all.reason, /nothing but imports/);
    await refused('lean_minimal_imports', { file_path: FILE, timeout_s: 0.1, write: true }, 'timeout');
    const abort = new AbortController();
    const progress = ({ message }) => { if (message?.includes(' without ')) abort.abort(new Error('enough')); };
    await assert.rejects(shared.client.call('lean_minimal_imports', { file_path: FILE, write: true }, { progress, signal: abort.signal, timeoutMs: lean.callMs }), /enough/);
    await ask('lean_goal', { file_path: FILE, line: 9 });
    assert.equal(read(FILE), TEXT);
  });

  session('from the command line: a line an import, and the exit status', () => {
    const run = (...args) => spawnSync(binary, ['--lake', lean.lake, '--project-root', file('.'), 'imports', ...args], { encoding: 'utf8', timeout: lean.callMs * 4 });
    fs.writeFileSync(file(SMALL), SMALL_TEXT);
    const dry = run(SMALL);
    assert.equal(dry.status, 1, dry.stdout + dry.stderr);
    assert.match(dry.stdout, /^Scratch\/Small\.lean:2: import Scratch\.Base is not needed\nScratch\/Small\.lean:3: import Scratch\.Lemmas is needed: line 6: /);
    assert.match(dry.stdout, /2 imports are not needed \(1 file imports this one; --write compiles that first\)\n$/);
    const written = run('--write', SMALL);
    assert.equal(written.status, 0, written.stdout + written.stderr);
    assert.match(written.stdout, /; written\n$/);
    assert.equal(read(SMALL), SMALL_MINIMAL);
    const below = spawnSync(binary, ['--lake', lean.lake, 'imports', 'Base.lean'], { cwd: file('Scratch'), encoding: 'utf8', timeout: lean.callMs * 4, env: { ...process.env, LEAN_PROJECT_PATH: '' } });
    assert.deepEqual([below.status, below.stdout], [0, 'Base.lean: it has no imports\n'], below.stderr);
    fs.mkdirSync(file('Two'));
    for (const name of ['A', 'B']) fs.writeFileSync(file(`Two/${name}.lean`), 'def two : Nat := 2\n');
    assert.equal(run(file('Two')).stdout, ['A', 'B'].map(name => `${file(`Two/${name}.lean`)}: it has no imports\n`).join(''), 'a folder means its files');
    const again = run('--json', SMALL);
    assert.deepEqual([again.status, JSON.parse(again.stdout).imports.length], [0, 1]);
    assert.equal(run('Scratch/None.lean').status, 1);
    fs.writeFileSync(file('Scratch/Broken.lean'), 'def one : Nat := 1\n#check one 2\n');
    const broken = run('Scratch/Broken.lean');
    assert.equal(broken.status, 1, broken.stderr);
    assert.match(broken.stderr.replace(/\s+/g, ' '), /line 2: Function expected at one but/);
    assert.equal(run().status, 2);
  });
});
