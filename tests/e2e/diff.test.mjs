// `leanbridge diff`: what a change does to the declarations of a project in a git repository.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { binary, scratchProject, temporaryFolder } from '../support/bridge.mjs';
import { lean } from '../support/leans.mjs';
import { eventually } from '../support/processes.mjs';

const timeout = 60_000;
const noHeartbeats = lean.missing || (lean.kind === 'small' && 'the small Lean has no profiler');
const git = (cwd, ...args) => {
  const { status, stdout, stderr } = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'core.autocrlf=false', ...args], { cwd, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trim();
};
const commit = cwd => { git(cwd, 'add', '-A'); git(cwd, 'commit', '-qm', 'a', '--allow-empty'); };
const repository = (files, cwd = scratchProject(files)) => { git(cwd, 'init', '-q'); commit(cwd); return cwd; };
const write = (cwd, files) => {
  for (const [name, content] of Object.entries(files)) {
    fs.rmSync(path.join(cwd, name), { force: true });
    if (content === undefined) continue;
    fs.mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
    fs.writeFileSync(path.join(cwd, name), content);
  }
};
const run = (cwd, ...args) => {
  const { status: code, stdout, stderr } = spawnSync(binary, ['diff', ...args], { cwd, encoding: 'utf8', timeout, env: { ...process.env, LEAN_PROJECT_PATH: '' } });
  return { code, stdout, stderr };
};
const json = (cwd, ...args) => {
  const { code, stdout, stderr } = run(cwd, '--json', ...args);
  assert.ok(stdout, stderr);
  return { code, ...JSON.parse(stdout) };
};
const told = ({ declarations }) => declarations.map(({ change, name, renamed_from: was, moved_from: from }) => [change, name, ...(was ? [`was ${was}`] : []), ...(from ? [`from ${from}`] : [])].join(' '));
/** What `diff` says when these files take the place of those. */
const between = (before, after) => { const cwd = repository(before); write(cwd, after); return json(cwd); };

const A = 'namespace N\n\ntheorem one (n : Nat) : n = n := by\n  rfl\n\ntheorem two : 2 = 2 := sorry\n\ndef three : Nat := 3\n\nend N\n';

describe('declarations', () => {
  test('added, removed, restated, reproved, revalued', { timeout }, () => {
    const after = A.replace('n = n', 'n + 0 = n').replace('sorry', 'rfl').replace('Nat := 3', 'Nat := 4').replace('end N', 'theorem four : 4 = 4 := rfl\n\nend N');
    const found = between({ 'A.lean': A, 'B.lean': 'theorem gone : True := trivial\n' }, { 'A.lean': after, 'B.lean': undefined, 'C.lean': 'theorem new : 1 = 1 := rfl\n' });
    assert.equal(found.code, 0, JSON.stringify(found));
    assert.equal(found.verdict, 'nothing_new');
    assert.deepEqual(told(found), ['restated N.one', 'reproved N.two', 'revalued N.three', 'added N.four', 'removed gone', 'added new']);
    assert.deepEqual(found.counts, { added: 2, removed: 1, restated: 1, revalued: 1, reproved: 1, attributed: 0, renamed: 0, moved: 0 });
    assert.deepEqual([found.declarations[0].statement_before, found.declarations[0].statement_after], ['(n : Nat) : n = n', '(n : Nat) : n + 0 = n']);
    assert.deepEqual(found.files, [{ file: 'A.lean', change: 'changed' }, { file: 'B.lean', change: 'removed' }, { file: 'C.lean', change: 'added' }]);
    assert.deepEqual(found.sorries, { before: 1, after: 0 });
    assert.match(found.before, /^[0-9a-f]{40}$/);
    assert.equal(found.after, null);
    assert.match(found.note, /certify --git/);
  });
  test('moved and renamed', { timeout }, () => {
    const rest = A.replace('theorem two : 2 = 2 := sorry\n', '');
    const found = between({ 'A.lean': A }, { 'A.lean': rest.replace('theorem one', 'theorem uno'), 'B.lean': 'theorem N.two : 2 = 2 := sorry\n' });
    assert.deepEqual(told(found), ['renamed N.uno was N.one', 'moved N.two from A.lean']);
    assert.equal(found.code, 0, 'its sorry is not new');
  });
  test('comments, white space and line ends change nothing', { timeout }, () => {
    const found = between({ 'A.lean': A, 'B.lean': A }, { 'A.lean': A.replaceAll('\n', '\r\n'), 'B.lean': `-- sorry\n${A.replace('by\n  rfl', 'by /- axiom -/\n    rfl')}` });
    assert.deepEqual([found.code, found.declarations, found.commands, found.new_sorries], [0, [], [], []]);
  });
});

describe('the verdict', () => {
  test('a sorry or an axiom that is new is exit code 1', { timeout }, () => {
    const cwd = repository({ 'A.lean': A });
    write(cwd, { 'A.lean': A.replace('  rfl', '  sorry') });
    const found = json(cwd);
    assert.deepEqual([found.code, found.verdict, found.sorries], [1, 'new', { before: 1, after: 2 }]);
    assert.deepEqual(found.new_sorries, [{ file: 'A.lean', line: 3, name: 'N.one', count: 1 }]);
    write(cwd, { 'A.lean': `${A}axiom cheat : False\n` });
    const axiom = json(cwd);
    assert.deepEqual([axiom.code, axiom.verdict, axiom.axioms], [1, 'new', { before: 0, after: 1 }]);
    assert.deepEqual(axiom.commands, [{ file: 'A.lean', line: 11, added: true, text: 'axiom cheat : False' }]);
  });
  test('one that fills another does not make up for it', { timeout }, () => {
    assert.equal(between({ 'A.lean': A }, { 'A.lean': A.replace('sorry', 'rfl').replace('  rfl', '  sorry') }).code, 1);
  });
  test('the text says the verdict first, then what it is not, then files', { timeout }, () => {
    const cwd = repository({ 'A.lean': A });
    write(cwd, { 'A.lean': A.replace('n = n', 'n + 0 = n').replace('  rfl', '  sorry'), 'B.lean': 'macro "m" : tactic => `(tactic| simp)\n', 'lean-toolchain': 'x\x1b[31my\n' });
    const { code, stdout } = run(cwd);
    assert.equal(code, 1);
    const lines = stdout.split('\n');
    assert.match(lines[0], /^new: 1 sorry; declarations: 1 restated; in changed files sorries 1 -> 2, axioms 0 -> 0$/);
    assert.match(lines[1], /not Lean's word.*leanbridge certify --git REV FILE$/);
    for (const line of [/^A\.lean$/m, /^ {2}NEW SORRY {2}A\.lean:3 {2}N\.one$/m, /^ {2}restated +theorem N\.one, sorries 0 -> 1 \(line 3\)$/m, /^ {4}after +\(n : Nat\) : n \+ 0 = n$/m, /^B\.lean \(added\)$/m,
      /^look at these yourself/m, /^ {2}lean-toolchain +added$/m, /^ {2}B\.lean:1 +\+ macro "m"/m]) assert.match(stdout, line);
    assert.doesNotMatch(stdout, /\x1b/);
  });
  test('each declaration stands below its file', { timeout }, () => {
    const cwd = repository({});
    const names = ['A.lean', 'A/B.lean', 'A-C.lean', 'A/B/C.lean'];   // paths, by their components, have another order
    write(cwd, Object.fromEntries(names.map((name, i) => [name, `theorem t${i} : ${i} = ${i} := rfl\n`])));
    assert.deepEqual(run(cwd).stdout.split('\n').filter(line => /^A|^ {2}added/.test(line)),
      ['A-C.lean (added)', '  added      theorem t2 (line 1)', 'A.lean (added)', '  added      theorem t0 (line 1)', 'A/B.lean (added)', '  added      theorem t1 (line 1)', 'A/B/C.lean (added)', '  added      theorem t3 (line 1)']);
  });
  test('settings are told, with the toolchain that they name', { timeout }, () => {
    const cwd = repository({ 'A.lean': A, 'lean-toolchain': 'leanprover/lean4:v4.20.0\n', 'lakefile.lean': 'axiom no : False\n' });
    write(cwd, { 'lean-toolchain': 'leanprover/lean4:v4.21.0\n', 'lakefile.lean': 'def sorry := 1\n' });
    const found = json(cwd);
    assert.equal(found.code, 0);
    assert.deepEqual(found.settings, [{ file: 'lakefile.lean', change: 'changed' }, { file: 'lean-toolchain', change: 'changed', before: 'leanprover/lean4:v4.20.0', after: 'leanprover/lean4:v4.21.0' }]);
    assert.match(run(cwd).stdout, /lean-toolchain +changed: leanprover\/lean4:v4\.20\.0 -> leanprover\/lean4:v4\.21\.0/);
  });
  test('a file that is not UTF-8, or a link, is not read: exit code 3, unless a sorry is new', { timeout }, () => {
    const cwd = repository({ 'A.lean': A, 'B.lean': A, 'Good.lean': A, 'Same.lean': Buffer.from('-- \xff\n', 'latin1') });
    write(cwd, { 'A.lean': Buffer.from('-- \xff\n', 'latin1'), 'B.lean': undefined });
    fs.symlinkSync('Good.lean', path.join(cwd, 'B.lean'));
    const found = json(cwd);
    assert.deepEqual([found.code, found.verdict], [3, 'incomplete']);
    assert.deepEqual(found.unread.map(({ file }) => file), ['A.lean', 'B.lean']);
    assert.match(found.unread[0].why, /UTF-8/);
    assert.match(run(cwd).stdout, /^incomplete: not everything could be read;.*[^]*^not read\n {2}A\.lean: it is not UTF-8/m);
    write(cwd, { 'C.lean': 'theorem c : False := sorry\n' });
    assert.equal(json(cwd).code, 1);
  });
});

describe('what has a name and is not read as files is not removed', () => {
  const files = { 'A.lean': A, 'Lib/B.lean': A.replaceAll('N', 'M'), 'Lib/C.lean': 'theorem c : 1 = 1 := rfl\n' };
  const unread = (found, names, why) => {
    assert.deepEqual([found.code, found.verdict], [3, 'incomplete'], JSON.stringify(found));
    assert.deepEqual(found.unread.map(({ file }) => file), names);
    for (const each of found.unread) assert.match(each.why, why);
    assert.deepEqual(found.files.filter(({ change }) => change === 'removed'), []);
  };
  const LIB = ['Lib/B.lean', 'Lib/C.lean'];
  test('a folder that became a link', { timeout }, () => {
    const cwd = repository(files);
    const elsewhere = temporaryFolder('elsewhere');
    fs.cpSync(path.join(cwd, 'Lib'), elsewhere, { recursive: true });
    fs.appendFileSync(path.join(elsewhere, 'C.lean'), 'theorem d : 1 = 2 := sorry\n');
    fs.rmSync(path.join(cwd, 'Lib'), { recursive: true });
    fs.symlinkSync(elsewhere, path.join(cwd, 'Lib'));
    unread(json(cwd), LIB, /link/);
    commit(cwd);
    unread(json(cwd, 'HEAD~1', 'HEAD'), ['Lib', ...LIB], /link/);
    unread(json(cwd, 'HEAD', 'HEAD~1'), LIB, /link/);
  });
  test('a folder with an empty .git, or that became a submodule', { timeout }, () => {
    const cwd = repository(files);
    fs.mkdirSync(path.join(cwd, 'Lib/.git'));
    unread(json(cwd), LIB, /\.git/);
    fs.rmdirSync(path.join(cwd, 'Lib/.git'));
    const inner = repository({ 'B.lean': 'axiom cheat : False\n' });
    git(cwd, 'rm', '-rq', 'Lib');
    git(cwd, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'Lib');
    unread(json(cwd), LIB, /\.git/);
    commit(cwd);
    unread(json(cwd, 'HEAD~1', 'HEAD'), ['Lib', ...LIB], /submodule/);
    assert.equal(json(cwd, 'HEAD').code, 0);
  });
  test('a sparse checkout', { timeout }, () => {
    const cwd = repository(files);
    git(cwd, 'sparse-checkout', 'set', '--no-cone', '/*', '!/Lib/');
    assert.ok(!fs.existsSync(path.join(cwd, 'Lib')));
    unread(json(cwd), LIB, /not checked out/);
  });
  test('a folder where there was a file, and a file without one', { timeout }, () => {
    const cwd = repository(files);
    write(cwd, { 'A.lean': undefined });
    fs.mkdirSync(path.join(cwd, 'A.lean'));
    unread(json(cwd), ['A.lean'], /folder/);
    fs.rmdirSync(path.join(cwd, 'A.lean'));
    fs.rmSync(path.join(cwd, 'Lib'), { recursive: true });
    const gone = json(cwd);
    assert.deepEqual([gone.code, gone.files.map(({ change }) => change)], [0, ['removed', 'removed', 'removed']]);
  });
  test('sources in hidden folders are read, and those beside git and Lake named', { timeout }, () => {
    const toml = folder => `name = "p"\nsrcDir = "${folder}"\n`;
    const hidden = between({ 'lakefile.toml': toml('.') }, { 'lakefile.toml': toml('.src'), '.src/A.lean': 'axiom cheat : False\n' });
    assert.deepEqual([hidden.code, hidden.new_axioms.map(({ file }) => file)], [1, ['.src/A.lean']]);
    for (const folder of ['.lake/src', '.git/src', '../elsewhere'])
      unread(between({ 'lakefile.toml': toml('.') }, { 'lakefile.toml': toml(folder) }), [folder], /the lakefile has sources/);
  });
  test('tactics that leave a sorry are counted as one, and names are not', { timeout }, () => {
    const before = 'theorem a : 1 = 1 := by\n  rfl\n';
    for (const proof of ['stop\n  rfl', 'skip; stop rfl', 'apply?', 'first | rw? | rfl', '· apply?'])
      assert.deepEqual([between({ 'A.lean': before }, { 'A.lean': before.replace('rfl', proof) })].map(({ code, new_sorries: at }) => [code, at.map(({ name }) => name)]), [[1, ['a']]], proof);
    const names = 'structure R where\n  stop : Nat\n\ndef f (stop : Nat) : Nat :=\n  stop + 1\n\ntheorem a : 1 = 1 := by\n  rfl\n';
    assert.equal(between({ 'A.lean': before }, { 'A.lean': names }).code, 0);
  });
});

describe('revisions and projects', () => {
  test('one revision against another, and neither is the working tree', { timeout }, () => {
    const cwd = repository({ 'A.lean': A, 'B.lean': A.replaceAll('N', 'M') });
    write(cwd, { 'A.lean': A.replace('  rfl', '  exact rfl') });
    commit(cwd);
    write(cwd, { 'A.lean': 'axiom cheat : False\n' });
    const found = json(cwd, 'HEAD~1', 'HEAD');
    assert.deepEqual([found.code, told(found), found.after], [0, ['reproved N.one'], git(cwd, 'rev-parse', 'HEAD')]);
    assert.deepEqual(told(json(cwd, 'HEAD', 'HEAD~1')), ['reproved N.one']);
    assert.equal(json(cwd, 'HEAD~1').code, 1);
  });
  test('only the project, if it is in a folder of the repository; nothing hidden, and no repository in it', { timeout }, () => {
    const top = temporaryFolder('repository');
    write(top, { 'Other.lean': A, 'proofs/lakefile.toml': 'name = "x"\n', 'proofs/Sub/A.lean': A });
    repository({}, top);
    write(top, { 'Other.lean': 'axiom no : False\n', 'proofs/Sub/A.lean': A.replace('  rfl', '  exact rfl'), 'proofs/.lake/packages/p/P.lean': 'axiom no : False\n', 'proofs/nested/N.lean': 'axiom no : False\n' });
    git(path.join(top, 'proofs/nested'), 'init', '-q');
    const found = json(path.join(top, 'proofs/Sub'));
    assert.deepEqual([found.code, told(found), found.files], [0, ['reproved N.one'], [{ file: 'Sub/A.lean', change: 'changed' }]]);
    assert.equal(found.root, path.join(top, 'proofs'));
    assert.deepEqual(told(json(temporaryFolder('elsewhere'), '--project-root', path.join(top, 'proofs'))), ['reproved N.one']);
  });
  test('what is no revision, no repository or no project is exit code 2', { timeout }, () => {
    const cwd = repository({ 'A.lean': A });
    for (const [args, mention, where = cwd] of [[['nothing'], /no commit named nothing/], [['HEAD', 'nothing'], /nothing/], [['-x'], /-x/], [['--output=x'], /output/], [['HEAD', 'HEAD', 'HEAD'], /REVISION/], [[''], /no revision/],
      [[], /no git repository/, scratchProject({ 'A.lean': A })], [[], /no Lean project/, temporaryFolder('empty')]]) {
      const { code, stdout, stderr } = run(where, ...args);
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, mention);
    }
    assert.equal(JSON.parse(run(cwd, '--json', 'nothing').stdout).error.kind, 'invalid_argument');
  });
  test('no program of the repository runs, and replacement objects do not count', { timeout }, () => {
    const cwd = repository({ 'A.lean': A, 'Easy.lean': 'axiom no : False\n', '.gitattributes': '*.lean diff=own filter=own\n' });
    const ran = path.join(temporaryFolder('ran'), 'ran');
    const program = path.join(temporaryFolder('program'), 'program');
    fs.writeFileSync(program, `#!/bin/sh\necho ran >> ${ran}\ncat\n`, { mode: 0o755 });
    for (const key of ['diff.external', 'diff.own.command', 'diff.own.textconv', 'filter.own.smudge', 'filter.own.clean', 'core.fsmonitor', 'core.pager']) git(cwd, 'config', key, program);
    fs.writeFileSync(path.join(cwd, '.git/hooks/post-index-change'), `#!/bin/sh\necho ran >> ${ran}\n`, { mode: 0o755 });
    write(cwd, { 'A.lean': A.replace('  rfl', '  exact rfl') });
    git(cwd, '-c', 'core.fsmonitor=', 'replace', git(cwd, 'rev-parse', 'HEAD:A.lean'), git(cwd, 'rev-parse', 'HEAD:Easy.lean'));
    fs.rmSync(ran, { force: true });
    assert.deepEqual(told(json(cwd)), ['reproved N.one']);
    assert.equal(fs.existsSync(ran), false);
  });
  test('Ctrl-C ends it', { timeout }, async () => {
    const files = proof => Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`F${i}/A.lean`, `theorem a${i} : 1 = 1 := ${proof}\n`]));
    const cwd = repository(files('rfl'));
    write(cwd, files('by rfl'));  // it reads each changed file by a git of its own, which takes more than a second
    const child = spawn(binary, ['diff'], { cwd, stdio: 'ignore', env: { ...process.env, LEAN_PROJECT_PATH: '' } });
    const ended = new Promise(resolve => { child.once('close', resolve); });
    await eventually(() => fs.readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim(), 20_000, 'it runs git');
    child.kill('SIGINT');
    assert.equal(await ended, 130);
  });
});

describe('the cost', { skip: noHeartbeats }, () => {
  const cheap = 'theorem same : 1 = 1 := rfl\ntheorem two (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩\n';
  const dear = cheap.replace('⟨h.2, h.1⟩', `by\n${'  have := h\n'.repeat(60)}  exact ⟨h.2, h.1⟩`);
  const cost = (before, after, limit = '20') => { const cwd = repository({ 'A.lean': before }); write(cwd, { 'A.lean': after }); return json(cwd, '--lake', lean.lake, '--cost', limit); };
  test('a declaration that takes more heartbeats than allowed: exit code 1', { timeout: 4 * timeout }, () => {
    const found = cost(cheap, dear);
    assert.deepEqual([found.code, found.verdict, found.unmeasured], [1, 'dearer', []], JSON.stringify(found));
    assert.deepEqual(found.costs.map(({ file, name, line }) => [file, name, line]), [['A.lean', 'two', 2]]);
    assert.ok(found.costs[0].after > 2 * found.costs[0].before, JSON.stringify(found.costs));
    const [again] = cost(cheap, dear).costs;
    for (const side of ['before', 'after']) assert.ok(Math.abs(again[side] - found.costs[0][side]) < 1, `from run to run: ${JSON.stringify([again, found.costs])}`);
    assert.equal(cost(cheap, dear, '100000').code, 0);
    assert.equal(cost(dear, cheap).code, 0, 'cheaper');
  });
  test('a side that does not compile is not measured: exit code 3', { timeout: 4 * timeout }, () => {
    const found = cost(cheap.replace('rfl', 'oops'), cheap);
    assert.deepEqual([found.code, found.verdict, found.costs], [3, 'incomplete', []], JSON.stringify(found));
    assert.match(found.unmeasured[0].why, /^before the change it does not compile, in line 1: Unknown identifier `oops`$/);
  });
});
