// How Lake treats a project, on a real Lean: its output, packages beside and inside the project, libraries with options of their own.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { binary, cacheFolder, fixture, realLake, runBinary, scratchProject, spawnBridge, temporaryFolder, withBridge } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { descendants, eventually } from '../support/processes.mjs';
import { sharedSession, skip, timeout } from '../support/session.mjs';
import { startView } from '../support/view.mjs';

const manifest = (...packages) => JSON.stringify({ version: '1.1.0', packagesDir: '.lake/packages', packages, name: 'app', lakeDir: '.lake' });
const required = name => `[[require]]\nname = "${name}"\npath = "../${name}"\n`;
const library = (name, more = '') => `[[lean_lib]]\nname = "${name}"\n${more}`;

describe('what lake prints is not an answer', { skip }, () => {
  // The manifest is outdated, and each setup says so; the package exists, but was not fetched by git.
  const { session, ask } = sharedSession({
    'lakefile.toml': `name = "app"\n[[require]]\nname = "dep"\npath = "dep"\n${library('App')}`,
    'lake-manifest.json': manifest({ type: 'git', name: 'dep', url: 'https://nowhere.invalid', rev: 'a', inputRev: 'b', inherited: false }),
    '.lake/packages/dep/lakefile.toml': `name = "dep"\n${library('Dep')}`,
    '.lake/packages/dep/Dep.lean': 'def fromDep := 1\n',
    'App/Plain.lean': 'def plain := 7\n',
    'App/Uses.lean': 'import Dep\n\ndef uses := fromDep\n',
  });
  session('of questions at the beginning of a file', async () => {
    assert.match((await ask('lean_print', { file_path: 'App/Plain.lean', name: 'Nat.lt' })).text, /^(@\[.*\] )?(protected )?def Nat\.lt/);
    assert.equal((await ask('lean_check_type', { file_path: 'App/Plain.lean', line: 1, expression: '(2 : Nat)' })).type, 'Nat');
    assert.equal((await ask('lean_about', { file_path: 'App/Plain.lean', name: 'Nat.lt' })).kind, 'def');
  });
  session('nor a message of a file, whose imports are built meanwhile', async () => {
    const seen = [];
    for (let tries = 0, done = false; !done && tries < 200; tries++) {
      const answer = await ask('lean_diagnostic_messages', { file_path: 'App/Uses.lean', timeout_s: 1 });
      seen.push(...answer.items, ...(await ask('lean_document_state', { file_path: 'App/Uses.lean' })).items ?? []);
      done = !answer.partial;
    }
    assert.deepEqual(seen, []);
    const all = await ask('lean_check_all', { file_path: 'App/Uses.lean' });
    assert.deepEqual([all.success, all.error_count, all.warning_count], [true, 0, 0]);
  });
});

describe('packages that projects share by a link', { skip }, () => {
  const shared = temporaryFolder('packages');
  const { session, ask, file } = sharedSession({
    'lakefile.toml': `name = "app"\n[[require]]\nname = "dep"\ngit = "https://nowhere.invalid"\n${library('App')}`,
    'lake-manifest.json': manifest({ type: 'git', name: 'dep', url: 'https://nowhere.invalid', rev: 'a', inputRev: null, inherited: false }),
    'App/Uses.lean': 'import Dep\n\ndef uses := fromDep\n',
  });
  before(() => {
    fs.mkdirSync(path.join(shared, 'dep'), { recursive: true });
    fs.writeFileSync(path.join(shared, 'dep/lakefile.toml'), `name = "dep"\n${library('Dep')}`);
    fs.writeFileSync(path.join(shared, 'dep/Dep.lean'), 'def fromDep := 1\n');
  });
  session('their sources are shown where they really are', async () => {
    fs.mkdirSync(file('.lake'), { recursive: true });
    fs.symlinkSync(shared, file('.lake/packages'));
    const found = await ask('lean_declaration_file', { file_path: 'App/Uses.lean', symbol: 'fromDep', context_lines: 0 });
    assert.equal(found.content, 'def fromDep := 1');
  });
});

describe('a header that failed is tried again', { skip }, () => {
  const { session, ask, file, refused } = sharedSession({
    'lakefile.toml': `name = "app"\n[[require]]\nname = "dep"\ngit = "https://nowhere.invalid"\n${library('App')}`,
    'lake-manifest.json': manifest({ type: 'git', name: 'dep', url: 'https://nowhere.invalid', rev: 'a', inputRev: null, inherited: false }),
    '.lake/packages/dep/lakefile.toml': `name = "dep"\n${library('Dep')}`,
    '.lake/packages/dep/Dep.lean': 'def fromDep := missing\n',
    'App/A.lean': 'import Dep\n\ntheorem a : fromDep = 2 := by\n  rfl\n',
  });
  const A = 'App/A.lean';
  // Nothing watches the files of fetched packages: a fix shows only after a rebuild.
  session('by the next call, in the file and in questions about it', async () => {
    await refused('lean_print', { file_path: A, name: 'Nat.lt' }, 'lean_unavailable');
    await refused('lean_multi_attempt', { file_path: A, line: 4, snippets: ['rfl'] }, 'lean_unavailable');
    // The last of them, so that Lean is not loading the file's own imports when they are mended.
    assert.match((await refused('lean_goal', { file_path: A, line: 4 }, 'lean_unavailable')).message, /missing/);
    fs.writeFileSync(file('.lake/packages/dep/Dep.lean'), 'def fromDep := 2\n');
    const goal = await ask('lean_goal', { file_path: A, line: 4, column: 3 });
    assert.deepEqual(goal.goals, ['⊢ fromDep = 2']);
    assert.match(goal.reopened, /could not be loaded/);
    assert.match((await ask('lean_print', { file_path: A, name: 'fromDep' })).text, /def fromDep/);
    assert.equal((await ask('lean_multi_attempt', { file_path: A, line: 4, snippets: ['rfl'] })).items[0].proof_status, 'proof_complete');
    assert.equal((await ask('lean_goal', { file_path: A, line: 4, column: 3 })).reopened, undefined, 'once is enough');
  });
});

describe('a package that is required by its folder', { skip }, () => {
  const folder = scratchProject({
    'app/lakefile.toml': `name = "app"\n${required('core')}${library('App')}`,
    'app/lake-manifest.json': manifest({ type: 'path', name: 'core', dir: '../core', inherited: false }),
    'app/App.lean': 'import Core.Deep\n\n#eval deep\n',
    'core/lakefile.toml': `name = "core"\n${library('Core', 'srcDir = "src"\n')}`,
    'core/src/Core/Deep.lean': 'import Core.Base\n\ndef deep := base\n',
    'core/src/Core/Base.lean': 'def base := 1\n',
  });
  let client;
  before(async () => { client = spawnBridge({ project: path.join(folder, 'app'), lake: realLake }); await client.connect(); }, { timeout });
  after(async () => { try { await client.close({ timeoutMs: 8000 }); } finally { await client.destroy(); } }, { timeout });
  const messages = async () => {
    const { structured, error } = await client.call('lean_diagnostic_messages', { file_path: 'App.lean' }, { timeoutMs: lean.callMs });
    assert.ok(structured, JSON.stringify(error));
    return structured;
  };

  test('its files are watched as the project\'s own', { timeout }, async () => {
    assert.deepEqual((await messages()).items.map(item => item.message), ['1']);
    fs.writeFileSync(path.join(folder, 'core/src/Core/Base.lean'), 'def base := 1 + 41\n');
    const after = await messages();
    assert.deepEqual(after.items.map(item => item.message), ['42']);
    assert.match(after.reopened, /Base\.lean/);
    assert.equal((await messages()).reopened, undefined);
  });
  test('and its lakefile', { timeout }, async () => {
    fs.writeFileSync(path.join(folder, 'core/lakefile.toml'), `name = "core"\n${library('Core', 'srcDir = "other"\n')}`);
    fs.mkdirSync(path.join(folder, 'core/other/Core'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'core/other/Core/Deep.lean'), 'def deep := "elsewhere"\n');
    const after = await messages();
    assert.deepEqual(after.items.map(item => item.message), ['"elsewhere"']);
    assert.match(after.reopened, /lakefile\.toml/);
  });
});

describe('options of a library', { skip }, () => {
  const shown = '#check fun n : Nat => n\n\ntheorem own (f : Nat → Nat) (h : f = fun n => n) : f = fun n => n := by\n  exact h\n';
  const { session, ask, file, edit, locate } = sharedSession({
    'lakefile.toml': `name = "app"\n${library('First', 'leanOptions = {pp.unicode.fun = true}\n')}`
      + library('Second', 'srcDir = "src"\nglobs = ["Second.+"]\nleanOptions = {pp.unicode.fun = true, autoImplicit = false}\n'),
    'lake-manifest.json': manifest(),
    'First.lean': shown, 'First/Sub/Deep.lean': shown, 'src/Second/Some.lean': shown, 'Outside.lean': shown,
  });
  const own = { 'First.lean': '↦', 'First/Sub/Deep.lean': '↦', 'src/Second/Some.lean': '↦', 'Outside.lean': '=>' };
  const files = () => fs.readdirSync(file('.'), { recursive: true }).filter(name => name.includes('scratch'));
  for (const [name, arrow] of Object.entries(own))
    session(`hold for what is tried in its files: ${name}`, async () => {
      const [{ message }] = (await ask('lean_diagnostic_messages', { file_path: name })).items;
      assert.equal(message, `fun n ${arrow} n : Nat → Nat`, 'as Lean shows the file itself');
      const { line } = locate(name, 'exact h');
      const attempt = (await ask('lean_multi_attempt', { file_path: name, line, snippets: ['skip'] })).items[0];
      assert.match(JSON.stringify(attempt), new RegExp(`fun n ${arrow} n`));
      const typed = await ask('lean_check_type', { file_path: name, line: 1, expression: '(rfl : (fun n : Nat => n) = fun n => n)' });
      assert.match(typed.type, new RegExp(`fun n ${arrow} n`));
      assert.deepEqual(files(), [], 'nothing is written');
    });
  // What is unproved in the file must not look proved in a trial.
  for (const [name, holds] of [['src/Second/Some.lean', false], ['First/Sub/Deep.lean', true]])
    session(`decide over what may be written: ${name}`, async () => {
      edit(name, '#check', 'theorem auto {a : α} : a = a := by\n  exact rfl\n\n#check');
      const { line } = locate(name, 'exact rfl');
      assert.equal((await ask('lean_check_all', { file_path: name })).success, holds);
      const { items: [attempt] } = await ask('lean_multi_attempt', { file_path: name, line, snippets: ['exact rfl'] });
      assert.equal(attempt.proof_complete, holds, JSON.stringify(attempt));
      const another = 'theorem another {a : α} : a = a := rfl';
      const { written, diagnostics } = await ask('lean_write_proof', { file_path: name, start_line: 1, end_line: 0, new_text: another });
      assert.equal(written, holds, JSON.stringify(diagnostics));
    });
});

describe('projects inside the project', { skip }, () => {
  const own = (name, value) => ({
    [`${name}lakefile.toml`]: `name = "app"\n${library('App')}`,
    [`${name}lake-manifest.json`]: manifest(),
    [`${name}App/Base.lean`]: `def base := ${value}\n`,
    [`${name}App/A.lean`]: 'import App.Base\n\n#eval base\n',
  });
  const folder = scratchProject({
    ...own('', 1), ...own('.claude/worktrees/w/', 2),
    '.lake/packages/dep/lakefile.toml': `name = "dep"\n${library('Dep')}`, '.lake/packages/dep/Dep.lean': '#eval 3\n',
  });
  let client;
  before(async () => {
    client = spawnBridge({ project: folder, lake: realLake });
    await client.connect();
  }, { timeout });
  after(async () => { try { await client.close({ timeoutMs: 8000 }); } finally { await client.destroy(); } }, { timeout });
  const ask = async (tool, args) => {
    const { structured, error } = await client.call(tool, args, { timeoutMs: lean.callMs });
    assert.ok(structured, JSON.stringify(error));
    return structured;
  };
  const values = async file_path => (await ask('lean_diagnostic_messages', { file_path })).items.map(item => item.message);

  test('have their own files, and lake', { timeout }, async () => {
    assert.deepEqual(await values('App/A.lean'), ['1']);
    assert.deepEqual(await values('.claude/worktrees/w/App/A.lean'), ['2']);
    assert.deepEqual(await values('.lake/packages/dep/Dep.lean'), ['3']);
    const servers = descendants(client.pid).map(({ command }) => command).filter(command => / --server/.test(command));
    assert.equal(servers.length, 2, `one for the project and its packages, one for the work tree: ${servers}`);
  });
  test('what is outside is refused', { timeout }, async () => {
    const { error } = await client.call('lean_goal', { file_path: '../A.lean', line: 1 }, { timeoutMs: lean.callMs });
    assert.equal(error?.kind, 'outside_project');
  });
});

describe('messages as an editor\'s info view gets them', { skip }, () => {
  const T = 'App/T.lean';
  const { session, ask, edit } = sharedSession({
    'lakefile.toml': `name = "app"\n${library('App')}`, 'lake-manifest.json': manifest(),
    [T]: 'theorem fine : True := trivial\n\nset_option trace.Elab.step true in\ntheorem traced : 1 + 1 = 2 := by\n  rfl\n\ntheorem hole : 1 = 1 := by\n  skip\n',
  });
  const tags = value => (value && typeof value === 'object'
    ? [...(Array.isArray(value.tag) && value.tag[0] && typeof value.tag[0] === 'object' ? Object.keys(value.tag[0]) : []), ...Object.values(value).flatMap(tags)] : []);
  session('with the tags of traces and goals, and without the silent ones', async () => {
    const { diagnostics, items } = await ask('lean_diagnostic_messages', { file_path: T, interactive: true });
    assert.deepEqual(diagnostics.filter(diagnostic => diagnostic.isSilent), []);
    assert.ok(!JSON.stringify(diagnostics).includes('Goals accomplished'), JSON.stringify(diagnostics));
    const kinds = new Set(diagnostics.flatMap(({ message }) => tags(message)));
    assert.ok(kinds.has('trace') && kinds.has('goal') && kinds.has('expr'), JSON.stringify([...kinds]));
    assert.equal(diagnostics.length, items.length);
    const plain = items.find(item => item.message.startsWith('[Elab.step]'));
    assert.ok(plain?.message.split('\n').filter(line => line.includes('[Elab.step')).length > 1, 'plain messages have the whole of a trace');
  });
  session('of the text as it is now', async () => {
    edit(T, 'theorem hole : 1 = 1', 'theorem hole : 1 = 2');
    const { diagnostics } = await ask('lean_diagnostic_messages', { file_path: T, interactive: true, start_line: 7, end_line: 8 });
    assert.equal(diagnostics.length, 1);
    assert.ok(JSON.stringify(diagnostics).includes('"2"') || JSON.stringify(diagnostics).includes('1 = 2'), JSON.stringify(diagnostics));
  });
});

describe('right after an edit', { skip }, () => {
  const E = 'App/E.lean';
  const { session, ask, edit, locate } = sharedSession({
    'lakefile.toml': `name = "app"\n${library('App')}`, 'lake-manifest.json': manifest(),
    [E]: `def first (n : Nat) := n + 0\n\n${Array.from({ length: 20 }, (_, i) => `theorem t${i} (n : Nat) : first n = n := by\n  simp [first]\n`).join('\n')}\ntheorem last : first 1 = 1 := rfl\n`,
  });
  session('a declaration of the same file is found', async () => {
    const missed = [];
    for (let i = 0; i < 25; i++) {
      edit(E, `n + ${i}`, `n + ${i + 1}`);
      const answer = await ask('lean_declaration_file', { ...locate(E, 'first 1'), symbol: 'first', context_lines: 0 });
      if (answer.line !== 1) missed.push(i);
      const hover = await ask('lean_hover_info', locate(E, 'first 1'));
      if (!hover.info) missed.push(`hover ${i}`);
    }
    assert.deepEqual(missed, []);
  });
});

describe('a package beside the project, and one of the same name beside our copies', { skip }, () => {
  const folder = scratchProject({
    'app/lakefile.toml': `name = "my-app"\ndefaultTargets = ["App"]\n${required('core')}${library('App')}`,
    'app/lake-manifest.json': manifest({ type: 'path', name: 'core', dir: '../core', inherited: false }),
    'app/App.lean': 'import App.Base\n\ntheorem used : Base.one = 1 := rfl\n',
    'app/App/Base.lean': 'import Core\n\ndef Base.one := core\n',
    'core/lakefile.toml': `name = "core"\n${library('Core')}`,
    'core/Core.lean': 'def core := 1\n',
    'tmp/core/lakefile.toml': 'name = "core"\nsomebody = "else\'s"',
  });
  let client;
  const ask = async (tool, more = {}) => {
    const { structured, error } = await client.call(tool, more, { timeoutMs: 4 * lean.callMs });
    assert.ok(structured, JSON.stringify(error));
    return structured;
  };
  const at = name => path.join(folder, name);
  before(async () => {
    client = spawnBridge({ project: at('app'), lake: realLake, env: { TMPDIR: at('tmp') } });
    await client.connect();
  }, { timeout });
  after(async () => { try { await client.close({ timeoutMs: 8000 }); } finally { await client.destroy(); } }, { timeout });

  test('lean_build with clean deletes what the project has built, and nothing else', { timeout: 2 * timeout }, async () => {
    assert.equal((await ask('lean_build')).success, true);
    const built = name => fs.statSync(at(`${name}.olean`)).ino;
    const before = built('core/.lake/build/lib/lean/Core');
    const left = at('app/.lake/build/lib/lean/Left.olean');
    fs.writeFileSync(left, '');
    const again = await ask('lean_build', { clean: true });
    assert.deepEqual([again.success, built('core/.lake/build/lib/lean/Core'), fs.existsSync(left)], [true, before, false], JSON.stringify(again));
  });
  test('lean_rename compiles with the package of the project', { timeout: 3 * timeout }, async () => {
    await ask('lean_check_all', { file_path: 'App.lean' });
    const answer = await ask('lean_rename', { file_path: 'App/Base.lean', line: 3, column: 10, new_name: 'eins', write: true });
    assert.deepEqual([answer.written, answer.reason], [true, undefined], JSON.stringify(answer));
    assert.match(fs.readFileSync(at('app/App.lean'), 'utf8'), /Base\.eins = 1/);
  });
  test('lean_build names the file of a package that has an error', { timeout: 2 * timeout }, async () => {
    fs.writeFileSync(at('core/Core.lean'), 'def core := nothing\n');
    const built = await ask('lean_build');
    assert.equal(built.success, false);
    assert.ok(fs.existsSync(path.resolve(at('app'), built.items[0].file_path)), JSON.stringify(built.items));
  });
  test('without a name for the package nothing is cleaned', { timeout }, async () => {
    fs.writeFileSync(at('app/lakefile.toml'), 'name = ');
    const { error } = await client.call('lean_build', { clean: true }, { timeoutMs: lean.callMs });
    assert.match(error?.message ?? '', /Nothing was cleaned/);
  });
});

describe('a project that keeps what it compiles elsewhere', { skip }, () => {
  const { session, ask, file } = sharedSession({
    'lakefile.toml': `name = "app"\ndefaultTargets = ["App"]\nbuildDir = "made"\n${library('App')}`,
    'lake-manifest.json': manifest(),
    'App.lean': 'import App.Base\n\ntheorem used : App.one = 1 := rfl\n',
    'App/Base.lean': 'def App.one := 1\n\ntheorem App.within : App.one = 1 := rfl\n',
  });
  session('is built for doctor and for certify, and verified', async () => {
    assert.equal((await ask('lean_build')).success, true);
    assert.ok(fs.existsSync(file('made/lib/lean/App/Base.olean')));
    const inIt = async (...args) => await runBinary([...args, '--lake', realLake], { cwd: file('.'), timeoutMs: lean.callMs });
    assert.match((await inIt('doctor')).stdout, /^ok {4}build .*project built/m);
    const baseline = path.join(temporaryFolder('baseline'), 'baseline.json');
    const { code, stderr } = await inIt('certify', '--record-baseline', baseline);
    assert.equal(code, 0, stderr);
    assert.match(fs.readFileSync(baseline, 'utf8'), /App\/Base/);
    const verified = await ask('lean_verify', { file_path: 'App/Base.lean', theorem_name: 'App.within', compile: true });
    assert.deepEqual([verified.axioms, verified.uses_sorry], [[], false], JSON.stringify(verified));
  });
});

describe('a project of executables alone', { skip }, () => {
  const { session, ask } = sharedSession({
    'lakefile.toml': 'name = "tool"\n\n[[lean_exe]]\nname = "tool"\nroot = "Tool"\n',
    'lake-manifest.json': manifest(),
    'Tool.lean': 'theorem zorkOfTool (n : Nat) : n = n := rfl\n\ndef main : IO Unit := pure ()\n',
  }, { args: ['--offline'] });
  session('has its theorems found', () => eventually(async () => {
    const { items } = await ask('lean_local_search', { query: 'zork' });
    return items.some(item => item.name === 'zorkOfTool');
  }, 2 * lean.callMs, 'the theorem is found'), { timeout: 3 * lean.callMs });
});

describe('a project whose compiled modules lie in a cache', { skip }, () => {
  const { session, ask, file } = sharedSession({
    'lakefile.toml': `name = "app"\ndefaultTargets = ["App"]\nenableArtifactCache = true\n${library('App')}`,
    'lake-manifest.json': manifest(),
    'App.lean': 'import App.Base\n\ntheorem used : App.one = 1 := rfl\n',
    'App/Base.lean': 'def App.one := 1\n',
  }, { env: { LAKE_CACHE_DIR: temporaryFolder('artifacts') } });
  session('is verified, and goals are shown, though Lean finds no module on its path', async () => {
    assert.equal((await ask('lean_build')).success, true);
    assert.ok(!fs.existsSync(file('.lake/build/lib/lean/App/Base.olean')));
    assert.equal((await ask('lean_check_all', { file_path: 'App.lean' })).success, true);
    const verified = await ask('lean_verify', { theorem_name: 'used', file_path: 'App.lean' });
    assert.deepEqual([verified.axioms, verified.uses_sorry], [[], false], JSON.stringify(verified));
    const compiled = await ask('lean_verify', { theorem_name: 'used', file_path: 'App.lean', compile: true });
    assert.deepEqual([compiled.axioms, compiled.uses_sorry], [[], false], JSON.stringify(compiled));
  });
});

describe('a package of which much is not compiled', { skip }, () => {
  const count = 120;
  const { session, refused } = sharedSession({
    'lakefile.toml': `name = "app"\n${library('App')}\n[[require]]\nname = "big"\ngit = "https://nowhere.invalid"\n`,
    'lake-manifest.json': manifest({ type: 'git', name: 'big', url: 'https://nowhere.invalid', rev: 'a', inputRev: null, inherited: false }),
    'App.lean': 'import Big\n\n#check big1\n',
    '.lake/packages/big/lakefile.toml': `name = "big"\n${library('Big')}`,
    '.lake/packages/big/Big.lean': Array.from({ length: count }, (_, i) => `import Big.M${i + 1}\n`).join(''),
    ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`.lake/packages/big/Big/M${i + 1}.lean`, `def big${i + 1} := ${i + 1}\n`])),
  });
  session('is not compiled by opening a file: the answer says how to get it', async () => {
    const { message, hint } = await refused('lean_diagnostic_messages', { file_path: 'App.lean' }, 'lean_unavailable');
    assert.match(message, /12[01]/);
    assert.match(hint, /lake build/);
  });
});

describe('a file whose import does not compile', { skip }, () => {
  const files = {
    'lakefile.toml': `name = "app"\n${library("App")}${library("Own")}`, 'lake-manifest.json': manifest(),
    'App.lean': 'import App.Broken\n\ntheorem a : True := by\n  trivial\n',
    'App/Broken.lean': 'def fine := 1\n\ndef broken : Nat := missing\n\ntheorem hole (unused : Nat) : 1 = 1 := by\n  sorry\n',
    'App/Other.lean': 'import App.Broken\n', 'App/Fine.lean': 'theorem one : 1 = 1 := rfl\n', 'Own/First.lean': 'def one := 1\n', 'Own/Second.lean': 'import Own.First\n\n#check one\n',
  };
  const sentence = '`App\\.Broken`, which this file imports, does not compile: line 3: Unknown identifier `missing`';
  const { session, ask, refused } = sharedSession(files);
  session('says which one, and where', async () => {
    const { message } = await refused('lean_goal', { file_path: 'App.lean', line: 4 }, 'lean_unavailable');
    assert.match(message, new RegExp(sentence));
    assert.ok(message.length < 400, message);
  });
  session('in every tool by the same sentence, which is no error and no sorry of the file', async () => {
    const known = await ask('lean_diagnostic_messages', { file_path: 'App.lean' });
    assert.deepEqual(known.items.map(({ severity, category }) => [severity, category]), [['error', 'diagnostic']]);
    const said = [known.items[0].message,
      (await ask('lean_write_proof', { file_path: 'App.lean', start_line: 4, end_line: 4, new_text: '  simp' })).reason,
      (await ask('lean_verify', { file_path: 'App.lean' })).exceptions[0].reason,
      (await ask('lean_run_code', { code: 'import App.Broken\n#check fine' })).diagnostics[0].message,
      (await ask('lean_check_batch', { items: [{ code: 'import App.Broken' }] })).items[0].reason,
      (await ask('lean_document_proofs', { file_path: 'App.lean' })).reason];
    for (const [tool, more] of [['lean_fill', {}], ['lean_multi_attempt', { line: 4, snippets: ['simp'] }], ['lean_verify', { theorem_name: 'a' }]])
      said.push((await refused(tool, { file_path: 'App.lean', ...more }, 'lean_unavailable')).message);
    for (const each of said) {
      assert.match(each, new RegExp(sentence));
      assert.ok(each.length < 400 && !/setup-file|scratch|warning:/.test(each), each);
    }
    const one = await ask('lean_check_all', { file_path: 'App.lean' });
    assert.deepEqual([one.success, one.state, one.error_count, one.unfinished], [false, 'not_reached', 0, []]);
    assert.match(one.reason, new RegExp(`^${sentence}`));
  });
  session('once in a verdict on many, beside the file that is broken', async () => {
    const { state, error_count, not_reached_count, files: each } = await ask('lean_check_all', { files: ['App.lean', 'App/Broken.lean', 'App/Other.lean'] });
    assert.deepEqual([state, error_count, not_reached_count], ['error', 1, 2]);
    const states = Object.fromEntries(each.map(one => [one.file_path, one.state]));
    assert.deepEqual(states, { 'App.lean': 'not_reached', 'App/Broken.lean': 'error', 'App/Other.lean': 'not_reached' });
    const reasons = each.filter(one => one.state === 'not_reached').map(one => one.reason);
    assert.match(reasons[0], new RegExp(`^${sentence}`));
    assert.match(reasons[1], /^As App(\/Other)?\.lean\.$/);
  });
  test('`check`: a file that imports the one whose options it has', { timeout }, async () => {
    const { stdout } = await runBinary(['check', '--lake', realLake, 'Own/First.lean', 'Own/Second.lean'], { cwd: scratchProject(files), timeoutMs: lean.callMs * 2 });
    assert.deepEqual(stdout.trim().split('\n').map(line => JSON.parse(line).verdict), ['ok', 'ok'], stdout);
  });
  test('`check` counts its importers apart', { timeout }, async () => {
    const folder = scratchProject(files);
    const { code, stdout, stderr } = await runBinary(['check', '--lake', realLake, '--strict', 'App.lean', 'App/Broken.lean', 'App/Other.lean', 'App/Fine.lean'], { cwd: folder, timeoutMs: lean.callMs * 2 });
    const verdicts = Object.fromEntries(stdout.trim().split('\n').map(line => JSON.parse(line)).map(one => [one.id, one]));
    assert.deepEqual(Object.keys(verdicts).sort().map(id => `${id} ${verdicts[id].verdict}`),
      ['App.lean not_reached', 'App/Broken.lean error', 'App/Fine.lean ok', 'App/Other.lean not_reached']);
    assert.match(verdicts['App.lean'].reason, new RegExp(`^${sentence}`));
    assert.deepEqual(verdicts['App.lean'].diagnostics, []);
    assert.match(stderr, /4 judged: 1 ok, 1 error, 2 not reached/);
    assert.equal(code, 1, 'what was not reached is not proved');
  });
  test('is shown without starting Lean again and again', { timeout }, async () => {
    const folder = scratchProject(files);
    const view = await startView(path.join(folder, 'App.lean'), { lake: realLake });
    try {
      const events = await view.events('line=4');
      const { result } = await events.next('goals', each => each.result.isError);
      assert.match(JSON.stringify(result), /App\.Broken/);
      const workers = () => descendants(view.pid).filter(({ command }) => / --worker/.test(command)).map(({ pid }) => pid).join();
      const seen = new Set();
      for (const until = Date.now() + 6000; Date.now() < until; await sleep(50)) seen.add(workers());
      assert.ok(seen.size <= 2, `${seen.size} sets of workers within six seconds`);
      fs.writeFileSync(path.join(folder, 'App/Broken.lean'), 'def fine := 1\n');
      await events.next('goals', each => !each.result.isError, events.all.length);
    } finally {
      await view.stop('SIGKILL');
    }
  });
});

describe('a start of lake that stumbles', { skip }, () => {
  const place = { file_path: 'A.lean', line: 2, column: 3 };
  const prepare = how => {
    const state = temporaryFolder('stumble');
    const project = scratchProject({ 'A.lean': 'theorem a : 1 = 1 := by\n  rfl\n' });
    const env = { LEANBRIDGE_STUMBLE: how, LEANBRIDGE_STUMBLE_STATE: state, LEANBRIDGE_STUMBLE_LAKE: realLake };
    const commands = () => fs.readFileSync(path.join(state, 'log'), 'utf8').trim().split('\n').map(line => line.split(' ')[1]);
    return { state, project, env, lake: fixture('lake', 'stumbles-once'), commands, servers: () => commands().filter(command => command === 'serve').length };
  };
  const on = (how, body) => {
    const made = prepare(how);
    return withBridge(made, client => body({ ...made, client, call: (tool, args) => client.call(tool, args, { timeoutMs: lean.callMs }) }));
  };

  test('is told, and the next call starts it anew', { timeout }, () => on('lock', async ({ call, servers }) => {
    const { error } = await call('lean_goal', place);
    assert.equal(error?.kind, 'lean_unavailable', JSON.stringify(error));
    assert.match(error.message, /Lake could not load the project.*could not acquire an exclusive configuration lock/s);
    assert.match(error.hint, /^Call again/);
    assert.equal(servers(), 1, 'nothing starts by itself');
    const { structured, error: again } = await call('lean_goal', place);
    assert.deepEqual(structured?.goals, ['⊢ 1 = 1'], JSON.stringify(again));
    assert.match(structured.reopened, /Lake could not load the project before/);
    assert.equal((await call('lean_goal', place)).structured.reopened, undefined);
    assert.equal(servers(), 2);
  }));
  test('in a text that is tried, too', { timeout }, () => on('lock', async ({ call }) => {
    const { error } = await call('lean_print', { file_path: 'A.lean', name: 'Nat.lt' });
    // A first call that already knows it from the file asks the new server for the text.
    if (error) assert.match(error.message, /exclusive configuration lock/);
    const { structured, error: again } = await call('lean_print', { file_path: 'A.lean', name: 'Nat.lt' });
    assert.match(structured?.text ?? '', /Nat\.lt/, JSON.stringify(again));
  }));
  test('again and again: each answer quotes Lake, and starts become rare', { timeout }, () => on('always', async ({ call, servers }) => {
    for (let i = 0; i < 8; i++) assert.match((await call('lean_goal', place)).error?.message ?? '', /exclusive configuration lock/);
    assert.ok(servers() < 6, `${servers()} starts for 8 calls`);
  }));
  test('with hooks that print where the server will speak', { timeout }, () => on('hooks', async ({ call, servers }) => {
    const { structured, error } = await call('lean_goal', place);
    assert.deepEqual(structured?.goals, ['⊢ 1 = 1'], JSON.stringify(error));
    assert.equal(servers(), 1);
  }));
  test('since git would ask on the terminal: it fails instead, and says so', { timeout }, () => {
    const { project, env, lake } = prepare('prompt');
    const words = [binary, '--project-root', project, '--lake', lake, '--timeout', '30', 'call', 'lean_goal', 'A.lean:2:3'].map(word => `'${word}'`).join(' ');
    const { stdout } = spawnSync('script', ['-qec', words, '/dev/null'], { cwd: project, env: { ...process.env, ...env, LEANBRIDGE_CACHE_DIR: cacheFolder() }, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', timeout: lean.callMs });
    assert.match(stdout, /could not read Username/);
    assert.doesNotMatch(stdout, /Username for 'https:\/\/example.org': $/m);
  });
  test('while it downloads, another lake waits; what it names is found afterwards', { timeout }, () => on('download', async ({ call, client, state, project, commands }) => {
    const search = () => call('lean_local_search', { query: 'Nat.add_comm' });
    const early = await search();
    assert.equal(early.structured?.index, 'warming', JSON.stringify(early));
    assert.match(JSON.stringify(early.structured.index_parts), /Lake has not answered yet/);
    const { error } = await call('lean_goal', { ...place, timeout_s: 1 });
    assert.match(error?.message ?? '', /has not answered yet.*downloading https/s);
    assert.deepEqual(commands(), ['serve']);
    fs.writeFileSync(path.join(state, 'downloaded'), '');
    assert.deepEqual((await call('lean_goal', place)).structured?.goals, ['⊢ 1 = 1']);
    await eventually(async () => (await search()).structured?.items.some(({ name }) => name === 'Nat.add_comm'), lean.callMs, 'the library is found');
  }));
});
